// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.List;

/**
 * What charts are drawn on: a screen, an image, an SVG text. Coordinates are pixels, y grows
 * downwards. Inks are turned into colours by the surface, which knows its theme.
 */
public interface Surface {

    /** A point, in pixels. */
    record Point(double x, double y) {
    }

    void fillRectangle(Area area, Ink ink);

    /** The outline, its line centred on the area's edges. */
    void drawRectangle(Area area, Stroke stroke);

    void drawLine(double x1, double y1, double x2, double y2, Stroke stroke);

    /** A line through points, not closed. */
    void drawPolyline(List<Point> points, Stroke stroke);

    void fillPolygon(List<Point> points, Ink ink);

    /**
     * A single line of text.
     *
     * @param x        of the point that {@link TextStyle#anchor()} names
     * @param baseline y of the letters' feet
     */
    void drawText(String text, double x, double baseline, TextStyle style);

    /** The width of a text in pixels; an estimate where the font is not known. */
    double textWidth(String text, TextStyle style);

    /** Runs the drawing with everything outside the area cut off. */
    void clipped(Area area, Runnable drawing);

    /** A text that shows when the pointer rests within the area, where the surface can do that. */
    default void tooltip(Area area, String text) {
    }
}
