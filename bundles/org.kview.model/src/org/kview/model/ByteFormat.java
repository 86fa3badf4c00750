// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Locale;

/** Amounts of memory, for people. */
public final class ByteFormat {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private ByteFormat() {
    }

    /** "512 B", "4 KiB", "2.3 MiB": three digits, in powers of 1,024. */
    public static String bytes(long bytes) {
        double value = bytes;
        int unit = 0;
        // What is shown as 1,024 is one of the next unit.
        while (value >= 1023.5 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        boolean tenths = unit > 0 && value < 99.95 && Math.abs(value - Math.rint(value)) >= 0.05;
        return String.format(Locale.ROOT, tenths ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }
}
