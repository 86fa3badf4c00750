// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.Verdict;
import org.kview.session.report.FunctionNotes;

/**
 * A line of the function table. What has to be computed is computed when it is first needed, because of thousands of
 * functions only about thirty are visible. Not safe for several threads.
 */
final class FunctionRow {
    private final FunctionLatency latency;
    private final boolean live;
    private final Map<Metric, Map<Integer, OptionalDouble>> percentiles = new EnumMap<>(Metric.class);
    private Optional<Verdict> verdict = Optional.empty();

    private FunctionRow(FunctionLatency latency, boolean live) {
        this.latency = latency;
        this.live = live;
    }

    /** @param live whether its recording goes on, so that a function without calls may still be called */
    static FunctionRow of(FunctionLatency latency, boolean live) {
        return new FunctionRow(latency, live);
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

    int id() {
        return latency.function().id();
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
        return other instanceof FunctionRow row && live == row.live && latency.equals(row.latency);
    }

    @Override
    public int hashCode() {
        return latency.hashCode();
    }
}
