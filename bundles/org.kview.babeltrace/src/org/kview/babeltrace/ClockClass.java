// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

/**
 * A trace's clock.
 *
 * @param name              may be empty
 * @param frequency         cycles a second
 * @param offsetSeconds     what is to be added to its values, for the time from the origin
 * @param offsetCycles      and cycles of that
 * @param originIsUnixEpoch whether times from the origin are those since 1970
 */
public record ClockClass(String name, long frequency, long offsetSeconds, long offsetCycles, boolean originIsUnixEpoch) {
    private static final long NANOS = 1_000_000_000;

    /** Whether its cycles are ns that only need something added. */
    boolean countsNanos() {
        return frequency == NANOS && Math.abs(offsetSeconds) < Long.MAX_VALUE / NANOS / 2 && offsetCycles >= 0
                && offsetCycles < NANOS;
    }

    /** The origin's distance, where it {@link #countsNanos}. */
    long offsetNanos() {
        return offsetSeconds * NANOS + offsetCycles;
    }
}
