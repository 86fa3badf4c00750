// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import org.kview.calls.Pyramid.HeatMap;
import org.kview.chart.Area;
import org.kview.chart.Ink;
import org.kview.chart.Ink.Tone;
import org.kview.chart.LogAxis;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.chart.SvgSurface;
import org.kview.chart.TextStyle;
import org.kview.chart.TextStyle.Anchor;
import org.kview.chart.TimeAxis;
import org.kview.model.LatencyBuckets;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;

/** A heat map for a page: calls by when they returned and how long they took. */
final class HeatPicture {
    private static final int WIDTH = 1000, HEIGHT = 280, LEFT = 70, BOTTOM = 26, TOP = 6, LABEL_HEIGHT = 14;
    private static final int MOST_TICKS = 10;
    /** As many buckets are drawn as one: four rows an octave. */
    private static final int MERGED = 4;
    private static final double FAINTEST = 0.15;

    private final HeatMap heat;
    private final long startNanos;
    private final LogAxis latencies;
    private final TimeAxis times;
    private final long most;
    private final Area plot = new Area(LEFT, TOP, WIDTH - LEFT - 14, HEIGHT - TOP - BOTTOM);

    /** @param startNanos when the recording began, in ns since 1970 */
    HeatPicture(HeatMap heat, long startNanos) {
        this.heat = heat;
        this.startNanos = startNanos;
        int[] used = IntStream.range(0, LatencyBuckets.COUNT).filter(i -> Arrays.stream(heat.counts()).anyMatch(slot -> slot[i] > 0)).toArray();
        latencies = LogAxis.around(Math.max(LogAxis.LEAST_NANOS, low(used[0] / MERGED)), low(used[used.length - 1] / MERGED + 1));
        long begin = Math.max(0, heat.beginNanos() - startNanos);
        times = new TimeAxis(begin, Math.max(begin + 1, heat.beginNanos() + heat.counts().length * heat.slotNanos() - startNanos));
        most = rows().mapToLong(row -> IntStream.range(0, heat.counts().length).mapToLong(slot -> count(slot, row)).max().orElse(0)).max()
                .orElse(1);
    }

    private static IntStream rows() {
        return IntStream.range(0, Math.ceilDiv(LatencyBuckets.COUNT, MERGED));
    }

    private static double low(int row) {
        int bucket = Math.min(row * MERGED, LatencyBuckets.COUNT - 1);
        return LatencyBuckets.lowNanos(bucket);
    }

    private long count(int slot, int row) {
        long sum = 0;
        for (int bucket = row * MERGED; bucket < Math.min(LatencyBuckets.COUNT, (row + 1) * MERGED); bucket++) {
            sum += heat.counts()[slot][bucket];
        }
        return sum;
    }

    String svg() {
        SvgSurface surface = SvgSurface.embedded(WIDTH, HEIGHT);
        draw(surface);
        return surface.text();
    }

    private void draw(Surface surface) {
        List<Double> labelled = new ArrayList<>();
        // Decades first: the others fill in where there is room.
        for (boolean decade : new boolean[] {true, false}) {
            for (LogAxis.Tick tick : latencies.ticks()) {
                double y = y(tick.nanos());
                if (tick.decade() == decade && labelled.stream().allMatch(other -> Math.abs(other - y) > LABEL_HEIGHT)) {
                    labelled.add(y);
                    surface.drawLine(plot.x(), y, plot.right(), y, Stroke.solid(Tone.GRID, 1));
                    surface.drawText(tick.label(), plot.x() - 6, y + 4, TextStyle.SMALL.with(Anchor.END));
                }
            }
        }
        List<TimeAxis.Tick> ticks = times.ticks(MOST_TICKS);
        for (TimeAxis.Tick tick : ticks) {
            surface.drawText(tick.label() + " s", x(tick.nanos()), plot.bottom() + 18, TextStyle.SMALL.with(Anchor.MIDDLE));
        }
        for (int slot = 0; slot < heat.counts().length; slot++) {
            int column = slot;
            rows().filter(row -> count(column, row) > 0).forEach(row -> cell(surface, column, row));
        }
        surface.drawLine(plot.x(), plot.bottom(), plot.right(), plot.bottom(), Stroke.solid(Tone.AXIS, 1));
    }

    private void cell(Surface surface, int slot, int row) {
        long count = count(slot, row);
        double left = x(heat.beginNanos() + slot * heat.slotNanos() - startNanos);
        double right = x(heat.beginNanos() + (slot + 1) * heat.slotNanos() - startNanos);
        double top = y(low(row + 1));
        Area cell = new Area(left, top, Math.max(1, right - left), Math.max(1, y(Math.max(LogAxis.LEAST_NANOS, low(row))) - top));
        // A single call can be seen beside a million.
        double share = most == 1 ? 1 : Math.log(count) / Math.log(most);
        surface.fillRectangle(cell, Ink.of(Metric.WALL.rgb(), FAINTEST + (1 - FAINTEST) * share));
        surface.tooltip(cell, LatencyFormat.range(low(row), low(row + 1)) + ": " + LatencyFormat.count(count) + (count == 1 ? " call" : " calls"));
    }

    private double x(double nanos) {
        return plot.x() + Math.clamp(times.position(nanos), 0, 1) * plot.width();
    }

    private double y(double nanos) {
        return plot.bottom() - Math.clamp(latencies.position(nanos), 0, 1) * plot.height();
    }
}
