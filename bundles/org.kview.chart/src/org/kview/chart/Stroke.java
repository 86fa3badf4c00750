// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/**
 * How a line is drawn.
 *
 * @param ink    its colour
 * @param width  in pixels
 * @param dashed short dashes instead of a solid line
 */
public record Stroke(Ink ink, double width, boolean dashed) {
    public static Stroke solid(Ink ink, double width) {
        return new Stroke(ink, width, false);
    }

    public static Stroke dashed(Ink ink, double width) {
        return new Stroke(ink, width, true);
    }
}
