// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import org.kview.chart.Ink.Tone;

/** The colours of the tones, 0xRRGGBB, on a light or a dark ground. */
public enum ChartTheme {
    LIGHT(0xFFFFFF, 0x1F2328, 0x5F6670, 0x8C939D, 0xE6E8EB, 0xE5EDF6),
    DARK(0x1C1F24, 0xE8EAED, 0xA4ABB5, 0x7D858F, 0x32373E, 0x2A3A50);

    private final int[] rgbs;

    ChartTheme(int background, int text, int muted, int axis, int grid, int selection) {
        rgbs = new int[] {background, text, muted, axis, grid, selection};
    }

    /** The contrast between two colours, 0xRRGGBB, as the Web Content Accessibility Guidelines define it: 1 to 21. */
    public static double contrast(int one, int other) {
        double brighter = Math.max(luminance(one), luminance(other));
        double darker = Math.min(luminance(one), luminance(other));
        return (brighter + 0.05) / (darker + 0.05);
    }

    private static double luminance(int rgb) {
        return 0.2126 * linear(rgb >> 16 & 0xff) + 0.7152 * linear(rgb >> 8 & 0xff) + 0.0722 * linear(rgb & 0xff);
    }

    private static double linear(int channel) {
        double value = channel / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    public int rgb(Ink ink) {
        return switch (ink) {
            case Ink.Fixed fixed -> fixed.rgb();
            case Ink.OfMetric its -> its.metric().rgb();
            case Tone tone -> rgbs[tone.ordinal()];
        };
    }
}
