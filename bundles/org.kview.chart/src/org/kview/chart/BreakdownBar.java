// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;

import org.kview.chart.Ink.Tone;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;

/** Where the time of a function went: one bar, stacked by metric, the whole of it wall-clock time. */
public final class BreakdownBar {
    /** What occurred at all must not vanish, in pixels. */
    private static final double LEAST_WIDTH = 2;

    private final List<Part> parts;
    /** How much of the wall-clock time no metric accounts for: the bar stays empty there. */
    private final double unexplained;

    /**
     * A stretch of the bar.
     *
     * @param metric what the time was spent on
     * @param nanos  how much, over all calls
     * @param share  of the wall-clock time, 0 to 1
     */
    public record Part(Metric metric, long nanos, double share) {
        /** "lock 38.2 s · 94 %". */
        public String text() {
            return metric.label() + " " + LatencyFormat.nanos(nanos) + " · " + LatencyFormat.percent(share);
        }
    }

    private BreakdownBar(List<Part> parts, double unexplained) {
        this.parts = parts;
        this.unexplained = unexplained;
    }

    public static BreakdownBar of(FunctionLatency latency) {
        long explained = Metric.OF_CALLS.stream().filter(m -> m != Metric.WALL)
                .mapToLong(m -> latency.distribution(m).totalNanos()).sum();
        double whole = Math.max(explained, latency.wall().totalNanos());
        List<Part> parts = new ArrayList<>();
        for (Metric metric : Metric.OF_CALLS) {
            long nanos = latency.distribution(metric).totalNanos();
            if (metric != Metric.WALL && nanos > 0) {
                parts.add(new Part(metric, nanos, nanos / whole));
            }
        }
        return new BreakdownBar(List.copyOf(parts), whole == 0 ? 1 : 1 - explained / whole);
    }

    /** In the order of metrics, without those that never occurred. */
    public List<Part> parts() {
        return parts;
    }

    /**
     * The widths of the parts in pixels; with what is unexplained they add up to the bar's. A part
     * gets {@value #LEAST_WIDTH} pixels at least, for which the others give in proportion.
     */
    public double[] widths(double barWidth) {
        double[] widths = new double[parts.size()];
        boolean[] least = new boolean[parts.size()];
        double room = barWidth * (1 - unexplained);
        double least1 = Math.min(LEAST_WIDTH, parts.isEmpty() ? 0 : room / parts.size());
        boolean again = true;
        while (again) {
            again = false;
            double shares = 0;
            double left = room;
            for (int i = 0; i < widths.length; i++) {
                shares += least[i] ? 0 : parts.get(i).share();
                left -= least[i] ? least1 : 0;
            }
            for (int i = 0; i < widths.length; i++) {
                widths[i] = least[i] ? least1 : left * parts.get(i).share() / shares;
                if (widths[i] < least1) {
                    least[i] = true;
                    again = true;
                }
            }
        }
        return widths;
    }

    public void draw(Surface surface, Area area) {
        double[] widths = widths(area.width());
        double x = area.x();
        for (int i = 0; i < widths.length; i++) {
            Area part = new Area(x, area.y(), widths[i], area.height());
            surface.fillRectangle(part, Ink.of(parts.get(i).metric()));
            surface.tooltip(part, parts.get(i).text());
            x += widths[i];
        }
        surface.drawRectangle(area, Stroke.solid(Tone.GRID, 1));
        // A colour is the same on every ground, and on some it is hard to see: the edge is not.
        if (widths.length > 0) {
            surface.drawRectangle(new Area(area.x(), area.y(), x - area.x(), area.height()), Stroke.solid(Tone.AXIS, 1));
        }
    }
}
