// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.kview.chart.Area;
import org.kview.chart.BreakdownBar;
import org.kview.chart.DistributionSeries;
import org.kview.chart.Ink;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.compare.Change;
import org.kview.compare.FunctionPair;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;

/** What is drawn of a function in two recordings, in reports and in the workbench alike. */
public final class ComparisonPictures {
    /** Blue and vermilion, which colour-blind eyes tell apart. */
    private static final int RGB_A = 0x3465A4;
    private static final int RGB_B = 0xD55E00;
    private static final double GAP = 2;
    /** The radius of a dot, and the number of corners that it is drawn with. */
    private static final double DOT = 3;
    private static final int CORNERS = 12;

    private ComparisonPictures() {
    }

    /** The colour of a recording, 0xRRGGBB. */
    public static int rgb(boolean isA) {
        return isA ? RGB_A : RGB_B;
    }

    /** Both distributions of wall-clock time, to be drawn over each other. */
    public static List<DistributionSeries> series(FunctionPair pair) {
        return List.of(series(pair.a(), true), series(pair.b(), false));
    }

    private static DistributionSeries series(FunctionLatency latency, boolean isA) {
        String letter = isA ? "A" : "B";
        return new DistributionSeries(letter, letter, rgb(isA), latency.distribution(Metric.WALL),
                Math.max(1, latency.wall().count()));
    }

    /** Where a mean call's time goes: A above B, on one scale, so that the longer bar took longer. */
    public static void drawBars(FunctionPair pair, Surface surface, Area area) {
        barAreas(pair, area).forEach(bar -> BreakdownBar.of(bar.latency()).draw(surface, bar.area()));
    }

    /**
     * A figure in each recording: those of A as dots above those of B, on one scale from the least to
     * the most. Draws nothing if no figure is finite.
     */
    public static void drawSpread(Change change, Surface surface, Area area) {
        double[] all = Stream.concat(change.inA().stream(), change.inB().stream()).mapToDouble(Double::doubleValue)
                .filter(Double::isFinite).toArray();
        if (all.length == 0) {
            return;
        }
        double low = Arrays.stream(all).min().getAsDouble();
        double span = Arrays.stream(all).max().getAsDouble() - low;
        lane(change.inA(), true, low, span, new Area(area.x(), area.y(), area.width(), area.height() / 2), surface);
        lane(change.inB(), false, low, span,
                new Area(area.x(), area.y() + area.height() / 2, area.width(), area.height() / 2), surface);
    }

    private static void lane(List<Double> values, boolean isA, double low, double span, Area lane, Surface surface) {
        double y = lane.y() + lane.height() / 2;
        surface.drawLine(lane.x(), y, lane.x() + lane.width(), y, Stroke.solid(Ink.Tone.GRID, 1));
        double room = lane.width() - 2 * DOT;
        List<Double> places = values.stream().filter(Double::isFinite)
                .map(v -> lane.x() + DOT + (span == 0 ? 0.5 : (v - low) / span) * room).sorted().toList();
        if (!places.isEmpty()) {
            surface.drawLine(places.getFirst(), y, places.getLast(), y, Stroke.solid(Ink.of(rgb(isA), 0.5), 2));
        }
        places.forEach(x -> surface.fillPolygon(IntStream.range(0, CORNERS).mapToObj(i -> new Surface.Point(
                x + DOT * Math.cos(2 * Math.PI * i / CORNERS), y + DOT * Math.sin(2 * Math.PI * i / CORNERS))).toList(),
                Ink.of(rgb(isA))));
    }

    /**
     * One of the two bars.
     *
     * @param latency what it shows
     * @param area    where
     */
    public record Bar(FunctionLatency latency, Area area) {
    }

    /** The bars of {@link #drawBars}, without those of a function that never returned. */
    public static List<Bar> barAreas(FunctionPair pair, Area area) {
        double longest = Math.max(pair.a().wall().meanNanos(), pair.b().wall().meanNanos());
        double height = (area.height() - GAP) / 2;
        return List.of(bar(pair.a(), longest, area, area.y(), height),
                bar(pair.b(), longest, area, area.y() + height + GAP, height)).stream()
                .filter(bar -> !bar.latency().wall().isEmpty()).toList();
    }

    private static Bar bar(FunctionLatency latency, double longest, Area area, double y, double height) {
        double share = longest == 0 ? 0 : latency.wall().meanNanos() / longest;
        return new Bar(latency, new Area(area.x(), y, Math.max(2, area.width() * share), height));
    }
}
