// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    private static final int LINEAR_TICKS = 8;
    /** Below it 1, 2 and 5 are as good. */
    private static final double LEAST_LINEAR = 5;
    /** A few buckets of a histogram. */
    private static final double LEAST_PART = 1.25;

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

    /** A part of an axis, no smaller than can be looked at: around the same middle then. */
    public LogAxis part(double lowNanos, double highNanos) {
        double low = Math.clamp(lowNanos, minNanos, maxNanos);
        double high = Math.clamp(highNanos, low, maxNanos);
        if (high / low >= LEAST_PART) {
            return new LogAxis(low, high);
        }
        double half = Math.sqrt(Math.min(LEAST_PART, maxNanos / minNanos));
        double middle = Math.clamp(Math.sqrt(low * high), minNanos * half, maxNanos / half);
        return new LogAxis(Math.max(minNanos, middle / half), Math.min(maxNanos, middle * half));
    }

    /**
     * A part of the whole axis in which the times at a position stay where they are, as far as there is room.
     *
     * @param factor below 1: fewer times than on this one; above: more of them
     */
    public LogAxis zoomed(double position, double factor, LogAxis whole) {
        double span = Math.log(maxNanos / minNanos);
        double wanted = Math.min(span * factor, Math.log(whole.maxNanos / whole.minNanos));
        return whole.placed(Math.log(nanosAt(position)) - position * wanted, wanted);
    }

    /** The neighbouring part of the whole axis, by a fraction of this one's width; less than 0 is to the left. */
    public LogAxis moved(double fraction, LogAxis whole) {
        double span = Math.log(maxNanos / minNanos);
        return whole.placed(Math.log(minNanos) + fraction * span, span);
    }

    private LogAxis placed(double logLow, double logSpan) {
        double low = Math.clamp(logLow, Math.log(minNanos), Math.max(Math.log(minNanos), Math.log(maxNanos) - logSpan));
        return part(Math.exp(low), Math.exp(low + logSpan));
    }

    /** The marks, ascending: at 1, 2 and 5 of every decade, and on a short axis at equal distances. */
    public List<Tick> ticks() {
        if (maxNanos / minNanos < LEAST_SPAN * 0.99 && minNanos >= LEAST_LINEAR && maxNanos - minNanos >= 2) {
            return linearTicks();
        }
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

    private List<Tick> linearTicks() {
        double step = LinearSteps.atLeast(Math.max(1, (maxNanos - minNanos) / LINEAR_TICKS));
        int unit = 0;
        while (unit < UNITS.length - 1 && maxNanos >= Math.pow(1000, unit + 1)) {
            unit++;
        }
        double scale = Math.pow(1000, unit);
        int decimals = (int) Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (long i = (long) Math.ceil(minNanos / step); i * step <= maxNanos; i++) {
            ticks.add(new Tick(i * step, String.format(Locale.ROOT, "%." + decimals + "f %s", i * step / scale, UNITS[unit]), false));
        }
        return ticks;
    }

    private static String label(int step, int decade) {
        int unit = Math.min(decade / 3, UNITS.length - 1);
        return step * Math.round(Math.pow(10, decade - 3 * unit)) + " " + UNITS[unit];
    }
}
