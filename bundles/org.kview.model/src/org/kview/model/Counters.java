// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.OptionalDouble;
import java.util.Set;

/** What the processor counts within calls, by the ids of its quantities: what of that says something together. */
final class Counters {
    private static final String CYCLES = "cycles";
    private static final String INSTRUCTIONS = "instructions";
    private static final String UNREAD = "counters_unread";
    private static final Set<String> ALL = Set.of(CYCLES, INSTRUCTIONS, "cache_misses");

    private Counters() {
    }

    /** The timed calls that a quantity was counted of: all but those whose counters could not be read, if it is one of them. */
    static long calls(FunctionLatency latency, Quantity quantity) {
        return latency.wall().count() - (ALL.contains(quantity.id()) ? named(latency, UNREAD).count() : 0);
    }

    /** Of all calls together; empty where no cycle was counted. */
    static OptionalDouble instructionsPerCycle(FunctionLatency latency) {
        double cycles = named(latency, CYCLES).totalNanos();
        return cycles == 0 ? OptionalDouble.empty() : OptionalDouble.of(named(latency, INSTRUCTIONS).totalNanos() / cycles);
    }

    private static Distribution named(FunctionLatency latency, String id) {
        return latency.function().quantities().stream().filter(quantity -> quantity.id().equals(id)).findFirst().map(latency::quantity).orElse(Distribution.EMPTY);
    }
}
