// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;

/**
 * A logarithmic axis of time.
 *
 * @param minNanos at its left end, more than 0
 * @param maxNanos at its right end, more than {@code minNanos}
 */
public record LogAxis(double minNanos, double maxNanos) {
    /** What is counted as 0 ns took less than 1 ns; it is drawn from here. */
    public static final double LEAST_NANOS = 0.5;

    private static final String[] UNITS = {"ns", "µs", "ms", "s"};
    private static final int[] STEPS = {1, 2, 5};
    /** With less on the axis there would be no two labels to tell its scale by. */
    private static final double LEAST_SPAN = 8;

    /**
     * A mark on the axis.
     *
     * @param nanos  where
     * @param label  "20 µs"
     * @param decade whether it is a power of ten
     */
    public record Tick(double nanos, String label, boolean decade) {
    }

    public LogAxis {
        if (!(minNanos > 0 && maxNanos > minNanos)) {
            throw new IllegalArgumentException("No axis from " + minNanos + " to " + maxNanos + " ns");
        }
    }

    /** An axis on which the given values stand, with some room on both sides. */
    public static LogAxis around(double lowNanos, double highNanos) {
        double low = Math.max(LEAST_NANOS, lowNanos);
        double high = Math.max(low * 1.01, highNanos);
        double margin = Math.max(Math.pow(high / low, 0.04), Math.sqrt(LEAST_SPAN / (high / low)));
        return new LogAxis(Math.max(LEAST_NANOS, low / margin), high * margin);
    }

    /** Where a time stands: 0 at the left end, 1 at the right one; beyond them for times beyond. */
    public double position(double nanos) {
        return Math.log(Math.max(LEAST_NANOS, nanos) / minNanos) / Math.log(maxNanos / minNanos);
    }

    /** The time that stands at a position. */
    public double nanosAt(double position) {
        return minNanos * Math.pow(maxNanos / minNanos, position);
    }

    /** The marks at 1, 2 and 5 of every decade, ascending. */
    public List<Tick> ticks() {
        List<Tick> ticks = new ArrayList<>();
        for (int decade = 0; Math.pow(10, decade) <= maxNanos; decade++) {
            for (int step : STEPS) {
                double nanos = step * Math.pow(10, decade);
                if (nanos >= minNanos && nanos <= maxNanos) {
                    ticks.add(new Tick(nanos, label(step, decade), step == 1));
                }
            }
        }
        return ticks;
    }

    private static String label(int step, int decade) {
        int unit = Math.min(decade / 3, UNITS.length - 1);
        return step * Math.round(Math.pow(10, decade - 3 * unit)) + " " + UNITS[unit];
    }
}
