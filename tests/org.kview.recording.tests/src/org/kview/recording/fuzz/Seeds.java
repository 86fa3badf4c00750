// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Plays hostile hosts beside each other. {@code KVIEW_FUZZ_SEED} names the first one. */
final class Seeds {
    /** Each waits more than it works. */
    private static final int AT_ONCE = 256;

    private Seeds() {
    }

    /** A host. */
    interface Host {
        /** @return whether there was something to tell of it */
        boolean play(long seed) throws Exception;
    }

    /** @return of how many there was something to tell; none of them may fail */
    static int play(int hosts, Host host) throws InterruptedException {
        long first = Optional.ofNullable(System.getenv("KVIEW_FUZZ_SEED")).map(Long::parseLong).orElse(1L);
        AtomicInteger told = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Semaphore atOnce = new Semaphore(AT_ONCE);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long seed = first; seed < first + hosts; seed++) {
                long own = seed;
                atOnce.acquire();
                threads.execute(() -> {
                    try {
                        told.addAndGet(host.play(own) ? 1 : 0);
                    } catch (Throwable e) {
                        failures.add(new AssertionError("KVIEW_FUZZ_SEED=" + own + " shows: " + e, e));
                    } finally {
                        atOnce.release();
                    }
                });
            }
        }
        assertThat(failures).isEmpty();
        return told.get();
    }
}
