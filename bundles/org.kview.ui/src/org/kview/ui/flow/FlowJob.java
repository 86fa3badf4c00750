// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.targets.Agent;
import org.kview.targets.KernelFlow;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.Flow;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;

/** Follows calls. Cancelling it ends that early: what was found until then is kept, as at the command's Ctrl-C. */
final class FlowJob extends Job {
    private static final long TICK_MILLIS = 200;
    private static final int TICKS_PER_SECOND = (int) (1000 / TICK_MILLIS);

    /** What to follow, and whose. */
    record Question(TargetConnection target, ProcessInfo process, FlowWish wish) {
        /** Within a sentence. */
        String who() {
            return process.name() + " (pid " + process.pid() + ")";
        }

        String host() {
            return target.origin() == TargetConnection.Origin.LOCAL ? "this machine" : target.name();
        }
    }

    private final Question question;
    private volatile Optional<FollowedFlow> found = Optional.empty();

    FlowJob(Question question) {
        super(SafeText.line("Follow " + question.wish().systemCall() + " in " + question.who()));
        this.question = question;
        setUser(false);
    }

    Question question() {
        return question;
    }

    /** Empty unless it ended well. */
    Optional<FollowedFlow> found() {
        return found;
    }

    /** @return OK, CANCEL where there was nothing to end yet, or a warning whose message is for the user */
    @Override
    protected IStatus run(IProgressMonitor monitor) {
        FlowWish wish = question.wish();
        monitor.beginTask(SafeText.line("Following " + wish.systemCall()), wish.seconds() * TICKS_PER_SECOND);
        try {
            Agent agent = question.target().connect();
            if (monitor.isCanceled()) {
                return Status.CANCEL_STATUS;
            }
            found = Optional.of(new FollowedFlow(question, follow(agent, monitor)));
            return Status.OK_STATUS;
        } catch (TargetException e) {
            return new Status(IStatus.WARNING, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            monitor.done();
        }
    }

    private Flow follow(Agent agent, IProgressMonitor monitor) throws TargetException, InterruptedException {
        FutureTask<Flow> flow = new FutureTask<>(() -> KernelFlow.of(agent, question.wish().of(question.process())));
        Thread asking = Thread.ofVirtual().name("kview-flow").start(flow);
        boolean ended = false;
        try {
            while (true) {
                try {
                    return flow.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException _) {
                    monitor.worked(1);
                    ended = ended || monitor.isCanceled() && end(agent);
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TargetException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            asking.interrupt();
        }
    }

    /** @return whether it is told; if not, it has not begun yet, or is over */
    private static boolean end(Agent agent) throws InterruptedException {
        try {
            KernelFlow.end(agent);
            return true;
        } catch (TargetException e) {
            // Where the link is lost, whoever waits for the calls hears of it as well.
            return e.kind() != TargetException.Kind.BAD_REQUEST;
        }
    }
}
