/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.distribution;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

import org.kview.chart.DistributionSeries;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.report.FunctionNotes;

/**
 * What the distribution view draws.
 *
 * @param functions those that were selected; the slowest one where none was
 * @param metrics   those switched on
 */
record DistributionInput(List<FunctionLatency> functions, Set<Metric> metrics) {
    /** As many as there are colours to tell them apart. */
    static final int MOST_SERIES = 7;

    static final DistributionInput EMPTY = new DistributionInput(List.of(), EnumSet.of(Metric.WALL, Metric.ON_CPU));

    /** @param selectedIds ids of functions; those that the session does not hold are left out */
    static DistributionInput of(LatencySnapshot figures, List<Integer> selectedIds, Set<Metric> metrics) {
        List<FunctionLatency> selected = figures.functions().stream()
                .filter(function -> selectedIds.contains(function.function().id())).toList();
        List<FunctionLatency> drawn = !selected.isEmpty() ? selected : figures.functions().stream()
                .max(Comparator.comparingLong(function -> function.wall().totalNanos())).stream().toList();
        return new DistributionInput(drawn, metrics);
    }

    /** Of one function in the metrics' colours; of several, in colours of their own. */
    List<DistributionSeries> series() {
        List<DistributionSeries> series = new ArrayList<>();
        for (FunctionLatency function : functions) {
            for (Metric metric : metrics) {
                if (isDrawn(function, metric)) {
                    series.add(named(function, metric, series.size()));
                }
            }
        }
        if (series.isEmpty()) {
            // Of what is chosen nothing was measured: wall-clock time always is.
            functions.forEach(function -> series.add(named(function, Metric.WALL, series.size())));
        }
        int most = functions.size() == 1 ? series.size() : Math.min(MOST_SERIES, series.size());
        return List.copyOf(series.subList(0, most));
    }

    /** A cause that did not occur is not, nor what was not measured, such as a system call's on-CPU time. */
    private static boolean isDrawn(FunctionLatency function, Metric metric) {
        return function.isMeasured(metric) && (!metric.isCause() || !function.distribution(metric).isEmpty());
    }

    private DistributionSeries named(FunctionLatency function, Metric metric, int index) {
        DistributionSeries series = DistributionSeries.of(function, metric);
        return functions.size() == 1 ? series.withLabel(metric.label()) : series.withColour(index);
    }

    /** "price_basket", "price_basket and 2 more"; empty where there is nothing to draw. */
    String title() {
        if (functions.isEmpty()) {
            return "";
        }
        String first = functions.getFirst().function().name();
        int more = functions.size() - 1;
        int hidden = (int) functions.stream().flatMap(f -> metrics.stream()
                .filter(m -> isDrawn(f, m))).count() - series().size();
        return first + (more == 0 ? FunctionNotes.marks(functions.getFirst()).map(marks -> " · " + marks).orElse("")
                : " and " + more + " more")
                + (hidden == 0 ? "" : ", the first " + series().size() + " curves");
    }
}
