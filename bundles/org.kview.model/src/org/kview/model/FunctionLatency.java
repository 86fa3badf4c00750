// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The figures of one function.
 *
 * @param function      the function
 * @param calls         entries seen; of a tracepoint its hits
 * @param abandoned     calls left in a way that no probe sees: by an exception, longjmp or hand-written code
 * @param unfinished    calls still running when their thread or the recording ended
 * @param fates         what became of the other calls, and how sure the times are; empty where the agent
 *                      did not say
 * @param distributions by metric; one that is absent never occurred, or is not {@link ProbedFunction#measured()}
 * @param values        likewise, by a value of the timed calls, if figures are split by one
 * @param quantities    what the timed calls took beside time, of {@link ProbedFunction#quantities()} and in their units: each of those calls
 *                      that took any, and one that is absent none took
 * @param atLeast       of those calls of a function that have a value, whether there may be more of them, see {@link ValueFigures}
 */
public record FunctionLatency(ProbedFunction function, long calls, long abandoned, long unfinished,
        Optional<CallFates> fates, Map<Metric, Distribution> distributions, List<ValueFigures> values,
        Map<Quantity, Distribution> quantities, boolean atLeast) {
    /** Those that took most time first, and what is no single value last. */
    private static final Comparator<ValueFigures> BY_TIME = Comparator.comparing((ValueFigures v) -> !v.value().kind().isOne())
            .thenComparing(v -> v.distribution(Metric.WALL).totalNanos(), Comparator.reverseOrder())
            .thenComparing(v -> v.value().kind()).thenComparing(v -> v.value().number()).thenComparing(v -> v.value().name());
    /** An error bound is worth telling from here on. */
    public static final double NOTABLE_ERROR = 0.05;

    /** Of a function, of whose calls none is elsewhere. */
    public FunctionLatency(ProbedFunction function, long calls, long abandoned, long unfinished, Optional<CallFates> fates,
            Map<Metric, Distribution> distributions, List<ValueFigures> values, Map<Quantity, Distribution> quantities) {
        this(function, calls, abandoned, unfinished, fates, distributions, values, quantities, false);
    }

    /** Of a function of which time alone is measured. */
    public FunctionLatency(ProbedFunction function, long calls, long abandoned, long unfinished, Optional<CallFates> fates,
            Map<Metric, Distribution> distributions, List<ValueFigures> values) {
        this(function, calls, abandoned, unfinished, fates, distributions, values, Map.of());
    }

    /** Of a function whose figures are not split. */
    public FunctionLatency(ProbedFunction function, long calls, long abandoned, long unfinished, Optional<CallFates> fates,
            Map<Metric, Distribution> distributions) {
        this(function, calls, abandoned, unfinished, fates, distributions, List.of());
    }

    /** What an agent said of a function if it did not say what became of each call. */
    public FunctionLatency(ProbedFunction function, long calls, long abandoned, long unfinished,
            Map<Metric, Distribution> distributions) {
        this(function, calls, abandoned, unfinished, Optional.empty(), distributions);
    }

    public FunctionLatency {
        Objects.requireNonNull(fates);
        quantities = Map.copyOf(quantities);
        values = values.stream().sorted(BY_TIME).toList();
        Map<Metric, Distribution> copy = new EnumMap<>(Metric.class);
        copy.putAll(distributions);
        distributions = Collections.unmodifiableMap(copy);
    }

    /** Of each value as of a function, that which took most time first. */
    public List<FunctionLatency> byValue() {
        return values.stream().map(v -> new FunctionLatency(function.of(v.value()), v.distribution(Metric.WALL).count(), 0, 0,
                fates.map(_ -> new CallFates(LostCalls.NONE, 0, 0, new CallFates.ProbesCost(0, v.uncertainNanos(), 0, 0, 0), Optional.empty(),
                        CallFates.Limits.UNKNOWN, false)), v.distributions(), List.of(), Map.of(), v.atLeast())).toList();
    }

    /** Whether there may be calls of a value that has no figures of its own here. */
    public boolean mayHaveCallsOf(CallValue value) {
        return value.kind().isOne() && values.stream().noneMatch(v -> v.value().equals(value))
                && (values.isEmpty() ? !wall().isEmpty() : values.stream().anyMatch(v -> v.value().kind() == CallValue.Kind.OTHERS
                        && !v.distribution(Metric.WALL).isEmpty()));
    }

    public Distribution quantity(Quantity quantity) {
        return quantities.getOrDefault(quantity, Distribution.EMPTY);
    }

    /** The timed calls that a quantity was counted of: all, but for what the processor counts and could not be read. */
    public long countedCalls(Quantity quantity) {
        return Counters.calls(this, quantity);
    }

    /** Of a quantity a call that it was counted of, on average of all; 0 if there was none. */
    public double perCall(Quantity quantity) {
        return countedCalls(quantity) <= 0 ? 0 : (double) quantity(quantity).totalNanos() / countedCalls(quantity);
    }

    /** How many instructions the program's own code executed for each cycle of the processor; empty where these were not counted. */
    public OptionalDouble instructionsPerCycle() {
        return Counters.instructionsPerCycle(this);
    }

    public Distribution distribution(Metric metric) {
        return distributions.getOrDefault(metric, Distribution.EMPTY);
    }

    /** The fates; {@link CallFates#NONE} where they are not known. */
    public CallFates knownFates() {
        return fates.orElse(CallFates.NONE);
    }

    /**
     * How many calls were neither timed nor have another fate. Once the recording has ended this is 0, unless the
     * agent made a mistake; negative if there are more fates than calls. Hits have no fate.
     */
    public long unaccountedCalls() {
        return fates.isEmpty() || function.countsHits() ? 0 : calls - abandoned - unfinished - wall().count() - fates.get().lost().total();
    }

    /** By what share the total wall-clock time may be wrong in either direction; empty if not known or none is left. */
    public OptionalDouble errorShare() {
        return fates.isEmpty() || wall().totalNanos() == 0 ? OptionalDouble.empty()
                : OptionalDouble.of((double) fates.get().cost().uncertainNanos() / wall().totalNanos());
    }

    /** Whether the metric was measured, so that it never occurred if it is absent. */
    public boolean isMeasured(Metric metric) {
        return function.measured().contains(metric);
    }

    public Distribution wall() {
        return distribution(Metric.WALL);
    }

    /** The times between hits. */
    public Distribution between() {
        return distribution(Metric.BETWEEN);
    }

    public Distribution onCpu() {
        return distribution(Metric.ON_CPU);
    }

    /** A metric's share of the wall-clock time, 0 to 1; 0 if nothing was measured. */
    public double share(Metric metric) {
        long wallNanos = wall().totalNanos();
        return wallNanos == 0 ? 0 : (double) distribution(metric).totalNanos() / wallNanos;
    }
}
