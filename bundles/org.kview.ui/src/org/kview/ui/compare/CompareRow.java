// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

import org.kview.compare.Change;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.report.ComparisonText;
import org.kview.model.FunctionLatency;
import org.kview.statistics.Statistic;

/**
 * A line of the table.
 *
 * @param rank     its place when sorted by what changed most, from 0
 * @param name     of the function, as the table shows it
 * @param a        in A, if it is there
 * @param b        in B, if it is there
 * @param function how it changed; empty unless it is in both
 * @param verdict  the sentence about it
 */
record CompareRow(int rank, String name, Optional<FunctionLatency> a, Optional<FunctionLatency> b,
        Optional<FunctionComparison> function, String verdict) {

    /** First the functions that both sides have, then those that only one side has. */
    static List<CompareRow> of(Comparison comparison) {
        List<CompareRow> rows = new ArrayList<>();
        Map<FunctionComparison, String> names = ComparisonText.names(comparison);
        comparison.functions().forEach(f -> rows.add(new CompareRow(rows.size(), names.get(f), Optional.of(f.pair().a()),
                Optional.of(f.pair().b()), Optional.of(f), String.join(" · ",
                        Stream.concat(Stream.of(ComparisonText.line(comparison, f)), ComparisonText.marks(f).stream()).toList()))));
        comparison.onlyA().forEach(f -> rows.add(inA(rows.size(), f, "only in A")));
        comparison.onlyB().forEach(f -> rows.add(inB(rows.size(), f, "only in B")));
        comparison.amongOthersB().forEach(f -> rows.add(inA(rows.size(), f, "in B among other values")));
        comparison.amongOthersA().forEach(f -> rows.add(inB(rows.size(), f, "in A among other values")));
        return rows;
    }

    private static CompareRow inA(int rank, FunctionLatency latency, String where) {
        return new CompareRow(rank, latency.function().name(), Optional.of(latency), Optional.empty(), Optional.empty(), where);
    }

    private static CompareRow inB(int rank, FunctionLatency latency, String where) {
        return new CompareRow(rank, latency.function().name(), Optional.empty(), Optional.of(latency), Optional.empty(), where);
    }

    Optional<Change> change(Statistic statistic) {
        return function.map(f -> f.wall().get(statistic));
    }
}
