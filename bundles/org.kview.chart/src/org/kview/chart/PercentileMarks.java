// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.DoubleUnaryOperator;

import org.kview.chart.Ink.Tone;
import org.kview.model.LatencyFormat;

/**
 * Dashed lines at the median and the 99th percentile of each series, labelled above the picture. No label lies over another
 * one or over a line. Where there is no room for all labels, the marks of the series with the least time are left out
 * together with their lines. Marks that lie beyond the picture are left out, too.
 */
final class PercentileMarks {
    private static final int[] PERCENTILES = {50, 99};
    private static final double LABEL_GAP = 4;
    /** Two series' marks; each further one makes the search five times longer. */
    private static final int SEARCHED = 4;

    private final List<DistributionSeries> series;
    private final DoubleUnaryOperator xOf;
    private final int rows;
    private final double rowHeight;

    PercentileMarks(List<DistributionSeries> series, DoubleUnaryOperator xOf, int rows, double rowHeight) {
        this.series = series.stream()
                .sorted(Comparator.comparingLong((DistributionSeries s) -> s.distribution().totalNanos()).reversed()).toList();
        this.xOf = xOf;
        this.rows = rows;
        this.rowHeight = rowHeight;
    }

    private record Mark(double x, String label) {
    }

    /** A label from {@code left} to {@code right} in a row; its line goes down from there. */
    private record Placed(Mark mark, int row, double left, double right) {
        boolean clashesWith(Placed other) {
            boolean labels = row == other.row && left < other.right + LABEL_GAP && right > other.left - LABEL_GAP;
            return labels || lineCrosses(other) || other.lineCrosses(this);
        }

        private boolean lineCrosses(Placed other) {
            return row <= other.row && mark.x > other.left - 2 && mark.x < other.right + 2;
        }
    }

    /**
     * Draws the marks.
     *
     * @param plot  where the lines end
     * @param left  of the room that labels have
     * @param right likewise
     * @param top   the y above the first row of labels
     */
    void draw(Surface surface, Area plot, double left, double right, double top) {
        List<List<Placed>> choices = marks().stream().filter(mark -> mark.x() >= plot.x() && mark.x() <= plot.right())
                .map(mark -> choices(mark, surface.textWidth(mark.label(), TextStyle.SMALL), left, right)).toList();
        for (Placed p : place(choices)) {
            double baseline = top + (p.row() + 1) * rowHeight - 3;
            surface.drawLine(p.mark().x(), baseline - 9, p.mark().x(), plot.bottom(), Stroke.dashed(Tone.MUTED, 1));
            surface.drawText(p.mark().label(), p.left(), baseline, TextStyle.SMALL);
        }
    }

    /** In each row, right or left of the line, where that lies within the room. */
    private List<Placed> choices(Mark mark, double width, double left, double right) {
        List<Placed> choices = new ArrayList<>();
        for (int row = 0; row < rows; row++) {
            choices.add(new Placed(mark, row, mark.x() + LABEL_GAP, mark.x() + LABEL_GAP + width));
            choices.add(new Placed(mark, row, mark.x() - LABEL_GAP - width, mark.x() - LABEL_GAP));
        }
        choices.removeIf(p -> p.left() < left || p.right() > right);
        return choices;
    }

    /** The best way to place the first marks is searched for; further ones take what room is left. */
    private static List<Placed> place(List<List<Placed>> choices) {
        int searched = Math.min(SEARCHED, choices.size());
        List<Placed> placed = new ArrayList<>(search(choices.subList(0, searched), new ArrayList<>()));
        for (List<Placed> own : choices.subList(searched, choices.size())) {
            own.stream().filter(p -> placed.stream().noneMatch(p::clashesWith)).findFirst().ifPresent(placed::add);
        }
        return placed;
    }

    private static List<Placed> search(List<List<Placed>> choices, List<Placed> taken) {
        if (choices.isEmpty()) {
            return List.copyOf(taken);
        }
        List<List<Placed>> rest = choices.subList(1, choices.size());
        List<Placed> best = List.of();
        for (Placed choice : choices.getFirst()) {
            if (best.size() == taken.size() + choices.size()) {
                break;
            }
            if (taken.stream().noneMatch(choice::clashesWith)) {
                taken.add(choice);
                best = better(best, search(rest, taken));
                taken.removeLast();
            }
        }
        return best.size() == taken.size() + choices.size() ? best : better(best, search(rest, taken));
    }

    private static List<Placed> better(List<Placed> first, List<Placed> second) {
        return second.size() > first.size() ? second : first;
    }

    private List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        for (DistributionSeries s : series) {
            for (int percentile : PERCENTILES) {
                if (s.distribution().bucketLimit() > 0) {
                    double nanos = s.distribution().percentileNanos(percentile);
                    marks.add(new Mark(xOf.applyAsDouble(nanos), (s.shortLabel() + " p" + percentile).strip() + " "
                            + LatencyFormat.nanos(nanos)));
                }
            }
        }
        return marks;
    }
}
