// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The figures of those timed calls of a function that have one value.
 *
 * @param distributions  by metric
 * @param uncertainNanos by how much the total of the wall-clock time may be wrong in either direction
 * @param atLeast        whether there may be more such calls: the figures are a sum, and a part of it may have counted some of them among its
 *                       other values
 */
public record ValueFigures(CallValue value, Map<Metric, Distribution> distributions, long uncertainNanos, boolean atLeast) {
    /** Of a function: what an agent tells of at most. */
    public static final int MOST = 67;

    /** Of one host. */
    public ValueFigures(CallValue value, Map<Metric, Distribution> distributions, long uncertainNanos) {
        this(value, distributions, uncertainNanos, false);
    }

    public ValueFigures {
        Objects.requireNonNull(value);
        Map<Metric, Distribution> copy = new EnumMap<>(Metric.class);
        copy.putAll(distributions);
        distributions = Collections.unmodifiableMap(copy);
        if (uncertainNanos < 0 || uncertainNanos > CallFates.MAX) {
            throw new IllegalArgumentException("No time: " + uncertainNanos);
        }
    }

    public Distribution distribution(Metric metric) {
        return distributions.getOrDefault(metric, Distribution.EMPTY);
    }

    /** Each value once, with the sum of its figures. */
    public static List<ValueFigures> sums(Stream<ValueFigures> parts) {
        Map<CallValue, List<ValueFigures>> same = parts.collect(Collectors.groupingBy(ValueFigures::value));
        return same.entrySet().stream().map(entry -> sum(entry.getKey(), entry.getValue())).toList();
    }

    /** The same, where there may be more such calls. */
    ValueFigures andPerhapsMore() {
        return new ValueFigures(value, distributions, uncertainNanos, true);
    }

    private static ValueFigures sum(CallValue value, List<ValueFigures> parts) {
        Map<Metric, Distribution> sums = new EnumMap<>(Metric.class);
        for (ValueFigures part : parts) {
            part.distributions.forEach((metric, added) -> sums.merge(metric, added, ValueFigures::sum));
        }
        return new ValueFigures(value, sums, parts.stream().mapToLong(ValueFigures::uncertainNanos).reduce(0, CallFates::sum),
                parts.stream().anyMatch(ValueFigures::atLeast));
    }

    private static Distribution sum(Distribution one, Distribution other) {
        Distribution.Builder builder = new Distribution.Builder().add(one);
        if (!builder.fits(other)) {
            throw new IllegalArgumentException("The sum of a value's figures is beyond 2^63");
        }
        return builder.add(other).build();
    }
}
