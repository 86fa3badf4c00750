// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Duration;
import java.util.function.BooleanSupplier;

import org.kview.targets.values.TargetException;

/**
 * Asks the agent at intervals whether it is there, and judges its silence. While the agent works on a
 * request its silence means nothing; then only the transport can notice the link's end.
 */
final class Heartbeat implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(200);
    /** So many pings are sent at the beginning, one each tick, because a single one may be slow by chance. */
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
                // If this thread did not run for a long time, the reading thread probably did not either.
                judge(now, now - lookedNanos > 5 * TICK.toNanos());
                lookedNanos = now;
                Thread.sleep(TICK);
            }
        } catch (InterruptedException e) {
            // The link has ended.
        } catch (RuntimeException | Error e) {
            // Without this thread nobody would notice that the link is lost.
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
