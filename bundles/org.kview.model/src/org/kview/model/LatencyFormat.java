// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Locale;

/**
 * Times, counts and shares for people. Independent of the locale, so that reports can be compared
 * and pasted.
 */
public final class LatencyFormat {
    private static final String[] UNITS = {"ns", "µs", "ms", "s"};
    private static final long[] POWERS_OF_TEN = {1, 10, 100};
    /** Up to here a value times a power of ten is exact to less than {@link #NEAR_HALF}. */
    private static final double MOST_EXACT = 1e9;
    private static final double NEAR_HALF = 1e-3;
    private static final int GROUP = 3;

    private LatencyFormat() {
    }

    /** A time in ns: three significant digits and the unit that fits, "1.93 ms". */
    public static String nanos(double nanos) {
        int unit = unitOf(nanos);
        double value = nanos / scale(unit);
        return fixed(value, unit == 0 ? 0 : decimals(value)) + " " + UNITS[unit];
    }

    /** The same with all of its digits behind it, where these are more: "1.93 ms = 1,931,204 ns". */
    public static String exactly(long nanos) {
        return nanos(nanos) + (unitOf(nanos) == 0 ? "" : " = " + count(nanos) + " ns");
    }

    /** The times {@code low <= t < high} in ns, both in one unit: "1.98–2.11 ms"; "17 ns" if there is only one. */
    public static String range(double lowNanos, double highNanos) {
        if (highNanos - lowNanos <= 1) {
            return nanos(lowNanos);
        }
        int unit = unitOf(highNanos);
        double low = lowNanos / scale(unit);
        int decimals = unit == 0 ? 0 : decimals(low);
        return fixed(low, decimals) + "–" + fixed(highNanos / scale(unit), decimals) + " " + UNITS[unit];
    }

    /** A count with separated thousands: "18,204". */
    public static String count(long count) {
        StringBuilder text = new StringBuilder(Long.toString(count));
        int first = count < 0 ? 1 : 0;
        for (int at = text.length() - GROUP; at > first; at -= GROUP) {
            text.insert(at, ',');
        }
        return text.toString();
    }

    /** A share between 0 and 1 as a whole percentage; "<1 %" if it is small but not 0. */
    public static String percent(double share) {
        return share > 0 && share < 0.005 ? "<1 %" : fixed(share * 100, 0) + " %";
    }

    private static int unitOf(double nanos) {
        double value = Math.abs(nanos);
        int unit = 0;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        return unit;
    }

    private static double scale(int unit) {
        return Math.pow(1000, unit);
    }

    /** The number of decimals that gives three significant digits. */
    private static int decimals(double value) {
        return Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
    }

    /**
     * A number with so many decimals, as {@link String#format} rounds it: half up, of the shortest decimal number that stands
     * for the value. A report has thousands of them, and that method takes some ten times as long.
     *
     * @param decimals 0 to 2
     */
    public static String fixed(double value, int decimals) {
        double scaled = Math.abs(value) * POWERS_OF_TEN[decimals];
        long below = (long) scaled;
        double rest = scaled - below;
        if (!(scaled < MOST_EXACT) || Math.abs(rest - 0.5) < NEAR_HALF) {
            return String.format(Locale.ROOT, "%." + decimals + "f", value);
        }
        long rounded = rest > 0.5 ? below + 1 : below;
        StringBuilder text = new StringBuilder().append(rounded);
        if (decimals > 0) {
            while (text.length() <= decimals) {
                text.insert(0, '0');
            }
            text.insert(text.length() - decimals, '.');
        }
        // Also of what is rounded to 0, and of -0.0.
        return Double.compare(value, 0.0) < 0 ? text.insert(0, '-').toString() : text.toString();
    }
}
