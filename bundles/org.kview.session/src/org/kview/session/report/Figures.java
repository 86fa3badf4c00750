// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.chart.BreakdownBar;
import org.kview.chart.DistributionSeries;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;

/** What is the same in all reports: which percentiles, in which order, and the text for a figure that is lost. */
final class Figures {
    static final List<Integer> PERCENTILES = List.of(50, 90, 99);
    /** Stands where a figure can't be known. */
    static final String UNKNOWN = "?";
    /** Stands where there is nothing to measure. */
    static final String NONE = "–";
    /** Stands where a probe does not measure that. */
    static final String NOT_MEASURED = "not measured";

    private Figures() {
    }

    /** In ns; empty if the buckets were lost. */
    static OptionalDouble percentile(Distribution distribution, int percentile) {
        return distribution.hasBuckets() ? OptionalDouble.of(distribution.percentileNanos(percentile))
                : OptionalDouble.empty();
    }

    static String percentileText(Distribution distribution, int percentile) {
        OptionalDouble nanos = percentile(distribution, percentile);
        return distribution.isEmpty() ? NONE
                : nanos.isPresent() ? LatencyFormat.nanos(nanos.getAsDouble()) : UNKNOWN;
    }

    static String onCpuText(FunctionLatency latency, int percentile) {
        return latency.isMeasured(Metric.ON_CPU) ? percentileText(latency.onCpu(), percentile) : NOT_MEASURED;
    }

    /** What a function's chart shows. */
    static List<DistributionSeries> series(FunctionLatency latency) {
        if (latency.function().countsHits()) {
            return List.of(DistributionSeries.of(latency, Metric.BETWEEN).withLabel(Metric.BETWEEN.label()));
        }
        return Stream.of(Metric.WALL, Metric.ON_CPU).filter(m -> m == Metric.WALL || latency.isMeasured(m))
                .map(metric -> DistributionSeries.of(latency, metric).withLabel(metric.label())).toList();
    }

    static String maxText(Distribution distribution) {
        return distribution.isEmpty() ? NONE : LatencyFormat.nanos(distribution.maxNanos());
    }

    static String totalText(Distribution distribution) {
        return distribution.isEmpty() ? NONE : LatencyFormat.nanos(distribution.totalNanos());
    }

    /** Those that took most time first; without tracepoints, which take none. */
    static List<FunctionLatency> byTime(LatencySnapshot snapshot) {
        return snapshot.functions().stream().filter(f -> !f.function().countsHits()).sorted(Comparator
                .comparingLong((FunctionLatency f) -> f.wall().totalNanos()).reversed()
                .thenComparing(f -> f.function().id())).toList();
    }

    /** By function id: its name, with its binary's where the session holds the name twice. */
    static Map<Integer, String> names(LatencySnapshot snapshot) {
        Map<String, Long> uses = snapshot.functions().stream()
                .collect(Collectors.groupingBy(f -> f.function().name(), Collectors.counting()));
        return snapshot.functions().stream().map(FunctionLatency::function).collect(Collectors.toMap(
                ProbedFunction::id, f -> uses.get(f.name()) == 1 ? f.name() : f.name() + " (" + f.point().binary() + ")"));
    }

    /** "lock 94 %, on-CPU 5 %": the largest parts of a function's time, each at least half a percent. */
    static List<BreakdownBar.Part> largestParts(FunctionLatency latency) {
        return BreakdownBar.of(latency).parts().stream().filter(part -> part.share() >= 0.005)
                .sorted(Comparator.comparingDouble(BreakdownBar.Part::share).reversed()).toList();
    }
}
