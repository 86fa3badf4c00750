// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Quantity;

/** What calls took beside time, for people. */
final class QuantityText {
    private QuantityText() {
    }

    /** A line for each thing that was counted within a function's calls: "minor page faults: 1,845 in 369 of 410 calls, 4.5 a call, …". */
    static List<String> of(FunctionLatency latency) {
        return latency.wall().isEmpty() ? List.of()
                : Stream.concat(latency.function().quantities().stream().map(quantity -> line(latency, quantity)), perCycle(latency).stream()).toList();
    }

    /** What follows from two of them: "instructions a cycle: 1.83". */
    static Optional<String> perCycle(FunctionLatency latency) {
        OptionalDouble perCycle = latency.instructionsPerCycle();
        return perCycle.isEmpty() ? Optional.empty() : Optional.of("instructions a cycle: " + LatencyFormat.fixed(perCycle.getAsDouble(), 2));
    }

    private static String line(FunctionLatency latency, Quantity quantity) {
        Distribution d = latency.quantity(quantity);
        if (d.isEmpty()) {
            return quantity.title() + ": none";
        }
        return quantity.title() + ": " + quantity.text(d.totalNanos()) + " in " + of(latency, quantity) + ", " + quantity.text(latency.perCall(quantity)) + " a call; of those, p50 "
                + percentile(d, quantity, 50) + ", p99 " + percentile(d, quantity, 99) + ", max " + quantity.text(d.maxNanos());
    }

    private static String of(FunctionLatency latency, Quantity quantity) {
        String count = LatencyFormat.count(latency.quantity(quantity).count());
        return quantity.of().isEmpty() ? count + " of " + LatencyFormat.count(latency.countedCalls(quantity)) + " calls" : count + " " + quantity.of();
    }

    /** Of the calls that took any. */
    static String percentile(Distribution distribution, Quantity quantity, int percentile) {
        var value = Figures.percentile(distribution, percentile);
        return distribution.isEmpty() ? Figures.NONE : value.isEmpty() ? Figures.UNKNOWN
                : quantity.text(quantity.unit() == Quantity.Unit.NANOSECONDS ? value.getAsDouble() : Math.round(value.getAsDouble()));
    }
}
