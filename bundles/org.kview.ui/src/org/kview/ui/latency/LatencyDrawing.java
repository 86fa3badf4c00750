// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.List;
import java.util.Optional;

import org.kview.chart.Area;
import org.kview.chart.Ink;
import org.kview.chart.LogAxis;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.chart.Surface.Point;
import org.kview.chart.TextStyle;
import org.kview.chart.TimeAxis;
import org.kview.model.Distribution;
import org.kview.model.LatencyFormat;

/** Draws what is under the cells of a heat map, and what is over them. */
final class LatencyDrawing {
    private static final int TICK_PIXELS = 90;
    private static final int LABEL_PIXELS = 14;
    private static final int LEGEND_CELL = 10;
    private static final int LEGEND_CELLS = 8;
    private static final double BRUSH_OPACITY = 0.22;
    private static final int BRUSH = 0xB8860B;

    private final Surface surface;
    private final LatencyScene scene;
    private final Area all;

    LatencyDrawing(Surface surface, LatencyScene scene, Area all) {
        this.surface = surface;
        this.scene = scene;
        this.all = all;
    }

    /** The ground, grid and labels; or a message. */
    void ground() {
        surface.fillRectangle(all, Ink.Tone.BACKGROUND);
        if (scene.picture().isEmpty()) {
            surface.drawText(scene.message(), all.width() / 2, all.height() / 2,
                    TextStyle.NORMAL.with(Ink.Tone.MUTED).with(TextStyle.Anchor.MIDDLE));
            return;
        }
        HeatScale scale = scene.picture().get().scale();
        Area plot = scale.plot();
        double last = Double.MAX_VALUE;
        for (LogAxis.Tick tick : scale.wall().ticks()) {
            double y = scale.y(tick.nanos());
            if (last - y >= LABEL_PIXELS && y > plot.y() + 4) {
                surface.drawLine(plot.x(), y, plot.right(), y, Stroke.solid(Ink.Tone.GRID, 1));
                surface.drawText(tick.label(), plot.x() - 7, y + 4, TextStyle.SMALL.with(TextStyle.Anchor.END));
                last = y;
            }
        }
        for (TimeAxis.Tick tick : scale.time().ticks(Math.max(2, (int) plot.width() / TICK_PIXELS))) {
            double x = plot.x() + scale.time().position(tick.nanos()) * plot.width();
            surface.drawLine(x, plot.y(), x, plot.bottom(), Stroke.solid(Ink.Tone.GRID, 1));
            surface.drawText(tick.label(), x, plot.bottom() + 14, TextStyle.SMALL.with(TextStyle.Anchor.MIDDLE));
        }
        surface.drawText("wall-clock", plot.x() - 7, plot.y() - 6, TextStyle.SMALL.with(TextStyle.Anchor.END));
        surface.drawText("s since the recording's start, when calls returned", plot.x() + plot.width() / 2, plot.bottom() + 28,
                TextStyle.SMALL.with(TextStyle.Anchor.MIDDLE));
    }

    void above(boolean dark) {
        if (scene.picture().isEmpty()) {
            return;
        }
        HeatPicture picture = scene.picture().get();
        Area plot = picture.scale().plot();
        List<List<Point>> half = scene.percentiles() ? picture.p50() : List.of();
        surface.clipped(plot, () -> {
            if (!half.isEmpty()) {
                lines(picture.p99(), true);
                lines(half, false);
            }
            scene.brush().ifPresent(this::box);
            scene.drag().ifPresent(this::box);
            scene.focus().ifPresent(call -> {
                for (long end : new long[] {call.beginNanos(), call.endNanos()}) {
                    double x = picture.scale().x(end);
                    surface.drawLine(x, plot.y(), x, plot.bottom(), Stroke.solid(Ink.of(BRUSH), 2));
                }
            });
        });
        surface.drawRectangle(plot, Stroke.solid(Ink.Tone.AXIS, 1));
        double legend = legend(picture, plot, dark, !half.isEmpty());
        head(plot, legend);
    }

    private void box(Area area) {
        surface.fillRectangle(area, Ink.of(BRUSH, BRUSH_OPACITY));
        surface.drawRectangle(area, Stroke.solid(Ink.of(BRUSH), 2));
    }

    /** In the colour of texts, with an edge of the ground's: over dark and over light cells. */
    private void lines(List<List<Point>> lines, boolean dashed) {
        for (List<Point> line : lines) {
            surface.drawPolyline(line, Stroke.solid(Ink.Tone.BACKGROUND, 4));
            surface.drawPolyline(line, dashed ? Stroke.dashed(Ink.Tone.TEXT, 2) : Stroke.solid(Ink.Tone.TEXT, 2));
        }
    }

    /** How many calls a colour stands for. @return where it begins */
    private double legend(HeatPicture picture, Area plot, boolean dark, boolean percentiles) {
        String most = LatencyFormat.count(picture.most()) + (picture.most() == 1 ? " call" : " calls");
        double right = plot.right();
        double y = plot.y() - 6;
        surface.drawText(most, right, y, TextStyle.SMALL.with(TextStyle.Anchor.END));
        // If no cell holds more than one call there is one colour.
        int cells = picture.most() == 1 ? 1 : LEGEND_CELLS;
        double x = right - surface.textWidth(most, TextStyle.SMALL) - 6 - cells * LEGEND_CELL;
        for (int i = 0; i < cells; i++) {
            long calls = Math.round(Math.pow(picture.most(), (double) i / (LEGEND_CELLS - 1)));
            surface.fillRectangle(new Area(x + i * LEGEND_CELL, y - 9, LEGEND_CELL, 9),
                    Ink.of(HeatColours.of(Math.max(1, calls), picture.most(), dark)));
        }
        if (cells > 1) {
            surface.drawText("1", x - 5, y, TextStyle.SMALL.with(TextStyle.Anchor.END));
        }
        double start = x - 30;
        if (percentiles) {
            start = key("p99", start, y, true);
            start = key("p50", start, y, false);
        }
        return start;
    }

    private double key(String label, double right, double y, boolean dashed) {
        surface.drawText(label, right, y, TextStyle.SMALL.with(TextStyle.Anchor.END));
        double end = right - surface.textWidth(label, TextStyle.SMALL) - 5;
        surface.drawLine(end - 20, y - 4, end, y - 4, dashed ? Stroke.dashed(Ink.Tone.TEXT, 2) : Stroke.solid(Ink.Tone.TEXT, 2));
        return end - 32;
    }

    private void head(Area plot, double legend) {
        TextStyle bold = TextStyle.BOLD.withSize(13);
        surface.drawText(scene.title(), plot.x(), 18, bold);
        double x = plot.x() + surface.textWidth(scene.title(), bold) + 14;
        Optional<String> shown = scene.summary().map(summary -> figures(summary.shown()));
        shown.ifPresent(text -> surface.drawText(text, x, 18, TextStyle.SMALL));
        scene.summary().flatMap(HeatSummary::selected).map(calls -> "Selected: " + figures(calls))
                .filter(text -> plot.x() + surface.textWidth(text, TextStyle.NORMAL) < legend)
                .ifPresent(text -> surface.drawText(text, plot.x(), plot.y() - 6, TextStyle.NORMAL));
    }

    /** "412 calls · p50 31 ms · p99 44 ms · max 51 ms". */
    static String figures(Distribution calls) {
        String count = LatencyFormat.count(calls.count()) + (calls.count() == 1 ? " call" : " calls");
        return calls.isEmpty() ? count : count + " · p50 " + LatencyFormat.nanos(calls.percentileNanos(50)) + " · p99 "
                + LatencyFormat.nanos(calls.percentileNanos(99)) + " · max " + LatencyFormat.nanos(calls.maxNanos());
    }
}
