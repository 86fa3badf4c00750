// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.sessions;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.OperationCanceledException;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.session.SessionException;
import org.kview.session.library.FolderWatch;
import org.kview.session.library.SessionLibrary;
import org.kview.session.library.Trash;
import org.kview.session.read.SessionSummary;

/**
 * Reads a folder's sessions in a job, at first and whenever something may have changed. Its listener hears of the result if
 * it differs from the last one, on the job's thread.
 */
final class FolderScan implements AutoCloseable {
    /** How often changes of sessions that are being recorded, or changed by others, are looked for. */
    private static final Duration ROUND = Duration.ofSeconds(2);

    private final SessionLibrary library;
    private final Consumer<Found> listener;
    private final Job job;
    private final FolderWatch watch;
    private Optional<Found> told = Optional.empty();
    private volatile boolean paused;
    private volatile boolean closed;

    /**
     * What is in a folder.
     *
     * @param folder   which
     * @param sessions by name
     * @param problem  one sentence if it can't be read; else empty
     */
    record Found(Path folder, List<SessionSummary> sessions, String problem) {
    }

    FolderScan(Path folder, Consumer<Found> listener) {
        this.listener = listener;
        library = new SessionLibrary(folder);
        job = Job.create("Read the sessions in " + folder, this::scan);
        job.setSystem(true);
        job.setPriority(Job.SHORT);
        Job first = Job.create("Read the sessions in " + folder, monitor -> {
            new Sweep(folder).run();
            return scan(monitor);
        });
        first.schedule();
        watch = new FolderWatch(library.folder(), ROUND, this::scanSoon);
    }

    /** Purges sessions that were deleted long ago; once, before the folder is first read. */
    private record Sweep(Path folder) implements Runnable {
        @Override
        public void run() {
            try {
                Trash.of(folder).purge();
            } catch (SessionException e) {
                org.eclipse.core.runtime.ILog.of(FolderScan.class).warn(e.getMessage());
            }
        }
    }

    /** A job that is asked for while it runs runs once more. */
    void scanSoon() {
        if (!paused && !closed) {
            job.schedule();
        }
    }

    /** Nobody looks: nothing is read until someone does. */
    void setPaused(boolean value) {
        boolean wasPaused = paused;
        paused = value;
        if (wasPaused && !value) {
            scanSoon();
        }
    }

    private synchronized IStatus scan(IProgressMonitor monitor) {
        monitor.beginTask("Reading", IProgressMonitor.UNKNOWN);
        Found found;
        try {
            found = new Found(library.folder(), library.scan(count -> {
                if (monitor.isCanceled() || closed) {
                    throw new CancellationException();
                }
                monitor.subTask(SafeText.line(count + " sessions"));
            }), "");
        } catch (CancellationException | OperationCanceledException e) {
            return Status.CANCEL_STATUS;
        } catch (SessionException e) {
            found = new Found(library.folder(), List.of(), e.getMessage());
        }
        if (!closed && !told.equals(Optional.of(found))) {
            told = Optional.of(found);
            listener.accept(found);
        }
        return Status.OK_STATUS;
    }

    @Override
    public void close() {
        closed = true;
        watch.close();
        job.cancel();
    }
}
