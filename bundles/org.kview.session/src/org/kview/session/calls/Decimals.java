// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

/** Exact times in ns, as decimals of longer units. */
final class Decimals {
    private Decimals() {
    }

    /** In microseconds: "41234.567". */
    static String micros(long nanos) {
        return fixed(nanos, 1_000, 3);
    }

    /** In seconds: "1.234567890". */
    static String seconds(long nanos) {
        return fixed(nanos, 1_000_000_000, 9);
    }

    private static String fixed(long nanos, long unit, int decimals) {
        // The remainder alone has no sign where the whole is 0; unsigned, the least number has its absolute value, too.
        long absolute = Math.abs(nanos);
        return (nanos < 0 ? "-" : "") + Long.divideUnsigned(absolute, unit) + "."
                + padded(Long.remainderUnsigned(absolute, unit), decimals);
    }

    /** Padded with zeros on the left. */
    static String padded(long number, int digits) {
        String text = Long.toString(number);
        return "0".repeat(digits - text.length()) + text;
    }
}
