/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What was measured of one function.
 *
 * @param function      which
 * @param calls         entries seen
 * @param abandoned     calls left by longjmp or an exception
 * @param unfinished    calls still running when their thread or the recording ended
 * @param distributions by metric; one that is absent never occurred
 */
public record FunctionLatency(ProbedFunction function, long calls, long abandoned, long unfinished,
        Map<Metric, Distribution> distributions) {

    public FunctionLatency {
        Map<Metric, Distribution> copy = new EnumMap<>(Metric.class);
        copy.putAll(distributions);
        distributions = Collections.unmodifiableMap(copy);
    }

    public Distribution distribution(Metric metric) {
        return distributions.getOrDefault(metric, Distribution.EMPTY);
    }

    public Distribution wall() {
        return distribution(Metric.WALL);
    }

    public Distribution onCpu() {
        return distribution(Metric.ON_CPU);
    }

    /** The share of all wall-clock time that a metric holds, 0 to 1; 0 if nothing was measured. */
    public double share(Metric metric) {
        long wallNanos = wall().totalNanos();
        return wallNanos == 0 ? 0 : (double) distribution(metric).totalNanos() / wallNanos;
    }
}
