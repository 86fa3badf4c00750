// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.chart;

import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Path;
import org.eclipse.swt.graphics.RGB;
import org.eclipse.swt.graphics.Rectangle;
import org.kview.chart.Area;
import org.kview.chart.ChartTheme;
import org.kview.chart.Ink;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.chart.TextStyle;
import org.kview.model.SafeText;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.theme.Palette;

/** Draws on a widget or image, in the colours of the theme in force. The graphics context stays the caller's. */
public final class GcSurface implements Surface {
    private final GC gc;
    private final ChartFonts fonts;
    private final Palette palette;
    private final ChartTheme theme;

    public GcSurface(GC gc, ChartFonts fonts, Palette palette) {
        this.gc = gc;
        this.fonts = fonts;
        this.palette = palette;
        this.theme = palette.dark() ? ChartTheme.DARK : ChartTheme.LIGHT;
        gc.setAntialias(SWT.ON);
        gc.setTextAntialias(SWT.ON);
    }

    @Override
    public void fillRectangle(Area area, Ink ink) {
        withAlpha(ink, () -> {
            gc.setBackground(colour(ink));
            // Edges are on whole pixels: areas side by side must neither overlap nor leave a gap.
            int left = round(area.x());
            int top = round(area.y());
            gc.fillRectangle(left, top, Math.max(1, round(area.right()) - left), round(area.bottom()) - top);
        });
    }

    @Override
    public void drawRectangle(Area area, Stroke stroke) {
        stroked(stroke, () -> gc.drawRectangle(round(area.x()), round(area.y()), round(area.right()) - round(area.x()) - 1,
                round(area.bottom()) - round(area.y()) - 1));
    }

    @Override
    public void drawLine(double x1, double y1, double x2, double y2, Stroke stroke) {
        stroked(stroke, () -> {
            // Horizontal and vertical lines are sharp only on whole pixels.
            if (x1 == x2 || y1 == y2) {
                gc.drawLine(round(x1), round(y1), round(x2), round(y2));
            } else {
                drawPath(List.of(new Point(x1, y1), new Point(x2, y2)));
            }
        });
    }

    @Override
    public void drawPolyline(List<Point> points, Stroke stroke) {
        if (points.size() > 1) {
            stroked(stroke, () -> drawPath(points));
        }
    }

    @Override
    public void fillPolygon(List<Point> points, Ink ink) {
        if (points.size() > 2) {
            withAlpha(ink, () -> {
                gc.setBackground(colour(ink));
                Path path = path(points);
                path.close();
                gc.fillPath(path);
                path.dispose();
            });
        }
    }

    @Override
    public void drawText(String text, double x, double baseline, TextStyle style) {
        gc.setFont(fonts.of(style));
        gc.setForeground(colour(style.ink()));
        double left = style.left(x, gc.textExtent(SafeText.line(text), SWT.DRAW_TRANSPARENT).x);
        int top = round(baseline) - gc.getFontMetrics().getAscent() - gc.getFontMetrics().getLeading();
        gc.drawText(SafeText.line(text), round(left), top, SWT.DRAW_TRANSPARENT);
    }

    @Override
    public double textWidth(String text, TextStyle style) {
        gc.setFont(fonts.of(style));
        return gc.textExtent(SafeText.line(text), SWT.DRAW_TRANSPARENT).x;
    }

    @Override
    public void clipped(Area area, Runnable drawing) {
        Rectangle before = gc.getClipping();
        gc.setClipping(before.intersection(new Rectangle((int) Math.floor(area.x()), (int) Math.floor(area.y()),
                (int) Math.ceil(area.width()) + 1, (int) Math.ceil(area.height()) + 1)));
        try {
            drawing.run();
        } finally {
            gc.setClipping(before);
        }
    }

    private void drawPath(List<Point> points) {
        Path path = path(points);
        gc.drawPath(path);
        path.dispose();
    }

    private Path path(List<Point> points) {
        Path path = new Path(gc.getDevice());
        path.moveTo((float) points.getFirst().x(), (float) points.getFirst().y());
        points.stream().skip(1).forEach(point -> path.lineTo((float) point.x(), (float) point.y()));
        return path;
    }

    private void stroked(Stroke stroke, Runnable drawing) {
        withAlpha(stroke.ink(), () -> {
            gc.setForeground(colour(stroke.ink()));
            gc.setLineWidth(Math.max(1, round(stroke.width())));
            gc.setLineStyle(SWT.LINE_SOLID);
            if (stroke.dashed()) {
                gc.setLineDash(new int[] {3, 3});
            }
            drawing.run();
            gc.setLineStyle(SWT.LINE_SOLID);
        });
    }

    private void withAlpha(Ink ink, Runnable drawing) {
        int before = gc.getAlpha();
        gc.setAlpha((int) Math.round(ink.opacity() * 255));
        drawing.run();
        gc.setAlpha(before);
    }

    private Color colour(Ink ink) {
        if (ink == Ink.Tone.BACKGROUND) {
            return palette.ground();
        }
        int rgb = ink instanceof Ink.OfMetric its ? MetricColours.rgb(its.metric()) : theme.rgb(ink);
        return new Color(new RGB(rgb >> 16 & 0xff, rgb >> 8 & 0xff, rgb & 0xff));
    }

    private static int round(double value) {
        return (int) Math.round(value);
    }
}
