// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.time.Duration;
import java.util.function.LongSupplier;

/** Says when a checkpoint is written: seldom enough to leave the disk to the measured program. Not safe for use by several threads. */
final class CheckpointPace {
    /** Less than an agent's usual interval of 500 ms, so that each interval is followed by a checkpoint. */
    private static final Duration CHECKPOINT_EVERY = Duration.ofMillis(400);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** Between two lines of the log. With the interval in which it comes up, figures are at most LONGEST_PAUSE old. */
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(4);
    /** The pause after a checkpoint is at least so many times what writing it took, up to LONGEST_PAUSE. */
    private static final long PAUSE_TIMES = 20;
    /** Limits the writing of session.json, which is written in full each time, to 1 MB a second. */
    private static final long PAUSE_NANOS_PER_BYTE = 1000;

    private final LongSupplier nanoTime;
    private long lastNanos;
    private long pauseNanos = CHECKPOINT_EVERY.toNanos();

    /** @param nanoTime as {@link System#nanoTime} */
    CheckpointPace(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        lastNanos = nanoTime.getAsLong();
    }

    long now() {
        return nanoTime.getAsLong();
    }

    /** Whether one is written together with a line of the log, rather than later. */
    boolean isDue(long lineNanos) {
        return now() - lastNanos + Math.min(lineNanos, BETWEEN_LINES.toNanos()) >= pauseNanos;
    }

    /** Whether one is written although the next line of the log is not. */
    boolean isDueBetweenLines() {
        return now() - lastNanos >= Math.max(pauseNanos, BETWEEN_LINES.toNanos());
    }

    /** One was written. The pause grows with the time that it took, because the measured program may need the disk itself. */
    void written(long beganNanos, long bytes) {
        lastNanos = now();
        pauseNanos = Math.clamp(Math.max(PAUSE_TIMES * (lastNanos - beganNanos), PAUSE_NANOS_PER_BYTE * bytes),
                CHECKPOINT_EVERY.toNanos(), LONGEST_PAUSE.toNanos());
    }
}
