// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Limits the time that a host may take, but not the user's: the clock stands still while a question is open.
 */
final class Patience extends PassingPrompter {
    private static final Duration STEP = Duration.ofMillis(200);

    private final Duration limit;
    private int open;
    private long sinceNanos = System.nanoTime();

    /** @param limit for what the host does by itself between two questions */
    Patience(SshPrompter user, Duration limit) {
        super(user);
        this.limit = limit;
    }

    private <T> T asking(Supplier<T> question) {
        synchronized (this) {
            open++;
        }
        try {
            return question.get();
        } finally {
            synchronized (this) {
                open--;
                sinceNanos = System.nanoTime();
            }
        }
    }

    private synchronized boolean isOver() {
        return open == 0 && System.nanoTime() - sinceNanos > limit.toNanos();
    }

    /** One step of waiting for something. */
    interface Step {
        /** @return whether it has happened */
        boolean await(Duration step) throws IOException;
    }

    /** @throws IOException if the host takes too long */
    void await(Step step) throws IOException {
        while (!step.await(STEP)) {
            if (isOver()) {
                throw new IOException("it did not answer within " + limit.toSeconds() + " s");
            }
        }
    }

    @Override
    public HostKeyAnswer confirm(UnknownHostKey key) {
        return asking(() -> user.confirm(key));
    }

    @Override
    public Optional<List<String>> ask(Question question) {
        return asking(() -> user.ask(question));
    }
}
