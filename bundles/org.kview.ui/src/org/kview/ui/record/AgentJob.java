// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;

/** A trial or a survey as a job: one after the other. What it found until it is cancelled is dropped. */
abstract class AgentJob<R> extends Job {
    private volatile Optional<R> found = Optional.empty();

    AgentJob(String name) {
        super(name);
        setUser(false);
        setPriority(SHORT);
        setRule(TrialRule.INSTANCE);
    }

    /** Empty unless it ended well. */
    final Optional<R> found() {
        return found;
    }

    /**
     * Asks the agent, and waits for its answer.
     *
     * @param monitor not begun; what is found after it was cancelled is not taken
     */
    abstract Optional<R> ask(IProgressMonitor monitor) throws TargetException, InterruptedException;

    /** @return OK, CANCEL, or a warning whose message is for the user */
    @Override
    protected final IStatus run(IProgressMonitor monitor) {
        try {
            Optional<R> answer = ask(monitor);
            if (monitor.isCanceled()) {
                return Status.CANCEL_STATUS;
            }
            found = answer;
            return Status.OK_STATUS;
        } catch (TargetException e) {
            return monitor.isCanceled() ? Status.CANCEL_STATUS
                    : new Status(IStatus.WARNING, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            monitor.done();
        }
    }
}
