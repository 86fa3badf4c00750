/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.Optional;

import org.kview.model.Metric;

/** A figure under comparison, until all others have been compared as well. */
final class Finding {
    private final Metric metric;
    private final Statistic statistic;
    private final double valueA;
    private final double valueB;
    private final double resolutionNanos;
    private final Optional<Difference> difference;
    private final Significance reason;
    private double adjusted = 1;

    private Finding(Metric metric, Statistic statistic, double valueA, double valueB, double resolutionNanos,
            Optional<Difference> difference, Significance reason) {
        this.metric = metric;
        this.statistic = statistic;
        this.valueA = valueA;
        this.valueB = valueB;
        this.resolutionNanos = resolutionNanos;
        this.difference = difference;
        this.reason = reason;
    }

    /** @param reason why nothing can be said */
    static Finding untold(Metric metric, Statistic statistic, double valueA, double valueB, double resolutionNanos,
            Significance reason) {
        return new Finding(metric, statistic, valueA, valueB, resolutionNanos, Optional.empty(), reason);
    }

    static Finding of(Metric metric, Statistic statistic, Difference.Side a, Difference.Side b,
            double resolutionNanos) {
        return new Finding(metric, statistic, a.value(), b.value(), resolutionNanos,
                Optional.of(Difference.of(a, b)), Significance.WITHIN_NOISE);
    }

    Metric metric() {
        return metric;
    }

    Statistic statistic() {
        return statistic;
    }

    Optional<Difference> difference() {
        return difference;
    }

    /** @param value of p, adjusted for the other findings */
    void adjust(double value) {
        adjusted = value;
    }

    Change change() {
        return new Change(metric, statistic, valueA, valueB,
                difference.map(d -> new Change.Interval(d.lowNanos(), d.highNanos())), resolutionNanos, adjusted,
                difference.isEmpty() ? reason : adjusted >= Comparer.RATE ? Significance.WITHIN_NOISE
                        : Math.abs(valueB - valueA) <= resolutionNanos ? Significance.BELOW_RESOLUTION
                                : Significance.BEYOND_NOISE);
    }
}
