// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.part;

import java.util.Optional;
import java.util.function.BiConsumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.SafeText;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.TargetException;

/**
 * Asks a target the same again and again, as long as it is connected and somebody looks.
 *
 * @param <T> what it answers
 */
public final class TargetPoll<T> extends Job {

    /** What is asked. */
    @FunctionalInterface
    public interface Question<T> {
        T ask(Agent agent) throws TargetException, InterruptedException;
    }

    private final Question<T> question;
    private final BiConsumer<TargetConnection, T> answered;
    private final BiConsumer<TargetConnection, TargetException> failed;
    private volatile Optional<TargetConnection> target = Optional.empty();
    private volatile int intervalMillis;
    private volatile boolean looked = true;
    private volatile boolean paused;

    /**
     * @param name     what it does, as a command
     * @param answered hears on the job's thread
     * @param failed   hears on the job's thread; the next try comes by itself
     */
    TargetPoll(String name, Question<T> question, int intervalMillis, BiConsumer<TargetConnection, T> answered,
            BiConsumer<TargetConnection, TargetException> failed) {
        super(SafeText.line(name));
        setSystem(true);
        this.question = question;
        this.intervalMillis = intervalMillis;
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

    public void setPaused(boolean wanted) {
        paused = wanted;
        if (!wanted) {
            now();
        }
    }

    public void setIntervalMillis(int millis) {
        intervalMillis = millis;
        now();
    }

    public int intervalMillis() {
        return intervalMillis;
    }

    /** Asks once, also while paused. */
    public void now() {
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
                answered.accept(asked.get(), question.ask(agent.get()));
            } catch (TargetException e) {
                failed.accept(asked.get(), e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Status.CANCEL_STATUS;
            }
        }
        if (asked.isPresent() && asked.equals(target) && looked && !paused) {
            schedule(intervalMillis);
        }
        return Status.OK_STATUS;
    }
}
