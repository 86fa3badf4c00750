// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.TargetException;

/** Connects a target. What goes wrong is the connection's state, which the view shows: the job itself never fails. */
final class ConnectJob extends Job {
    private final TargetConnection connection;
    private final ConnectProgress progress;
    private final Runnable dismiss;

    /**
     * @param progress gets what the connection says
     * @param dismiss  closes the dialog that waits for an answer
     */
    ConnectJob(TargetConnection connection, ConnectProgress progress, Runnable dismiss) {
        super(SafeText.line("Connect to " + connection.name()));
        this.connection = connection;
        this.progress = progress;
        this.dismiss = dismiss;
        setUser(false);
    }

    @Override
    protected void canceling() {
        dismiss.run();
        Thread.ofVirtual().name("kview-cancel").start(connection::disconnect);
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        monitor.beginTask("Connecting", IProgressMonitor.UNKNOWN);
        progress.begin(connection.name(), monitor);
        try {
            connection.connect();
            return Status.OK_STATUS;
        } catch (TargetException e) {
            return monitor.isCanceled() ? Status.CANCEL_STATUS : Status.info(SafeText.lines(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            progress.end(connection.name(), monitor);
            monitor.done();
        }
    }
}
