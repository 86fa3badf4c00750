// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.kview.targets.values.TargetException;

/**
 * Asks the agent in turn whether it is there, and judges its silence. While the agent works on a
 * request its silence says nothing; what carries the link then has to see its end.
 */
final class Heartbeat implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(200);
    /** At the beginning, one a tick: the first one alone may have been slow by chance. */
    private static final int FIRST_PINGS = 5;

    private final LinkOptions options;
    private final Link link;
    private final BooleanSupplier isAgentBusy;
    private final Thread thread;

    Heartbeat(LinkOptions options, Link link, BooleanSupplier isAgentBusy) {
        this.options = options;
        this.link = link;
        this.isAgentBusy = isAgentBusy;
        this.thread = Thread.ofVirtual().name("kview-agent-heartbeat").start(this::run);
    }

    private void run() {
        long lookedNanos = System.nanoTime();
        long pingedNanos = lookedNanos - options.keepAlive().toNanos();
        try {
            while (true) {
                long now = System.nanoTime();
                if (now - pingedNanos >= options.keepAlive().toNanos() || link.clock().pings() < FIRST_PINGS) {
                    pingedNanos = now;
                    link.ping();
                }
                link.acknowledge();
                // Where this thread was not run for long, nor was the one that reads.
                judge(now, now - lookedNanos > 5 * TICK.toNanos());
                lookedNanos = now;
                Thread.sleep(TICK);
            }
        } catch (InterruptedException e) {
            // The link's end.
        } catch (RuntimeException | Error e) {
            // Nobody would see the link's loss any more.
            link.gone(TargetException.mistake(e));
        }
    }

    private void judge(long now, boolean hasSlept) {
        if (options.lostAfter().isEmpty()) {
            return;
        }
        if (hasSlept || isAgentBusy.getAsBoolean()) {
            link.excuseSilence();
            return;
        }
        long lostAfter = options.lostAfter().get().toNanos();
        long silence = now - link.heardNanos();
        if (silence > lostAfter) {
            link.silent(Duration.ofNanos(silence));
        } else {
            link.stalled(silence > lostAfter / 2);
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
