// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A linear axis of time since something began, in ns.
 *
 * @param minNanos at its left end
 * @param maxNanos at its right end, more than {@code minNanos}
 */
public record TimeAxis(long minNanos, long maxNanos) {
    private static final int NANOS_DECIMALS = 9;

    public TimeAxis {
        if (maxNanos <= minNanos) {
            throw new IllegalArgumentException("No axis from " + minNanos + " to " + maxNanos + " ns");
        }
    }

    /** Where a time stands: 0 at the left end, 1 at the right one; beyond them for times beyond. */
    public double position(double nanos) {
        return (nanos - minNanos) / ((double) maxNanos - minNanos);
    }

    /** The time that stands at a position. */
    public double nanosAt(double position) {
        return minNanos + position * ((double) maxNanos - minNanos);
    }

    /**
     * A mark on the axis.
     *
     * @param label in seconds, with as many decimals as tell neighbours apart
     */
    public record Tick(long nanos, String label) {
    }

    /** The marks, ascending, at equal distances. */
    public List<Tick> ticks(int atMost) {
        long step = Math.max(1, Math.round(LinearSteps.atLeast(((double) maxNanos - minNanos) / Math.max(1, atMost))));
        int decimals = Math.max(0, NANOS_DECIMALS - (int) Math.floor(Math.log10(step) + 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (long at = Math.ceilDiv(minNanos, step) * step; at <= maxNanos && ticks.size() <= atMost; at += step) {
            ticks.add(new Tick(at, BigDecimal.valueOf(at, NANOS_DECIMALS).setScale(decimals, RoundingMode.UNNECESSARY)
                    .toPlainString()));
        }
        return ticks;
    }
}
