// SPDX-License-Identifier: EPL-2.0
package org.kview.session.json;

import java.util.List;

import org.kview.model.CostToOthers;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a recording cost others, in {@code session.json} and the report. */
final class CostToOthersJson {
    /** An operation takes some ns, and what is added may be less than one. */
    private static final double HUNDREDTHS = 100;

    private CostToOthersJson() {
    }

    static void write(ObjectNode node, CostToOthers cost) {
        node.put("cpu", cost.cpu()).put("cpu_use", cost.cpuUse().id()).put("cpu_ns", cost.cpuNanos());
        if (!cost.note().isEmpty()) {
            node.put("note", cost.note());
        }
        ArrayNode operations = node.putArray("operations");
        cost.operations().forEach(operation -> write(operations.addObject(), operation));
    }

    private static void write(ObjectNode node, CostToOthers.Operation operation) {
        node.put("name", operation.name());
        names(node.putArray("calls"), operation.calls());
        names(node.putArray("stands_for"), operation.standsFor());
        rounds(node.putObject("before"), operation.before());
        rounds(node.putObject("during"), operation.during());
        rounds(node.putObject("after"), operation.after());
        operation.more().ifPresent(more -> interval(node.putObject("more"), more));
        operation.drift().ifPresent(drift -> interval(node.putObject("drift"), drift));
    }

    private static void names(ArrayNode array, List<String> names) {
        names.forEach(array::add);
    }

    private static void rounds(ObjectNode node, CostToOthers.Rounds rounds) {
        node.put("rounds", rounds.count()).put("median_ns", rounded(rounds.medianNanos()));
    }

    private static void interval(ObjectNode node, CostToOthers.Interval interval) {
        node.put("ns", rounded(interval.nanos())).put("low_ns", rounded(interval.lowNanos()))
                .put("high_ns", rounded(interval.highNanos()));
    }

    private static double rounded(double nanos) {
        return Math.round(nanos * HUNDREDTHS) / HUNDREDTHS;
    }
}
