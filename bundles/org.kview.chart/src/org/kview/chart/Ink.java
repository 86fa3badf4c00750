// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/**
 * What something is drawn with: a colour that means the same everywhere, or one that follows the
 * theme.
 */
public sealed interface Ink {

    /** 0, invisible, to 1. */
    double opacity();

    static Ink of(int rgb) {
        return new Fixed(rgb, 1);
    }

    static Ink of(int rgb, double opacity) {
        return new Fixed(rgb, opacity);
    }

    /** @param rgb 0xRRGGBB */
    record Fixed(int rgb, double opacity) implements Ink {
    }

    /** Tones of which each {@link ChartTheme} has its own. */
    enum Tone implements Ink {
        BACKGROUND,
        /** What is to be read. */
        TEXT,
        /** What explains: labels of axes, notes. */
        MUTED,
        AXIS,
        GRID,
        /** What a user has selected. */
        SELECTION;

        @Override
        public double opacity() {
            return 1;
        }
    }
}
