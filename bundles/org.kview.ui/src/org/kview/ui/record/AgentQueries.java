/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.eclipse.swt.widgets.Display;
import org.kview.target.Agent;
import org.kview.target.Target;
import org.kview.target.TargetException;

/**
 * Asks a target's agent on behalf of a wizard: never on the UI thread, answers always on it. The
 * agent is connected by the first question and disconnected by {@link #close()}.
 */
final class AgentQueries implements AutoCloseable {
    private final Target target;
    private final Display display;
    private final Object connecting = new Object();
    private Optional<Agent> agent = Optional.empty();
    private volatile boolean closed;

    /** A question that blocks. */
    interface Question<T> {
        T ask(Agent agent) throws TargetException, InterruptedException;
    }

    AgentQueries(Target target, Display display) {
        this.target = target;
        this.display = display;
    }

    /** A line of questions of which only the latest matters: answers to older ones are dropped. */
    final class Line {
        private final AtomicInteger latest = new AtomicInteger();

        /** @param failed hears one sentence for the user */
        <T> void ask(Question<T> question, Consumer<T> answered, Consumer<TargetException> failed) {
            int number = latest.incrementAndGet();
            Thread.ofVirtual().name("kview-wizard-query").start(() -> {
                try {
                    T answer = question.ask(connected());
                    answer(number, () -> answered.accept(answer));
                } catch (TargetException e) {
                    answer(number, () -> failed.accept(e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        private void answer(int number, Runnable work) {
            if (!display.isDisposed()) {
                display.asyncExec(() -> {
                    if (!closed && number == latest.get()) {
                        work.run();
                    }
                });
            }
        }
    }

    private Agent connected() throws TargetException, InterruptedException {
        synchronized (connecting) {
            if (agent.isEmpty()) {
                Agent fresh = target.connect();
                if (closed) {
                    fresh.close();
                    throw new TargetException(TargetException.Kind.CONNECTION_LOST, "The wizard was closed.");
                }
                agent = Optional.of(fresh);
            }
            return agent.get();
        }
    }

    /** Disconnects, in the background: an agent may take a moment to end. */
    @Override
    public void close() {
        closed = true;
        Thread.ofVirtual().name("kview-wizard-close").start(() -> {
            synchronized (connecting) {
                agent.ifPresent(Agent::close);
                agent = Optional.empty();
            }
        });
    }
}
