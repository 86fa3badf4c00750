// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.widgets.Control;
import org.kview.chart.ChartTheme;
import org.kview.model.Metric;

/**
 * Colours for what we draw ourselves, after the theme in force. Colours of metrics are the same in
 * every theme; what surrounds them follows.
 *
 * @param background of the surrounding widget
 * @param foreground its text
 * @param dark       whether light text stands on dark ground
 */
public record Palette(RGB background, RGB foreground, boolean dark) {

    private static final double FAINTEST = 0.66;
    /** The contrast that text of this size needs, by the Web Content Accessibility Guidelines. */
    private static final double LEGIBLE = 4.5;

    /** As the style sheet has coloured this control. */
    public static Palette of(Control control) {
        return of(control.getBackground().getRGB(), control.getForeground().getRGB());
    }

    static Palette of(RGB background, RGB foreground) {
        return new Palette(background, foreground, luminance(background) < 128);
    }

    /** Text that is less important, still legible: at least 4.5 to 1 against the ground, where the theme's own text is. */
    public Color faint() {
        RGB colour = mix(foreground, background, FAINTEST);
        for (double share = FAINTEST; share < 1 && contrast(colour) < LEGIBLE; share += 0.02) {
            colour = mix(foreground, background, share);
        }
        return new Color(colour);
    }

    /** Text that warns. */
    public Color warning() {
        return dark ? new Color(0xff, 0xb8, 0x4d) : new Color(0x9a, 0x4f, 0x00);
    }

    public Color text() {
        return new Color(foreground);
    }

    public Color ground() {
        return new Color(background);
    }

    public static Color of(Metric metric) {
        return new Color(MetricColours.of(metric));
    }

    private static RGB mix(RGB one, RGB other, double share) {
        return new RGB(mix(one.red, other.red, share), mix(one.green, other.green, share),
                mix(one.blue, other.blue, share));
    }

    private static int mix(int one, int other, double share) {
        return (int) Math.round(one * share + other * (1 - share));
    }

    /** The contrast with the background, as the Web Content Accessibility Guidelines define it: 1 to 21. */
    double contrast(RGB colour) {
        return ChartTheme.contrast(rgb(colour), rgb(background));
    }

    private static int rgb(RGB colour) {
        return colour.red << 16 | colour.green << 8 | colour.blue;
    }

    private static double luminance(RGB colour) {
        return 0.2126 * colour.red + 0.7152 * colour.green + 0.0722 * colour.blue;
    }
}
