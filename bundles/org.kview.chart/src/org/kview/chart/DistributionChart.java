// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.chart.DistributionSeries.Bin;
import org.kview.chart.Ink.Tone;
import org.kview.chart.Surface.Point;
import org.kview.chart.TextStyle.Anchor;
import org.kview.model.LatencyFormat;

/**
 * Distributions over a logarithmic axis of time. A curve's height is the share of calls by width on
 * the axis, so areas can be compared, within a series and between them, unless heights are logarithmic.
 * Immutable.
 */
public final class DistributionChart {
    private static final double SIDE_MARGIN = 14;
    private static final double AXIS_HEIGHT = 24;
    /** Left of the curves, where heights have an axis. */
    private static final double SHARES_WIDTH = 62;
    private static final double SHARES_LABEL_HEIGHT = 11;
    private static final double LABEL_ROW_HEIGHT = 14;
    private static final int LABEL_ROWS = 3;
    private static final double LOW = 140;
    private static final double LABEL_GAP = 6;
    /** A single call among a million must not vanish, in pixels. */
    private static final double LEAST_HEIGHT = 2.5;

    private final List<DistributionSeries> series;
    private final List<List<Bin>> bins;
    private final LogAxis axis;
    private final Look look;

    /**
     * How the series are shown.
     *
     * @param band     a stretch that stands out
     * @param tooltips whether each bin has one
     * @param times    those that are shown, if not all
     * @param shares   how heights grow, where they have an axis
     */
    private record Look(Optional<Band> band, boolean tooltips, Optional<LogAxis> times, Optional<ShareScale> shares) {
        static final Look PLAIN = new Look(Optional.empty(), false, Optional.empty(), Optional.empty());

        boolean isCumulative() {
            return shares.filter(ShareScale::isCumulative).isPresent();
        }
    }

    /**
     * A stretch of the axis that stands out, such as what a user has selected.
     *
     * @param lowNanos  its left edge
     * @param highNanos its right edge
     * @param label     what to say of it; may be empty
     */
    public record Band(double lowNanos, double highNanos, String label) {
    }

    private DistributionChart(List<DistributionSeries> series, Look look) {
        this.series = List.copyOf(series);
        this.look = look;
        bins = this.series.stream().map(DistributionSeries::bins).toList();
        axis = look.times.orElseGet(this::wholeAxis);
    }

    /** A picture of some distributions, the most important one first. */
    public static DistributionChart of(List<DistributionSeries> series) {
        return new DistributionChart(series, Look.PLAIN);
    }

    public DistributionChart withBand(Band other) {
        return new DistributionChart(series, new Look(Optional.of(other), look.tooltips, look.times, look.shares));
    }

    /** The same with a tooltip for every bin, for surfaces that can't be asked by {@link #hover}. */
    public DistributionChart withTooltips() {
        return new DistributionChart(series, new Look(look.band, true, look.times, look.shares));
    }

    /** Only the times of an axis. */
    public DistributionChart withTimes(LogAxis times) {
        return new DistributionChart(series, new Look(look.band, look.tooltips, Optional.of(times), look.shares));
    }

    /** The same with an axis of the heights. */
    public DistributionChart withShares(ShareScale scale) {
        return new DistributionChart(series, new Look(look.band, look.tooltips, look.times, Optional.of(scale)));
    }

    /** An axis that is long enough for all calls. */
    public LogAxis wholeAxis() {
        List<Bin> all = bins.stream().flatMap(List::stream).filter(bin -> bin.count() > 0).toList();
        return all.isEmpty() ? new LogAxis(100, 1e9)
                : LogAxis.around(all.stream().mapToDouble(Bin::lowNanos).min().orElseThrow(),
                        all.stream().mapToDouble(Bin::highNanos).max().orElseThrow());
    }

    public LogAxis axis() {
        return axis;
    }

    /** Where the curves stand, if the picture is drawn in the area; its height is not known yet. */
    private Area inner(Area area) {
        return area.inset(look.shares.isPresent() ? SHARES_WIDTH : SIDE_MARGIN, 0, SIDE_MARGIN, 0);
    }

    /** The x of a time, if the picture is drawn in the area. */
    public double xOf(double nanos, Area area) {
        Area inner = inner(area);
        return inner.x() + axis.position(nanos) * inner.width();
    }

    /** The time at an x, likewise; kept within the axis. */
    public double nanosAt(double x, Area area) {
        return axis.nanosAt(positionAt(x, area));
    }

    /** Where on the axis an x is, 0 to 1. */
    public double positionAt(double x, Area area) {
        Area inner = inner(area);
        return Math.clamp((x - inner.x()) / Math.max(1, inner.width()), 0, 1);
    }

    /** What each series shows at an x, those that have no calls there left out. */
    public List<Hover> hover(double x, Area area) {
        double nanos = nanosAt(x, area);
        List<Hover> hovers = new ArrayList<>();
        if (x < inner(area).x() || x > inner(area).right()) {
            return hovers;
        }
        for (int i = 0; i < series.size(); i++) {
            long upTo = 0;
            for (Bin bin : bins.get(i)) {
                upTo += bin.count();
                if ((bin.count() > 0 || look.isCumulative()) && nanos >= Math.max(LogAxis.LEAST_NANOS, bin.lowNanos())
                        && nanos < bin.highNanos()) {
                    hovers.add(new Hover(series.get(i), bin, look.isCumulative() ? OptionalLong.of(upTo) : OptionalLong.empty()));
                }
            }
        }
        return hovers;
    }

    public void draw(Surface surface, Area area) {
        Legend legend = new Legend(series.stream().map(s -> new Legend.Entry(Ink.of(s.rgb()),
                s.label() + " · " + LatencyFormat.count(s.distribution().count())
                        + " " + s.noun() + (s.distribution().count() == 1 ? "" : "s"))).toList());
        Area above = area.inset(SIDE_MARGIN, 0, SIDE_MARGIN, 0);
        double legendHeight = legend.height(surface, above.width());
        legend.draw(surface, new Area(above.x(), area.y(), above.width(), legendHeight));
        // Where there is little room, curves come before what marks say.
        int labelRows = area.height() < LOW ? 1 : LABEL_ROWS;
        double labelsHeight = labelRows * LABEL_ROW_HEIGHT + 4;
        Area plot = inner(area).inset(0, legendHeight + labelsHeight, 0, AXIS_HEIGHT);

        drawBand(surface, area, plot);
        drawAxis(surface, area, plot);
        Optional<String> nothing = emptyText();
        if (nothing.isPresent()) {
            surface.drawText(nothing.get(), plot.x() + plot.width() / 2, plot.y() + plot.height() / 2,
                    TextStyle.NORMAL.with(Tone.MUTED).with(Anchor.MIDDLE));
            return;
        }
        ShareAxis heights = look.isCumulative()
                ? ShareAxis.cumulative(look.shares.orElseThrow(), series.stream().mapToLong(DistributionSeries::binned).max().orElse(0))
                : ShareAxis.of(look.shares.orElse(ShareScale.LINEAR), bins.stream().flatMap(List::stream)
                        .filter(this::isShown).mapToDouble(Bin::density).toArray());
        if (look.shares.isPresent()) {
            drawShares(surface, heights, plot);
        }
        surface.clipped(plot, () -> {
            // The most important one is drawn last, over the others.
            for (int i = series.size() - 1; i >= 0; i--) {
                if (look.isCumulative()) {
                    drawCumulative(surface, area, plot, i, heights);
                } else {
                    drawSeries(surface, area, plot, i, heights);
                }
            }
        });
        surface.drawLine(plot.x(), plot.bottom(), plot.right(), plot.bottom(), Stroke.solid(Tone.AXIS, 1));
        new PercentileMarks(series, nanos -> xOf(nanos, area), labelRows, LABEL_ROW_HEIGHT)
                .draw(surface, plot, area.x(), area.right(), plot.y() - labelsHeight);
        if (look.tooltips) {
            drawTooltips(surface, area, plot);
        }
    }

    private Optional<String> emptyText() {
        if (series.isEmpty()) {
            return Optional.of("No curve to draw");
        }
        if (series.stream().anyMatch(s -> s.distribution().bucketLimit() > 0)) {
            return bins.stream().flatMap(List::stream).anyMatch(this::isShown) ? Optional.empty()
                    : Optional.of("No call took one of these times");
        }
        return Optional.of(series.stream().allMatch(s -> s.distribution().hasBuckets()) ? "No call has returned yet"
                : "The distribution is lost: the session's latency.hlog is damaged");
    }

    private boolean isShown(Bin bin) {
        return bin.count() > 0 && bin.highNanos() > axis.minNanos() && bin.lowNanos() < axis.maxNanos();
    }

    private void drawBand(Surface surface, Area area, Area plot) {
        look.band.ifPresent(b -> {
            double left = Math.clamp(xOf(b.lowNanos(), area), plot.x(), plot.right());
            double right = Math.clamp(xOf(b.highNanos(), area), plot.x(), plot.right());
            surface.fillRectangle(new Area(left, plot.y(), right - left, plot.height()), Tone.SELECTION);
            surface.drawText(b.label(), (left + right) / 2, plot.y() + LABEL_ROW_HEIGHT,
                    TextStyle.SMALL.with(Tone.TEXT).with(Anchor.MIDDLE));
        });
    }

    private void drawAxis(Surface surface, Area area, Area plot) {
        List<LogAxis.Tick> ticks = axis.ticks();
        TextStyle style = TextStyle.SMALL.with(Anchor.MIDDLE);
        LabelRow labels = new LabelRow(area.x(), area.right(), LABEL_GAP * 2);
        // Decades first: the others fill in where there is room.
        for (boolean decade : new boolean[] {true, false}) {
            for (LogAxis.Tick tick : ticks) {
                if (tick.decade() != decade) {
                    continue;
                }
                double width = surface.textWidth(tick.label(), style);
                double x = xOf(tick.nanos(), area);
                boolean labelled = labels.take(x - width / 2, width);
                if (labelled) {
                    surface.drawLine(x, plot.y(), x, plot.bottom(), Stroke.solid(Tone.GRID, 1));
                    surface.drawText(tick.label(), x, plot.bottom() + 18, style);
                }
                surface.drawLine(x, plot.bottom(), x, plot.bottom() + (labelled ? 5 : 3), Stroke.solid(Tone.AXIS, 1));
            }
        }
        surface.drawLine(plot.x(), plot.bottom(), plot.right(), plot.bottom(), Stroke.solid(Tone.AXIS, 1));
    }

    private static void drawShares(Surface surface, ShareAxis heights, Area plot) {
        LabelRow labels = new LabelRow(plot.y() - SHARES_LABEL_HEIGHT, plot.bottom() + SHARES_LABEL_HEIGHT, LABEL_GAP);
        for (ShareAxis.Tick tick : heights.ticks()) {
            double y = plot.bottom() - tick.position() * curveRoom(plot);
            if (labels.take(y - SHARES_LABEL_HEIGHT / 2, SHARES_LABEL_HEIGHT)) {
                surface.drawLine(plot.x(), y, plot.right(), y, Stroke.solid(Tone.GRID, 1));
                surface.drawText(tick.label(), plot.x() - LABEL_GAP, y + 4, TextStyle.SMALL.with(Anchor.END));
            }
        }
    }

    /** The height of the highest curve. */
    private static double curveRoom(Area plot) {
        return plot.height() - 2;
    }

    private void drawSeries(Surface surface, Area area, Area plot, int index, ShareAxis heights) {
        Ink line = Ink.of(series.get(index).rgb());
        Ink fill = Ink.of(series.get(index).rgb(), 0.3);
        List<Point> run = new ArrayList<>();
        for (Bin bin : bins.get(index)) {
            double left = xOf(bin.lowNanos(), area);
            double right = xOf(bin.highNanos(), area);
            if (bin.count() == 0) {
                drawRun(surface, run, plot, fill, line);
                run.clear();
                continue;
            }
            double height = Math.max(LEAST_HEIGHT, heights.position(bin.density()) * curveRoom(plot));
            run.add(new Point(left, plot.bottom() - height));
            run.add(new Point(right, plot.bottom() - height));
        }
        drawRun(surface, run, plot, fill, line);
    }

    /** From 0 at the first call's time to all at the last one's. */
    private void drawCumulative(Surface surface, Area area, Area plot, int index, ShareAxis heights) {
        List<Point> line = new ArrayList<>();
        long calls = series.get(index).binned();
        long upTo = 0;
        for (Bin bin : bins.get(index)) {
            if (line.isEmpty()) {
                line.add(new Point(xOf(bin.lowNanos(), area), plot.bottom()));
            }
            upTo += bin.count();
            line.add(new Point(xOf(bin.highNanos(), area),
                    plot.bottom() - heights.positionOf((double) upTo / calls) * curveRoom(plot)));
        }
        if (!line.isEmpty()) {
            surface.drawPolyline(line, Stroke.solid(Ink.of(series.get(index).rgb()), 1.75));
        }
    }

    /** Neighbouring bins with calls. */
    private static void drawRun(Surface surface, List<Point> steps, Area plot, Ink fill, Ink line) {
        if (steps.isEmpty()) {
            return;
        }
        List<Point> outline = new ArrayList<>(steps);
        outline.addFirst(new Point(steps.getFirst().x(), plot.bottom()));
        outline.addLast(new Point(steps.getLast().x(), plot.bottom()));
        surface.fillPolygon(outline, fill);
        surface.drawPolyline(outline, Stroke.solid(line, 1.25));
    }

    private void drawTooltips(Surface surface, Area area, Area plot) {
        double last = plot.x();
        List<Double> edges = bins.stream().flatMap(List::stream).filter(bin -> bin.count() > 0)
                .flatMap(bin -> Stream.of(xOf(bin.lowNanos(), area), xOf(bin.highNanos(), area)))
                .sorted().distinct().toList();
        for (double edge : edges) {
            List<Hover> hovers = hover((last + edge) / 2, area);
            if (edge - last > 0.2 && !hovers.isEmpty()) {
                surface.tooltip(new Area(last, plot.y(), edge - last, plot.height()),
                        hovers.stream().map(h -> h.series().label() + ": " + h.text())
                                .collect(Collectors.joining("\n")));
            }
            last = edge;
        }
    }
}
