// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/**
 * Estimates of text widths where no font can be asked: a report may be written on a host without any font, and is read
 * with another one. The estimates are those of a wide sans-serif font, so that texts which do not overlap by them do
 * not overlap in another font either.
 */
final class TextWidths {
    private static final String NARROW = "iljtfrI.,:;'|!()[] ";
    private static final String WIDE = "mwMW%@";

    private TextWidths() {
    }

    static double estimate(String text, TextStyle style) {
        double ems = text.codePoints().mapToDouble(TextWidths::ems).sum();
        return ems * style.size() * (style.bold() ? 1.1 : 1);
    }

    private static double ems(int c) {
        if (NARROW.indexOf(c) >= 0) {
            return 0.36;
        }
        if (WIDE.indexOf(c) >= 0) {
            return 0.95;
        }
        // Beyond the alphabets of Europe and the Near East most letters fill a square.
        return c >= 0x1100 && !Character.isAlphabetic(c) || Character.isIdeographic(c) ? 1
                : Character.isUpperCase(c) ? 0.7 : 0.62;
    }
}
