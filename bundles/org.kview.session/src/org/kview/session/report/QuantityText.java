// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.List;

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
        return latency.wall().isEmpty() ? List.of() : latency.function().quantities().stream().map(quantity -> line(latency, quantity)).toList();
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
        return quantity.of().isEmpty() ? count + " of " + LatencyFormat.count(latency.wall().count()) + " calls" : count + " " + quantity.of();
    }

    /** Of the calls that took any. */
    static String percentile(Distribution distribution, Quantity quantity, int percentile) {
        var value = Figures.percentile(distribution, percentile);
        return distribution.isEmpty() ? Figures.NONE : value.isEmpty() ? Figures.UNKNOWN
                : quantity.text(quantity.unit() == Quantity.Unit.NANOSECONDS ? value.getAsDouble() : Math.round(value.getAsDouble()));
    }
}
