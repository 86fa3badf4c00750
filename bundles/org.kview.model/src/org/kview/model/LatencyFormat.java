/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.Locale;

/** Times for people: three significant digits and the unit that fits, "1.93 ms". */
public final class LatencyFormat {
    private static final String[] UNITS = {"ns", "µs", "ms", "s"};

    private LatencyFormat() {
    }

    /** A time in ns; independent of the locale, so that reports can be compared and pasted. */
    public static String nanos(double nanos) {
        double value = nanos;
        int unit = 0;
        while (Math.abs(value) >= 999.5 && unit < UNITS.length - 1) {
            value /= 1000;
            unit++;
        }
        String pattern = unit == 0 || Math.abs(value) >= 99.95 ? "%.0f %s"
                : Math.abs(value) >= 9.995 ? "%.1f %s" : "%.2f %s";
        return String.format(Locale.ROOT, pattern, value, UNITS[unit]);
    }

    /** A share between 0 and 1 as a whole percentage; "<1 %" where it is not quite nothing. */
    public static String percent(double share) {
        return share > 0 && share < 0.005 ? "<1 %" : String.format(Locale.ROOT, "%.0f %%", share * 100);
    }
}
