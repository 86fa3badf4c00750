/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;

import org.kview.chart.Ink.Tone;
import org.kview.model.LatencyFormat;

/**
 * Dashed lines at the median and the 99th percentile of each series, labelled above the picture. No
 * label lies over another one or over a line. Where there is no room for all, marks of later series
 * go without, line and all.
 */
final class PercentileMarks {
    private static final int[] PERCENTILES = {50, 99};
    private static final double LABEL_GAP = 4;

    private final List<DistributionSeries> series;
    private final DoubleUnaryOperator xOf;
    private final int rows;
    private final double rowHeight;

    PercentileMarks(List<DistributionSeries> series, DoubleUnaryOperator xOf, int rows, double rowHeight) {
        this.series = series;
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

    /** @param top the y above the first row of labels */
    void draw(Surface surface, Area plot, double top) {
        List<Placed> placed = new ArrayList<>();
        for (Mark mark : marks()) {
            place(mark, surface.textWidth(mark.label(), TextStyle.SMALL), plot, placed).ifPresent(placed::add);
        }
        for (Placed p : placed) {
            double baseline = top + (p.row() + 1) * rowHeight - 3;
            surface.drawLine(p.mark().x(), baseline - 9, p.mark().x(), plot.bottom(), Stroke.dashed(Tone.MUTED, 1));
            surface.drawText(p.mark().label(), p.left(), baseline, TextStyle.SMALL);
        }
    }

    private Optional<Placed> place(Mark mark, double width, Area plot, List<Placed> taken) {
        double[] starts = {mark.x() + LABEL_GAP, mark.x() - LABEL_GAP - width};
        for (int row = 0; row < rows; row++) {
            for (double start : starts) {
                Placed candidate = new Placed(mark, row, start, start + width);
                if (start >= plot.x() && start + width <= plot.right()
                        && taken.stream().noneMatch(candidate::clashesWith)) {
                    return Optional.of(candidate);
                }
            }
        }
        return Optional.empty();
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
