// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.kview.model.FunctionLatency;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.Quantity;
import org.kview.statistics.ModeratedStatistics;
import org.kview.statistics.ModeratedStatistics.Observations;
import org.kview.statistics.Statistic;

/**
 * What calls took beside their time, compared: of all functions that two sides have, each quantity that both counted. Of several recordings
 * a side it is judged as the means of calls' times are, one quantity of all functions together; of one a side it is told and not judged, as
 * sessions do not keep how it went on.
 */
public final class QuantityChanges {
    /** Added to means before their logarithm is taken, as they may be 0: this part of the mean of both sides. */
    private static final double START_SHARE = 0.1;

    private final Comparison comparison;
    private final Map<FunctionComparison, List<Compared>> changes = new IdentityHashMap<>();

    private record Compared(Quantity quantity, Finding finding) {
    }

    /** A test that waits for those of other functions. */
    private record Waiting(FunctionComparison function, Quantity quantity, GroupJudge.Trial trial) {
    }

    private QuantityChanges(Comparison comparison) {
        this.comparison = comparison;
        Map<String, List<Waiting>> tests = new LinkedHashMap<>();
        for (FunctionComparison function : comparison.functions()) {
            List<Quantity> inB = function.pair().b().function().quantities();
            for (Quantity quantity : function.pair().a().function().quantities()) {
                if (inB.contains(quantity)) {
                    compare(function, quantity, tests);
                }
            }
        }
        tests.values().forEach(this::test);
        Comparer.adjust(changes.values().stream().map(all -> all.stream().map(Compared::finding).toList()), !comparison.isPair());
    }

    public static QuantityChanges of(Comparison comparison) {
        return new QuantityChanges(comparison);
    }

    /** Those of one function. */
    public List<QuantityChange> of(FunctionComparison function) {
        return changes.getOrDefault(function, List.of()).stream().map(compared -> new QuantityChange(compared.quantity(), compared.finding().change()))
                .toList();
    }

    private void compare(FunctionComparison function, Quantity quantity, Map<String, List<Waiting>> tests) {
        List<Double> inA = in(comparison.recordingsA(), function.pair().a().function(), quantity);
        List<Double> inB = in(comparison.recordingsB(), function.pair().b().function(), quantity);
        double a = mean(inA);
        double b = mean(inB);
        var figure = new Finding.Figure(Metric.WALL, Statistic.MEAN, a, b, inA, inB, 0, comparison.minimumEffect() * Math.min(a, b));
        int given = Math.min(comparison.recordingsA().size(), comparison.recordingsB().size());
        if (Math.min(inA.size(), inB.size()) < Math.clamp(given, GroupJudge.LEAST_RECORDINGS, Comparer.ENOUGH_RECORDINGS) || a + b == 0) {
            add(function, quantity, Finding.untold(figure, a + b == 0 ? Significance.WITHIN_NOISE : Significance.TOO_FEW_RECORDINGS));
            return;
        }
        double start = START_SHARE * (a + b) / 2;
        tests.computeIfAbsent(quantity.id(), _ -> new ArrayList<>()).add(new Waiting(function, quantity, new GroupJudge.Trial(figure,
                new Observations(logs(inA, start), logs(inB, start), Double.NaN), start)));
    }

    private void test(List<Waiting> waiting) {
        List<ModeratedStatistics.Result> results = new ModeratedStatistics(waiting.stream().map(w -> w.trial().observations()).toList()).results();
        for (int i = 0; i < results.size(); i++) {
            add(waiting.get(i).function(), waiting.get(i).quantity(), waiting.get(i).trial().finding(results.get(i), Double.NaN));
        }
    }

    private void add(FunctionComparison function, Quantity quantity, Finding finding) {
        changes.computeIfAbsent(function, _ -> new ArrayList<>()).add(new Compared(quantity, finding));
    }

    /** In those recordings that timed calls of the function and counted it. */
    private static List<Double> in(List<Comparison.Recorded> recordings, ProbedFunction function, Quantity quantity) {
        return recordings.stream().flatMap(recorded -> {
            List<FunctionLatency> same = recorded.figures().functions().stream().filter(f -> MergedHosts.isSame(f.function(), function)
                    && f.function().quantities().contains(quantity) && !f.wall().isEmpty()).toList();
            return same.isEmpty() ? Stream.<Double>empty() : Stream.of(MergedHosts.sum(same).perCall(quantity));
        }).toList();
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private static double[] logs(List<Double> values, double start) {
        return values.stream().mapToDouble(value -> Math.log(value + start)).toArray();
    }
}
