// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;

/** Keeps what was drawn, for tests to look at. */
final class RecordingSurface implements Surface {
    /** A text where it stands. */
    record DrawnText(String text, double left, double right, double baseline) {
    }

    /** A vertical line, such as that of a percentile. */
    record VerticalLine(double x, double top, double bottom, boolean dashed) {
    }

    /** The edge of something. */
    record Outline(Area area, Stroke stroke) {
    }

    final List<DrawnText> texts = new ArrayList<>();
    final List<Area> rectangles = new ArrayList<>();
    final List<Outline> outlines = new ArrayList<>();
    final List<List<Point>> polygons = new ArrayList<>();
    /** Beside those of curves that are filled: with the same points as these. */
    final List<List<Point>> polylines = new ArrayList<>();
    final List<VerticalLine> lines = new ArrayList<>();

    @Override
    public void fillRectangle(Area area, Ink ink) {
        rectangles.add(area);
    }

    @Override
    public void drawRectangle(Area area, Stroke stroke) {
        outlines.add(new Outline(area, stroke));
    }

    @Override
    public void drawLine(double x1, double y1, double x2, double y2, Stroke stroke) {
        if (x1 == x2) {
            lines.add(new VerticalLine(x1, Math.min(y1, y2), Math.max(y1, y2), stroke.dashed()));
        }
    }

    @Override
    public void drawPolyline(List<Point> points, Stroke stroke) {
        polylines.add(List.copyOf(points));
    }

    @Override
    public void fillPolygon(List<Point> points, Ink ink) {
        polygons.add(List.copyOf(points));
    }

    @Override
    public void drawText(String text, double x, double baseline, TextStyle style) {
        double width = textWidth(text, style);
        texts.add(new DrawnText(text, style.left(x, width), style.left(x, width) + width, baseline));
    }

    @Override
    public double textWidth(String text, TextStyle style) {
        return text.length() * style.size() * 0.6;
    }

    @Override
    public void clipped(Area area, Runnable drawing) {
        drawing.run();
    }
}
