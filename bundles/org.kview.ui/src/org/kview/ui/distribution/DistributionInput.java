// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.kview.chart.DistributionSeries;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.session.report.FunctionNotes;
import org.kview.ui.theme.MetricColours;

/**
 * What the distribution view draws.
 *
 * @param functions those that were selected; the slowest one where none was
 * @param metrics   those switched on
 * @param overlay   whose curves are drawn over theirs
 */
record DistributionInput(List<FunctionLatency> functions, Set<Metric> metrics, Optional<Overlay> overlay) {
    /** As many as there are colours to tell them apart. */
    static final int MOST_SERIES = 7;

    static final DistributionInput EMPTY = new DistributionInput(List.of(), EnumSet.of(Metric.WALL, Metric.ON_CPU), Optional.empty());

    /** Of a name, in characters, where there is little room. */
    private static final int SHORT_NAME = 18;

    /** @param selected functions, and what stands for calls with a value, the one to be drawn first first; those that the session does not hold are left out */
    static DistributionInput of(LatencySnapshot figures, List<ProbedFunction> selected, Set<Metric> metrics) {
        List<FunctionLatency> held = selected.stream().distinct().flatMap(function -> figures.of(function).stream()).toList();
        List<FunctionLatency> drawn = !held.isEmpty() ? held : figures.functions().stream()
                .max(Comparator.comparingLong(function -> function.wall().totalNanos())).stream().toList();
        return new DistributionInput(drawn, metrics, Optional.empty());
    }

    DistributionInput with(Optional<Overlay> other) {
        return new DistributionInput(functions, metrics, other);
    }

    /**
     * A curve that can be drawn.
     *
     * @param session empty of the open one
     */
    private record Curve(FunctionLatency function, Metric metric, String session) {
    }

    /** That of the other session comes behind the open one's. */
    private Stream<Curve> curves() {
        return functions.stream().flatMap(f -> (f.function().countsHits() ? Stream.of(Metric.BETWEEN) : metrics.stream())
                .flatMap(m -> Stream.concat(curve(f, m, "").stream(),
                        overlay.flatMap(o -> o.of(f).flatMap(other -> curve(other, m, o.name()))).stream())));
    }

    private static Optional<Curve> curve(FunctionLatency function, Metric metric, String session) {
        return metric == Metric.BETWEEN || isDrawn(function, metric) ? Optional.of(new Curve(function, metric, session)) : Optional.empty();
    }

    /**
     * The curves; of a tracepoint the time between its hits, whichever metrics are switched on. Those of one function have the colours of the metrics; those of several functions have a colour each. Empty if
     * there is nothing to draw. So do the other session's.
     */
    List<DistributionSeries> series() {
        List<DistributionSeries> series = new ArrayList<>();
        curves().limit(most())
                .forEach(curve -> series.add(named(curve, series.size())));
        return List.copyOf(series);
    }

    /** Those of a single function have the metrics' colours, beside which there are as many others. */
    private int most() {
        return functions.size() == 1 ? Math.max(1, metrics.size()) + MOST_SERIES : MOST_SERIES;
    }

    /** Whether it has a curve: not if the cause never occurred, or was not measured, as a system call's on-CPU time. */
    private static boolean isDrawn(FunctionLatency function, Metric metric) {
        return function.isMeasured(metric) && (!metric.isCause() || !function.distribution(metric).isEmpty());
    }

    private DistributionSeries named(Curve curve, int index) {
        DistributionSeries series = DistributionSeries.of(curve.function(), curve.metric()).withRgb(MetricColours.rgb(curve.metric()));
        if (!curve.session().isEmpty()) {
            String what = functions.size() == 1 ? curve.metric().label() : series.label();
            return series.withColour(index).withLabel(what + " in " + curve.session()).withShortLabel(shortened(curve.session()));
        }
        if (functions.size() == 1) {
            return series.withLabel(curve.metric().label());
        }
        String name = shortened(curve.function().function().name());
        // Where all are of one metric, the legend alone says which.
        return series.withColour(index).withShortLabel(metrics.size() == 1 ? name : name + " " + series.shortLabel());
    }

    /** The end of a long name tells more than its beginning, which is the same for a whole library. */
    private static String shortened(String name) {
        return name.length() <= SHORT_NAME ? name : "…" + name.substring(name.length() - SHORT_NAME + 1);
    }

    /** "price_basket", "price_basket and 2 more", and what has to be known of the curves; empty where there is nothing to draw. */
    String title() {
        if (functions.isEmpty()) {
            return "";
        }
        String first = functions.getFirst().function().name();
        int more = functions.size() - 1;
        long curves = curves().count();
        return first + (more == 0 ? FunctionNotes.marks(functions.getFirst()).map(marks -> " · " + marks).orElse("")
                : " and " + more + " more" + marked(functions))
                + (curves > most() ? ", the first " + most() + " of " + curves + " curves" : "") + unmeasured() + overlaid();
    }

    /** " · over it: before", and what has to be known of it; or that it has none of these functions: then no curve must be looked for. */
    private String overlaid() {
        List<FunctionLatency> others = others();
        return overlay.map(o -> others.isEmpty() ? " · not in " + o.name() : " · over it: " + o.name()
                + (functions.size() == 1 ? FunctionNotes.marks(others.getFirst()).map(marks -> " · " + marks).orElse("") : marked(others)))
                .orElse("");
    }

    /** The same functions in the other session. */
    private List<FunctionLatency> others() {
        return overlay.map(o -> functions.stream().flatMap(f -> o.of(f).stream()).toList()).orElse(List.of());
    }

    /** What has to be known of the other session's curves, one sentence each. */
    List<String> warnings() {
        return overlay.map(o -> o.warnings(others())).orElse(List.of());
    }

    /** " · marked: price_basket and 1 more": the Functions view says of each what has to be known of it. */
    private static String marked(List<FunctionLatency> functions) {
        List<String> marked = functions.stream().filter(f -> FunctionNotes.marks(f).isPresent()).map(f -> f.function().name()).toList();
        return marked.isEmpty() ? "" : " · marked: " + marked.getFirst() + (marked.size() == 1 ? "" : " and " + (marked.size() - 1) + " more");
    }

    /** " · on-CPU and causes not measured": a missing curve must not be read as 0. */
    private String unmeasured() {
        List<String> lacking = new ArrayList<>();
        if (isUnmeasured(Metric.ON_CPU)) {
            lacking.add(Metric.ON_CPU.label());
        }
        if (Metric.CAUSES.stream().anyMatch(this::isUnmeasured)) {
            lacking.add("causes");
        }
        return lacking.isEmpty() ? "" : " · " + String.join(" and ", lacking) + " not measured"
                + (functions.size() == 1 ? "" : " of all");
    }

    /** Whether a metric is switched on but was not measured for all of the functions. */
    private boolean isUnmeasured(Metric metric) {
        return metrics.contains(metric) && !functions.stream().filter(f -> !f.function().countsHits()).allMatch(f -> f.isMeasured(metric));
    }
}
