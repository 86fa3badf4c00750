// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.Optional;
import java.util.function.BiConsumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.targets.Agent;
import org.kview.targets.KernelViewList;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;

/** Asks a target for its kernel views each second, as long as somebody looks. */
final class ViewsPoll extends Job {
    private static final int INTERVAL_MILLIS = 1000;

    private final BiConsumer<TargetConnection, KernelViews> answered;
    private final BiConsumer<TargetConnection, TargetException> failed;
    private volatile Optional<TargetConnection> target = Optional.empty();
    private volatile boolean looked = true;
    private volatile boolean paused;

    /**
     * @param answered hears on the job's thread
     * @param failed   hears on the job's thread; the next try comes by itself
     */
    ViewsPoll(BiConsumer<TargetConnection, KernelViews> answered, BiConsumer<TargetConnection, TargetException> failed) {
        super("List kernel views");
        setSystem(true);
        this.answered = answered;
        this.failed = failed;
    }

    /** The target to be asked from now on; empty for none. */
    void setTarget(Optional<TargetConnection> next) {
        target = next;
        if (next.isPresent()) {
            now();
        }
    }

    /** Nothing is asked while nobody looks. */
    void setLooked(boolean wanted) {
        looked = wanted;
        if (wanted) {
            now();
        }
    }

    void setPaused(boolean wanted) {
        paused = wanted;
        if (!wanted) {
            now();
        }
    }

    /** Asks once, also while paused. */
    void now() {
        // It is never cancelled, because a cancelled job would not schedule itself again. If it sleeps, it is woken.
        wakeUp();
        schedule();
    }

    @Override
    protected IStatus run(IProgressMonitor monitor) {
        Optional<TargetConnection> asked = target;
        Optional<Agent> agent = asked.flatMap(TargetConnection::agent);
        if (agent.isPresent() && looked) {
            try {
                answered.accept(asked.get(), KernelViewList.of(agent.get()));
            } catch (TargetException e) {
                failed.accept(asked.get(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Status.CANCEL_STATUS;
            }
        }
        if (asked.isPresent() && asked.equals(target) && looked && !paused) {
            schedule(INTERVAL_MILLIS);
        }
        return Status.OK_STATUS;
    }
}
