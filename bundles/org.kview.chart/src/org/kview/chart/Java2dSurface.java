// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.Shape;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import java.util.List;

/** Draws on a Java2D graphics context, such as an image's. Needs no screen. */
public final class Java2dSurface implements Surface {
    private final Graphics2D graphics;
    private final ChartTheme theme;

    /** @param graphics stays the caller's, who disposes of it */
    public Java2dSurface(Graphics2D graphics, ChartTheme theme) {
        this.graphics = graphics;
        this.theme = theme;
        graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_FRACTIONALMETRICS, RenderingHints.VALUE_FRACTIONALMETRICS_ON);
        graphics.setRenderingHint(RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
    }

    @Override
    public void fillRectangle(Area area, Ink ink) {
        graphics.setColor(colour(ink));
        graphics.fill(rectangle(area));
    }

    @Override
    public void drawRectangle(Area area, Stroke stroke) {
        use(stroke);
        graphics.draw(rectangle(area));
    }

    @Override
    public void drawLine(double x1, double y1, double x2, double y2, Stroke stroke) {
        use(stroke);
        graphics.draw(new Line2D.Double(x1, y1, x2, y2));
    }

    @Override
    public void drawPolyline(List<Point> points, Stroke stroke) {
        if (points.size() > 1) {
            use(stroke);
            graphics.draw(path(points));
        }
    }

    @Override
    public void fillPolygon(List<Point> points, Ink ink) {
        if (points.size() > 2) {
            graphics.setColor(colour(ink));
            Path2D path = path(points);
            path.closePath();
            graphics.fill(path);
        }
    }

    @Override
    public void drawText(String text, double x, double baseline, TextStyle style) {
        graphics.setFont(font(style));
        graphics.setColor(colour(style.ink()));
        graphics.drawString(text, (float) style.left(x, textWidth(text, style)), (float) baseline);
    }

    @Override
    public double textWidth(String text, TextStyle style) {
        return font(style).getStringBounds(text, graphics.getFontRenderContext()).getWidth();
    }

    @Override
    public void clipped(Area area, Runnable drawing) {
        Shape before = graphics.getClip();
        graphics.clip(rectangle(area));
        try {
            drawing.run();
        } finally {
            graphics.setClip(before);
        }
    }

    private static Font font(TextStyle style) {
        return new Font(Font.SANS_SERIF, style.bold() ? Font.BOLD : Font.PLAIN, 1).deriveFont((float) style.size());
    }

    private Color colour(Ink ink) {
        int rgb = theme.rgb(ink);
        return new Color(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff, (int) Math.round(ink.opacity() * 255));
    }

    private void use(Stroke stroke) {
        graphics.setColor(colour(stroke.ink()));
        graphics.setStroke(new BasicStroke((float) stroke.width(), BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1,
                stroke.dashed() ? new float[] {3, 3} : null, 0));
    }

    private static Rectangle2D rectangle(Area area) {
        return new Rectangle2D.Double(area.x(), area.y(), area.width(), area.height());
    }

    private static Path2D path(List<Point> points) {
        Path2D path = new Path2D.Double();
        for (Point point : points) {
            if (path.getCurrentPoint() == null) {
                path.moveTo(point.x(), point.y());
            } else {
                path.lineTo(point.x(), point.y());
            }
        }
        return path;
    }
}
