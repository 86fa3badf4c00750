// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a process's CPU time its probes may take.
 *
 * @param ppm in millionths; 0: no limit
 */
public record Budget(int ppm) {
    public static final Budget NONE = new Budget(0);
    public static final Budget DEFAULT = new Budget(50_000);
    private static final int WHOLE = 1_000_000;
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,4})?) ?%?");

    public Budget {
        if (ppm < 0 || ppm > WHOLE) {
            throw new IllegalArgumentException("No share of a CPU time: " + ppm + " millionths");
        }
    }

    /** Parses "5%", "0.5" or "none"; empty for any other text, for 0 and for more than 100 %. */
    public static Optional<Budget> parse(String text) {
        if (text.strip().equalsIgnoreCase("none")) {
            return Optional.of(NONE);
        }
        Matcher percent = PERCENT.matcher(text.strip());
        if (!percent.matches()) {
            return Optional.empty();
        }
        long ppm = Math.round(Double.parseDouble(percent.group(1)) * WHOLE / 100);
        return ppm < 1 || ppm > WHOLE ? Optional.empty() : Optional.of(new Budget((int) ppm));
    }

    public boolean isLimited() {
        return ppm > 0;
    }

    /** As a share, 0 to 1. */
    public double share() {
        return (double) ppm / WHOLE;
    }

    /** In the form that {@link #parse} accepts. */
    @Override
    public String toString() {
        return isLimited() ? number() + "%" : "none";
    }

    /** For people: "5 %", "none". */
    public String text() {
        return isLimited() ? number() + " %" : "none";
    }

    private String number() {
        return String.format(Locale.ROOT, "%.4f", share() * 100).replaceFirst("\\.?0+$", "");
    }
}
