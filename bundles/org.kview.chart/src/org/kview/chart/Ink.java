// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import org.kview.model.Metric;

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

    static Ink of(Metric metric) {
        return new OfMetric(metric, 1);
    }

    /** @param rgb 0xRRGGBB */
    record Fixed(int rgb, double opacity) implements Ink {
    }

    /** A metric's colour: the standard one, but where a user has chosen another for what is on the screen. */
    record OfMetric(Metric metric, double opacity) implements Ink {
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
