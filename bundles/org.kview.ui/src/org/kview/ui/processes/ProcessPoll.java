// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessList;
import org.kview.targets.values.TargetException;

/** Asks a target for its processes again and again, as long as somebody looks. */
final class ProcessPoll extends Job {
    private final BiConsumer<TargetConnection, ProcessList> answered;
    private final Consumer<String> failed;
    private volatile Optional<TargetConnection> target = Optional.empty();
    private volatile int intervalMillis = 2000;
    private volatile boolean paused;

    /**
     * @param answered hears on the job's thread
     * @param failed   hears one sentence on the job's thread; the next try comes by itself
     */
    ProcessPoll(BiConsumer<TargetConnection, ProcessList> answered, Consumer<String> failed) {
        super("List processes");
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

    void setIntervalMillis(int millis) {
        intervalMillis = millis;
        now();
    }

    int intervalMillis() {
        return intervalMillis;
    }

    void setPaused(boolean wanted) {
        paused = wanted;
        if (!wanted) {
            now();
        }
    }

    boolean isPaused() {
        return paused;
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
        if (agent.isPresent()) {
            try {
                answered.accept(asked.get(), agent.get().processList());
            } catch (TargetException e) {
                failed.accept(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Status.CANCEL_STATUS;
            }
        }
        if (asked.isPresent() && asked.equals(target) && !paused) {
            schedule(intervalMillis);
        }
        return Status.OK_STATUS;
    }
}
