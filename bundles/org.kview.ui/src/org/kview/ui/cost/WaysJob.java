// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.ComparedWays;
import org.kview.model.SafeText;
import org.kview.recording.WaysComparison;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;

/** Compares what the ways to record cost on a host. Once cancelled, it waits for no answer, tries nothing more, and has found nothing. */
final class WaysJob extends Job {
    private static final int STEPS = 1000;

    /**
     * What to compare, and where.
     *
     * @param post whether to filter afterwards as well, which all processes of the host pay for
     */
    record Question(TargetConnection target, boolean post) {
        /** Within a sentence. */
        String host() {
            return target.origin() == TargetConnection.Origin.LOCAL ? "this machine" : target.name();
        }

        private Set<ComparedWays.Kind> kinds() {
            Set<ComparedWays.Kind> kinds = EnumSet.allOf(ComparedWays.Kind.class);
            if (!post) {
                kinds.removeIf(ComparedWays.Kind::isForComparisonOnly);
            }
            return kinds;
        }
    }

    private final Question question;
    private volatile Optional<ComparedWays> found = Optional.empty();
    private Optional<Thread> waiting = Optional.empty();

    WaysJob(Question question) {
        super(SafeText.line("Compare ways to record on " + question.host()));
        this.question = question;
        setUser(true);
    }

    Question question() {
        return question;
    }

    /** Empty unless it ended well. */
    Optional<ComparedWays> found() {
        return found;
    }

    /** @return OK, CANCEL, or a warning whose message is for the user */
    @Override
    protected IStatus run(IProgressMonitor monitor) {
        monitor.beginTask("Connecting", STEPS);
        try {
            Agent agent = question.target().connect();
            waits(Optional.of(Thread.currentThread()));
            if (monitor.isCanceled()) {
                return Status.CANCEL_STATUS;
            }
            int[] worked = {0};
            found = WaysComparison.run(agent, question.target().name(), question.kinds(), (kind, done, trials) -> {
                monitor.subTask(SafeText.line(kind.label()));
                int now = (int) ((long) STEPS * done / trials);
                monitor.worked(Math.max(0, now - worked[0]));
                worked[0] = Math.max(now, worked[0]);
                return !monitor.isCanceled();
            });
            return found.isPresent() ? Status.OK_STATUS : Status.CANCEL_STATUS;
        } catch (TargetException e) {
            return monitor.isCanceled() ? Status.CANCEL_STATUS
                    : new Status(IStatus.WARNING, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
        } catch (InterruptedException e) {
            return Status.CANCEL_STATUS;
        } finally {
            waits(Optional.empty());
            // Its thread runs other jobs.
            Thread.interrupted();
            monitor.done();
        }
    }

    private synchronized void waits(Optional<Thread> thread) {
        waiting = thread;
    }

    /** The host may be silent. */
    @Override
    protected synchronized void canceling() {
        waiting.ifPresent(Thread::interrupt);
    }
}
