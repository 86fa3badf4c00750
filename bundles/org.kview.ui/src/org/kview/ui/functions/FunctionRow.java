// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.Verdict;
import org.kview.session.report.FunctionNotes;

/**
 * A line of the function table: a function, or its calls that have a value. What has to be computed is computed when it is first needed, because of thousands of
 * functions only about thirty are visible. Not safe for several threads.
 */
final class FunctionRow {
    private final FunctionLatency latency;
    private final ProbedFunction whole;
    private final boolean live;
    private final Map<Metric, Map<Integer, OptionalDouble>> percentiles = new EnumMap<>(Metric.class);
    private Optional<Verdict> verdict = Optional.empty();

    private FunctionRow(FunctionLatency latency, ProbedFunction whole, boolean live) {
        this.latency = latency;
        this.whole = whole;
        this.live = live;
    }

    /** @param live whether its recording goes on, so that a function without calls may still be called */
    static FunctionRow of(FunctionLatency latency, boolean live) {
        return new FunctionRow(latency, latency.function(), live);
    }

    /** The lines of those of its calls that have one value each. */
    List<FunctionRow> values() {
        return latency.byValue().stream().map(value -> new FunctionRow(value, whole, live)).toList();
    }

    /** What was measured. */
    FunctionLatency latency() {
        return latency;
    }

    /** Where the time went. */
    Verdict verdict() {
        if (verdict.isEmpty()) {
            verdict = Optional.of(Verdict.of(latency));
        }
        return verdict.get();
    }

    /** The verdict, and what has to be known to read the times: where they end, how exact they are. */
    String verdictText() {
        return live && latency.calls() == 0 ? latency.function().countsHits() ? "not hit yet" : "not called yet" : FunctionNotes.verdict(latency);
    }

    /** What was counted beside time, of a call on average: "minor page faults 4.5 · major page faults 0"; and what follows from it. */
    String besideText() {
        if (latency.function().quantities().isEmpty() || latency.wall().isEmpty()) {
            return FunctionColumn.UNKNOWN;
        }
        return latency.function().quantities().stream().map(quantity -> quantity.title() + " " + quantity.text(latency.perCall(quantity)))
                .collect(Collectors.joining(" · ")) + latency.instructionsPerCycle().stream().mapToObj(value -> " · instructions a cycle " + LatencyFormat.fixed(value, 2))
                .collect(Collectors.joining());
    }

    double firstBeside() {
        return latency.function().quantities().stream().findFirst().map(latency::perCall).orElse(-1.0);
    }

    /** The function whose calls they are. */
    ProbedFunction whole() {
        return whole;
    }

    /** Tells it apart from all other lines, also in figures of another moment. */
    Object key() {
        return List.of(whole.id(), name());
    }

    String name() {
        return latency.function().name();
    }

    /** The file that holds it. */
    String binary() {
        return latency.function().point().binary();
    }

    /** That file's name without its folder. */
    String binaryName() {
        return binary().substring(binary().lastIndexOf('/') + 1);
    }

    /** In ns. Like the others, it is empty if no call returned or the buckets are lost. */
    OptionalDouble wallP50() {
        return percentile(Metric.WALL, 50);
    }

    OptionalDouble wallP99() {
        return percentile(Metric.WALL, 99);
    }

    OptionalDouble cpuP50() {
        return percentile(Metric.ON_CPU, 50);
    }

    OptionalDouble cpuP99() {
        return percentile(Metric.ON_CPU, 99);
    }

    OptionalDouble mean(Metric metric) {
        Distribution values = latency.distribution(metric);
        return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(values.meanNanos());
    }

    OptionalDouble max(Metric metric) {
        Distribution values = latency.distribution(metric);
        return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(values.maxNanos());
    }

    OptionalDouble total(Metric metric) {
        Distribution values = latency.distribution(metric);
        return values.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(values.totalNanos());
    }

    private OptionalDouble percentile(Metric metric, int percent) {
        return percentiles.computeIfAbsent(metric, _ -> new HashMap<>()).computeIfAbsent(percent, _ -> {
            Distribution values = latency.distribution(metric);
            return values.isEmpty() || !values.hasBuckets() ? OptionalDouble.empty()
                    : OptionalDouble.of(values.percentileNanos(percent));
        });
    }

    /** Whether it shows the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof FunctionRow row && live == row.live && whole.id() == row.whole.id() && latency.equals(row.latency);
    }

    @Override
    public int hashCode() {
        return latency.hashCode();
    }
}
