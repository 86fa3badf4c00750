// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/**
 * A rectangle on a surface, in pixels; y grows downwards.
 *
 * @param x      of its left edge
 * @param y      of its upper edge
 * @param width  0 or more
 * @param height 0 or more
 */
public record Area(double x, double y, double width, double height) {
    public Area {
        width = Math.max(0, width);
        height = Math.max(0, height);
    }

    public double right() {
        return x + width;
    }

    public double bottom() {
        return y + height;
    }

    /** Without margins; empty where these take everything. */
    public Area inset(double left, double top, double right, double bottom) {
        return new Area(x + left, y + top, width - left - right, height - top - bottom);
    }

    public boolean contains(double pointX, double pointY) {
        return pointX >= x && pointX < right() && pointY >= y && pointY < bottom();
    }
}
