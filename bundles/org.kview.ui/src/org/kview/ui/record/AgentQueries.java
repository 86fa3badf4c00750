// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.eclipse.swt.widgets.Display;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.targets.values.TargetException;
import org.kview.ui.UiThread;

/**
 * Asks the chosen target's agent on behalf of a wizard: never on the UI thread, answers always on it.
 * The first question connects the target, which then stays connected.
 */
final class AgentQueries implements AutoCloseable {
    private final Display display;
    private volatile TargetConnection target;
    private volatile boolean closed;

    /** A question that blocks. */
    interface Question<T> {
        T ask(Agent agent) throws TargetException, InterruptedException;
    }

    AgentQueries(TargetConnection target, Display display) {
        this.target = target;
        this.display = display;
    }

    TargetConnection target() {
        return target;
    }

    /** Asks another target from now on; what the former one still answers is dropped. */
    void setTarget(TargetConnection other) {
        giveUp(target);
        target = other;
    }

    /** A line of questions of which only the latest matters: answers to older ones are dropped. */
    final class Line {
        private final AtomicInteger latest = new AtomicInteger();

        /** @param failed hears one sentence for the user */
        <T> void ask(Question<T> question, Consumer<T> answered, Consumer<TargetException> failed) {
            int number = latest.incrementAndGet();
            TargetConnection asked = target;
            Thread.ofVirtual().name("kview-wizard-query").start(() -> {
                try {
                    T answer = question.ask(asked.connect());
                    answer(number, asked, () -> answered.accept(answer));
                } catch (TargetException e) {
                    answer(number, asked, () -> failed.accept(e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        private void answer(int number, TargetConnection asked, Runnable work) {
            UiThread.later(display, () -> {
                if (!closed && number == latest.get() && asked == target) {
                    work.run();
                }
            });
        }
    }

    /** If nobody waits for a connection any more, it must not ask the user questions. */
    private static void giveUp(TargetConnection old) {
        if (old.status().state() == TargetStatus.State.CONNECTING) {
            Thread.ofVirtual().name("kview-wizard-cancel").start(old::disconnect);
        }
    }

    @Override
    public void close() {
        closed = true;
        giveUp(target);
    }
}
