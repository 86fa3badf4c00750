// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What an interval of a recording adds to the figures of one function.
 *
 * @param functionId {@link ProbedFunction#id()} of the function
 * @param calls      entries since the recording's start
 * @param abandoned  calls left in a way that no probe sees: by an exception, longjmp or hand-written code,
 *                   since the recording's start
 * @param unfinished calls still running when their thread or the recording ended, since its start
 * @param fates      what became of the other calls, since its start; empty where the agent does not say
 * @param added      values of this interval by metric; their maximum is that since the recording's start
 * @param values     likewise, by a value of the calls; not in each interval
 * @param quantities likewise, what the calls took beside time, by {@link Quantity#id()}
 */
public record FunctionInterval(int functionId, long calls, long abandoned, long unfinished,
        Optional<CallFates> fates, Map<Metric, Distribution> added, List<ValueFigures> values,
        Map<String, Distribution> quantities) {

    /** 2^48: nine years of a million calls a second. Sums over functions stay within a long. */
    private static final long MAX_CALLS = 1L << 48;

    /** Of a function of which time alone is measured. */
    public FunctionInterval(int functionId, long calls, long abandoned, long unfinished, Optional<CallFates> fates,
            Map<Metric, Distribution> added, List<ValueFigures> values) {
        this(functionId, calls, abandoned, unfinished, fates, added, values, Map.of());
    }

    /** Of a function whose figures are not split. */
    public FunctionInterval(int functionId, long calls, long abandoned, long unfinished, Optional<CallFates> fates,
            Map<Metric, Distribution> added) {
        this(functionId, calls, abandoned, unfinished, fates, added, List.of());
    }

    /** From an agent that does not say what became of each call. */
    public FunctionInterval(int functionId, long calls, long abandoned, long unfinished,
            Map<Metric, Distribution> added) {
        this(functionId, calls, abandoned, unfinished, Optional.empty(), added);
    }

    public FunctionInterval {
        Objects.requireNonNull(fates);
        values = List.copyOf(values);
        quantities = Map.copyOf(quantities);
        if (!isNumber(calls) || !isNumber(abandoned) || !isNumber(unfinished)) {
            throw new IllegalArgumentException("No number of calls: " + calls + ", " + abandoned + ", " + unfinished);
        }
        Map<Metric, Distribution> copy = new EnumMap<>(Metric.class);
        copy.putAll(added);
        added = Collections.unmodifiableMap(copy);
    }

    private static boolean isNumber(long calls) {
        return calls >= 0 && calls <= MAX_CALLS;
    }
}
