// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.List;
import java.util.Optional;

import org.kview.chart.Ink.Tone;
import org.kview.chart.TextStyle.Anchor;
import org.kview.model.ComparedWays;
import org.kview.model.ComparedWays.Cost;
import org.kview.model.ComparedWays.Way;
import org.kview.model.CostToOthers.Interval;
import org.kview.model.LatencyFormat;

/**
 * What ways to record cost a call: a bar for each way with the range that was seen, on the left of the process that is recorded, on
 * the right of others, both on one scale. Immutable.
 */
public final class WaysChart {
    /** With less a bar can't be told from the next one. */
    private static final double LEAST_ROW = 20;
    private static final double HEADING_HEIGHT = 20;
    private static final double AXIS_HEIGHT = 22;
    private static final double LABELS_SHARE = 0.34;
    private static final double LABELS_MOST = 256;
    private static final double GAP = 22;
    private static final double BAR_SHARE = 0.56;
    private static final double CAP = 4;
    /** Right of the longest range, for its figure. */
    private static final double VALUE_WIDTH = 66;
    private static final double LEAST_WIDTH = 1.5;
    private static final int WALL_BLUE = 0x3465A4;
    private static final int MOST_MARKS = 4;
    private static final double ASIDE = 0.45;

    private final ComparedWays ways;
    private final double mostNanos;

    private enum Side {
        TRACED("The recorded process, a call"), OTHERS("Others, a call");

        private final String heading;

        Side(String heading) {
            this.heading = heading;
        }

        Optional<Interval> of(Cost cost) {
            return this == TRACED ? cost.traced() : cost.others();
        }
    }

    private WaysChart(ComparedWays ways) {
        this.ways = ways;
        mostNanos = ways.ways().stream().flatMap(way -> way.costs().stream().limit(1)).flatMap(cost -> List.of(Side.values()).stream()
                .flatMap(side -> side.of(cost).stream())).mapToDouble(Interval::highNanos).filter(nanos -> nanos > 0).max().orElse(100);
    }

    public static WaysChart of(ComparedWays ways) {
        return new WaysChart(ways);
    }

    /** What it needs to be legible. */
    public double leastHeight() {
        return HEADING_HEIGHT + AXIS_HEIGHT + LEAST_ROW * ways.ways().size();
    }

    private static double labelsWidth(Area area) {
        return Math.min(LABELS_MOST, area.width() * LABELS_SHARE);
    }

    /** Where the bars of a side are, with what is written behind them. */
    private static Area panel(Side side, Area area) {
        double labels = labelsWidth(area);
        double width = (area.width() - labels - GAP) / 2;
        return new Area(area.x() + labels + side.ordinal() * (width + GAP), area.y() + HEADING_HEIGHT, width,
                area.height() - HEADING_HEIGHT - AXIS_HEIGHT);
    }

    private Area row(int way, Area panel) {
        double height = panel.height() / Math.max(1, ways.ways().size());
        return new Area(panel.x(), panel.y() + way * height, panel.width(), height);
    }

    private double length(double nanos, Area panel) {
        return Math.max(0, nanos) / mostNanos * Math.max(1, panel.width() - VALUE_WIDTH);
    }

    /** What lies at a point, if the picture is drawn in the area. */
    public Optional<String> hover(double x, double y, Area area) {
        for (Side side : Side.values()) {
            for (int i = 0; i < ways.ways().size(); i++) {
                Area row = row(i, panel(side, area));
                if (row.contains(x, y) || side == Side.TRACED && x < row.x() && x >= area.x() && y >= row.y() && y < row.bottom()) {
                    return Optional.of(text(ways.ways().get(i), side));
                }
            }
        }
        return Optional.empty();
    }

    private static String text(Way way, Side side) {
        if (way.costs().isEmpty()) {
            return way.kind().label() + ": " + way.missing();
        }
        return way.kind().label() + " · " + side.heading + ": " + side.of(way.costs().getFirst()).map(more -> (more.isToldApart() ? ""
                : "not told apart from nothing, ") + signed(more.nanos()) + " (" + signed(more.lowNanos()) + " to " + signed(more.highNanos())
                + ")").orElse("too few rounds");
    }

    private static String signed(double nanos) {
        return (nanos < 0 ? "−" : "+") + (Math.abs(nanos) < 100 ? LatencyFormat.fixed(Math.abs(nanos), 1) + " ns" : LatencyFormat.nanos(Math.abs(nanos)));
    }

    public void draw(Surface surface, Area area) {
        double labels = labelsWidth(area);
        for (int i = 0; i < ways.ways().size(); i++) {
            Area row = row(i, panel(Side.TRACED, area));
            Way way = ways.ways().get(i);
            TextStyle style = way.costs().isEmpty() ? TextStyle.NORMAL.with(Tone.MUTED) : TextStyle.NORMAL;
            surface.clipped(new Area(area.x(), row.y(), labels - 8, row.height()),
                    () -> surface.drawText(way.kind().label(), area.x(), row.y() + row.height() / 2 + 4, style));
        }
        for (Side side : Side.values()) {
            Area panel = panel(side, area);
            surface.drawText(side.heading, panel.x(), area.y() + 12, TextStyle.BOLD);
            drawAxis(surface, panel);
            for (int i = 0; i < ways.ways().size(); i++) {
                drawWay(surface, ways.ways().get(i), side, row(i, panel), panel);
            }
        }
    }

    private void drawAxis(Surface surface, Area panel) {
        double step = LinearSteps.atLeast(mostNanos / MOST_MARKS);
        for (double nanos = 0; nanos <= mostNanos; nanos += step) {
            double x = panel.x() + length(nanos, panel);
            surface.drawLine(x, panel.y(), x, panel.bottom(), Stroke.solid(nanos == 0 ? Tone.AXIS : Tone.GRID, 1));
            surface.drawText(LatencyFormat.nanos(nanos), x, panel.bottom() + 14, TextStyle.SMALL.with(nanos == 0 ? Anchor.START : Anchor.MIDDLE));
        }
    }

    private void drawWay(Surface surface, Way way, Side side, Area row, Area panel) {
        surface.tooltip(row, text(way, side));
        double middle = row.y() + row.height() / 2;
        Optional<Interval> more = way.costs().stream().findFirst().flatMap(side::of);
        if (more.isEmpty()) {
            surface.drawText(way.costs().isEmpty() ? "not here" : "too few rounds", row.x() + 6, middle + 4, TextStyle.SMALL);
            return;
        }
        double thick = row.height() * BAR_SHARE;
        Area bar = new Area(row.x(), middle - thick / 2, Math.max(LEAST_WIDTH, length(more.get().nanos(), panel)), thick);
        surface.fillRectangle(bar, Ink.of(WALL_BLUE, way.kind().isForComparisonOnly() ? ASIDE : 1));
        // A colour is the same on every ground, and on some it is hard to see: the edge is not.
        surface.drawRectangle(bar, Stroke.solid(Tone.AXIS, 1));
        double low = row.x() + length(more.get().lowNanos(), panel);
        double high = row.x() + length(more.get().highNanos(), panel);
        Stroke stroke = Stroke.solid(Tone.TEXT, 1);
        surface.drawLine(low, middle, high, middle, stroke);
        surface.drawLine(low, middle - CAP, low, middle + CAP, stroke);
        surface.drawLine(high, middle - CAP, high, middle + CAP, stroke);
        String figure = more.get().isToldApart() ? signed(more.get().nanos()) : "nothing seen";
        surface.drawText(figure, Math.max(bar.right(), high) + 6, middle + 4, TextStyle.SMALL.with(Tone.TEXT));
    }
}
