/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.functions;

import java.util.OptionalDouble;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.Verdict;
import org.kview.session.report.FunctionNotes;

/**
 * A line of the function table, computed once for each set of figures.
 *
 * @param latency what was measured
 * @param verdict where the time went
 * @param wallP50 ns; likewise the others; empty where no call returned or the buckets are lost
 */
record FunctionRow(FunctionLatency latency, Verdict verdict, OptionalDouble wallP50, OptionalDouble wallP99,
        OptionalDouble cpuP50, OptionalDouble cpuP99) {

    static FunctionRow of(FunctionLatency latency) {
        return new FunctionRow(latency, Verdict.of(latency), percentile(latency.wall(), 50),
                percentile(latency.wall(), 99), percentile(latency.onCpu(), 50), percentile(latency.onCpu(), 99));
    }

    /** The verdict, and what has to be known to read the times: where they end, how exact they are. */
    String verdictText() {
        return FunctionNotes.verdict(latency);
    }

    int id() {
        return latency.function().id();
    }

    String name() {
        return latency.function().name();
    }

    /** The file's name without its folder. */
    String binaryName() {
        String path = latency.function().point().binary();
        return path.substring(path.lastIndexOf('/') + 1);
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

    private static OptionalDouble percentile(Distribution values, double percentile) {
        return values.isEmpty() || !values.hasBuckets() ? OptionalDouble.empty()
                : OptionalDouble.of(values.percentileNanos(percentile));
    }
}
