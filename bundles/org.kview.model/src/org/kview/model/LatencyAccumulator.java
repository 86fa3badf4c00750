// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Adds up the intervals of a recording. Not safe for use by several threads; what
 * {@link #functions()} returns is immutable and may be handed on.
 */
public final class LatencyAccumulator {
    private final List<Sum> sums = new ArrayList<>();
    private Losses losses = Losses.NONE;
    private ProcessShare share = ProcessShare.UNKNOWN;

    /** @param functions in the order of their ids, which begin at 0 and have no gaps */
    public LatencyAccumulator(List<ProbedFunction> functions) {
        for (ProbedFunction function : functions) {
            if (function.id() != sums.size()) {
                throw new IllegalArgumentException("Function ids must count from 0: " + function);
            }
            sums.add(new Sum(function));
        }
    }

    /**
     * Adds an interval. If this throws, nothing of it was added.
     *
     * @throws IllegalArgumentException if it names a function that is not recorded, or a sum grows beyond a long
     */
    public void add(LatencyInterval interval) {
        for (FunctionInterval part : interval.functions()) {
            if (part.functionId() < 0 || part.functionId() >= sums.size()) {
                throw new IllegalArgumentException("Function " + part.functionId() + " is not recorded");
            }
            sums.get(part.functionId()).check(part);
        }
        interval.functions().forEach(part -> sums.get(part.functionId()).add(part));
        losses = interval.losses();
        share = interval.share();
    }

    /** The sums so far. The object of a function that has not changed is the same as before. */
    public List<FunctionLatency> functions() {
        return sums.stream().map(Sum::latency).toList();
    }

    public Losses losses() {
        return losses;
    }

    /** The probes' cost per call: the mean over all recorded calls. */
    public Overhead overhead() {
        long calls = sums.stream().mapToLong(s -> s.calls).sum();
        double nanos = sums.stream().mapToDouble(s -> (double) s.calls * s.function.cost().callNanos()).sum();
        // Of some only the whole cost of a call is known: nothing is ever subtracted from their times.
        boolean calibrated = sums.stream().anyMatch(s -> s.function.cost().innerNanos() > 0)
                && sums.stream().allMatch(s -> s.function.cost().innerNanos() > 0 || s.function.cost().callNanos() > 0);
        return new Overhead(calls == 0 ? 0 : Math.round(nanos / calls), calibrated, Optional.empty(), "", share,
                Optional.empty(), "");
    }

    private static final class Sum {
        private final ProbedFunction function;
        private final Map<Metric, Distribution.Builder> builders = new EnumMap<>(Metric.class);
        private long calls;
        private long abandoned;
        private long unfinished;
        private Optional<CallFates> fates = Optional.empty();
        private List<ValueFigures> values = List.of();
        private final Map<Quantity, Distribution.Builder> quantities = new HashMap<>();
        /** The distributions that were built, by metric; valid until something is added. */
        private final Map<Metric, Distribution> built = new EnumMap<>(Metric.class);
        private Optional<FunctionLatency> latency = Optional.empty();

        Sum(ProbedFunction function) {
            this.function = function;
        }

        void check(FunctionInterval part) {
            if (with(part.values()).size() > ValueFigures.MOST) {
                throw new IllegalArgumentException("More than " + ValueFigures.MOST + " values of " + function.name());
            }
            part.added().forEach((metric, values) -> checkSum(builders.get(metric), values));
            function.quantities().forEach(quantity -> checkSum(quantities.get(quantity), added(part, quantity)));
        }

        private void checkSum(Distribution.Builder sum, Distribution values) {
            if (sum != null && !sum.fits(values)) {
                throw new IllegalArgumentException("The sum of " + function.name() + " is beyond 2^63");
            }
        }

        private static Distribution added(FunctionInterval part, Quantity quantity) {
            return part.quantities().getOrDefault(quantity.id(), Distribution.EMPTY);
        }

        void add(FunctionInterval part) {
            calls = part.calls();
            abandoned = part.abandoned();
            unfinished = part.unfinished();
            fates = part.fates().or(() -> fates);
            values = with(part.values());
            part.added().forEach((metric, values) -> {
                builders.computeIfAbsent(metric, m -> new Distribution.Builder()).add(values);
                built.remove(metric);
            });
            function.quantities().stream().filter(quantity -> !added(part, quantity).isEmpty())
                    .forEach(quantity -> quantities.computeIfAbsent(quantity, _ -> new Distribution.Builder()).add(added(part, quantity)));
            latency = Optional.empty();
        }

        private List<ValueFigures> with(List<ValueFigures> added) {
            if (added.isEmpty()) {
                return values;
            }
            // What may be wrong is told since the recording's start.
            Set<CallValue> again = added.stream().map(ValueFigures::value).collect(Collectors.toSet());
            return ValueFigures.sums(Stream.concat(values.stream().map(v -> again.contains(v.value())
                    ? new ValueFigures(v.value(), v.distributions(), 0) : v), added.stream()));
        }

        FunctionLatency latency() {
            if (latency.isEmpty()) {
                builders.forEach((metric, builder) -> built.computeIfAbsent(metric, m -> builder.build()));
                latency = Optional.of(new FunctionLatency(function, calls, abandoned, unfinished, fates, built, values,
                        quantities.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, sum -> sum.getValue().build()))));
            }
            return latency.get();
        }
    }
}
