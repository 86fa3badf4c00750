/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import org.kview.statistics.ModeratedStatistics.Observations;
import org.kview.statistics.ModeratedStatistics.Result;

/**
 * What makes all functions of a recording slower together: a lower clock, a busy host. For the test of one
 * function it is noise of which there are no more values than recordings, however many functions there
 * are. But the other functions of the same recordings show it, as control genes do in Gagnon-Bartsch and
 * Speed, "Using control genes to correct for unwanted variation in microarray data", Biostatistics 13
 * (2012). So each function is tested twice: by itself, and with the part of the factor taken away that the
 * others let predict (Henderson, "Best linear unbiased estimation and prediction under a selection model",
 * Biometrics 31 (1975)): none of it where functions move each by its own, nearly all where they move
 * together. Of the two values of p comes one by the Cauchy combination, which holds for tests that depend
 * on each other (Liu and Xie, Journal of the American Statistical Association 115 (2020)).
 *
 * <p>How far the others moved from A to B is told from those that agree (Tukey's biweight): a few that
 * changed are left out. If many changed, they are no measure of the host: so the second test only counts
 * where most agree and stayed about where they were, that is, moved by less than half of what the function
 * did. And where many changed while the host by chance undid it, it would take the few for changed that did
 * not: so it only counts for a function that is beyond its own noise, too, at 5 %. What it spares is the
 * price of looking at many functions with few degrees of freedom.
 */
public final class RunWideFactor {
    /** Fewer can't be asked which of them agree. */
    private static final int LEAST_OTHERS = 4;
    /** The function's difference is so many times that of the others. */
    private static final double STANDS_OUT = 2;
    private static final double BIWEIGHT = 4.685;
    private static final int ROUNDS = 10;
    /** Of what is expected of a function's variance at least this part is its own. */
    private static final double LEAST_OWN = 0.05;
    /** Of the first test among both; so of its p, where the second does not count, becomes no more than so many times as much. */
    private static final double WEIGHT = 0.75;
    /** The p of a test that tells neither way. */
    private static final double NOTHING = 0.5;
    /** What is not even found by itself, were it the only function, is not found beside others. */
    private static final double AT_LEAST = 0.05;
    /** How much more a median scatters than a mean, of normal values. */
    private static final double MEDIAN_ERROR = Math.sqrt(Math.PI / 2);

    private final List<Observations> all;
    private final ModeratedStatistics alone;
    /** Places of those that have all recordings, and of whose variance something is known. */
    private final int[] members;
    /** By place: one over the variance that is expected. */
    private final double[] weights;
    private final double[][] residuals;
    private final double[] differences;
    /** Of the members: the weights, the residuals by run with these weights, and their own part of the variance of these. */
    private final double sumOfWeights;
    private final double[] sumsByRun;
    private final double variance;
    private final double sumOfOwn;
    private final List<Observations> withoutFactor;
    private final ModeratedStatistics beside;
    private final double[] errors;

    /** @param all of at least two recordings a side each */
    public RunWideFactor(List<Observations> all) {
        this.all = List.copyOf(all);
        alone = new ModeratedStatistics(all);
        int most = all.stream().mapToInt(o -> o.a().length).max().orElse(0);
        int mostB = all.stream().mapToInt(o -> o.b().length).max().orElse(0);
        members = IntStream.range(0, all.size()).filter(i -> alone.isModerated(all.get(i))
                && all.get(i).a().length == most && all.get(i).b().length == mostB).toArray();
        weights = new double[all.size()];
        residuals = new double[all.size()][];
        differences = all.stream().mapToDouble(Observations::difference).toArray();
        for (int i : members) {
            weights[i] = 1 / alone.expected(all.get(i));
            residuals[i] = all.get(i).residuals();
        }
        sumOfWeights = Arrays.stream(weights).sum();
        sumsByRun = sumsByRun();
        variance = variance();
        sumOfOwn = Arrays.stream(members).mapToDouble(this::own).sum();
        withoutFactor = IntStream.range(0, all.size()).mapToObj(this::withoutFactor).toList();
        beside = new ModeratedStatistics(withoutFactor);
        errors = new double[all.size()];
        for (int i : members) {
            errors[i] = beside.error(withoutFactor.get(i));
        }
    }

    private boolean isKnown() {
        return members.length > LEAST_OTHERS;
    }

    /** That all have in common: how any two of them move together, on average. */
    private double variance() {
        if (!isKnown()) {
            return 0;
        }
        double ownSquares = 0;
        double weightSquares = 0;
        for (int i : members) {
            weightSquares += weights[i] * weights[i];
            ownSquares += weights[i] * weights[i] * Observations.squares(residuals[i]);
        }
        double together = Arrays.stream(sumsByRun).map(s -> s * s).sum() - ownSquares;
        return Math.max(0, together / (sumOfWeights * sumOfWeights - weightSquares) / all.get(members[0]).freedom());
    }

    private double[] sumsByRun() {
        double[] sums = new double[isKnown() ? residuals[members[0]].length : 0];
        for (int i : members) {
            for (int run = 0; run < sums.length; run++) {
                sums[run] += weights[i] * residuals[i][run];
            }
        }
        return sums;
    }

    /** What a member adds to the variance of the members' weighted sum by itself. */
    private double own(int member) {
        double weight = weights[member];
        return weight * weight * Math.max(LEAST_OWN / weight, 1 / weight - variance);
    }

    private IntStream others(int function) {
        return Arrays.stream(members).filter(i -> i != function);
    }

    /** How much of what the others show is to be taken away, 0 to 1. */
    private double share(int function) {
        if (variance == 0) {
            return 0;
        }
        double weight = sumOfWeights - weights[function];
        return variance / (variance + (sumOfOwn - own(function)) / weight / weight);
    }

    /** Within the sides only; the difference between them stays as it is. */
    private Observations withoutFactor(int function) {
        Observations o = all.get(function);
        if (!isKnown() || residuals[function] == null) {
            return o;
        }
        double share = share(function) / (sumOfWeights - weights[function]);
        double[] factor = IntStream.range(0, sumsByRun.length).mapToDouble(run -> share
                * (sumsByRun[run] - weights[function] * residuals[function][run])).toArray();
        int first = o.a().length;
        return new Observations(IntStream.range(0, first).mapToDouble(run -> o.a()[run] - factor[run]).toArray(),
                IntStream.range(0, o.b().length).mapToDouble(run -> o.b()[run] - factor[first + run]).toArray(),
                o.sampling());
    }

    /** In the order of the observations. */
    public List<Result> results() {
        List<Result> byThemselves = alone.results();
        return IntStream.range(0, all.size()).mapToObj(i -> result(i, byThemselves.get(i))).toList();
    }

    private Result result(int function, Result byItself) {
        if (!isKnown() || residuals[function] == null) {
            return byItself;
        }
        double difference = differences[function];
        double p = byItself.p() < AT_LEAST ? besideOthers(function, difference) : NOTHING;
        return new Result(difference, byItself.low(), byItself.high(), combined(byItself.p(), p));
    }

    /** The p of the second test. */
    private double besideOthers(int function, double difference) {
        double moved = moved(others(function).toArray());
        boolean counts = STANDS_OUT * Math.abs(moved) <= Math.abs(difference);
        return counts ? beside.result(withoutFactor.get(function), difference - share(function) * moved).p() : NOTHING;
    }

    /** By how much all functions together moved from A to B, as a logarithm; empty unless most of them agree. */
    public OptionalDouble moved() {
        double moved = isKnown() ? moved(members) : Double.NaN;
        return Double.isNaN(moved) ? OptionalDouble.empty() : OptionalDouble.of(moved);
    }

    /** Where those lie that agree; NaN unless more than half do. */
    private double moved(int[] functions) {
        double middle = median(of(functions, differences));
        double ofMiddle = MEDIAN_ERROR * median(of(functions, errors)) / Math.sqrt(functions.length);
        int agreeing = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double sum = 0;
            double weight = 0;
            agreeing = 0;
            for (int k = 0; k < functions.length; k++) {
                double away = (differences[functions[k]] - middle) / BIWEIGHT / Math.hypot(errors[functions[k]], ofMiddle);
                if (Math.abs(away) < 1) {
                    double agrees = (1 - away * away) * (1 - away * away) * weights[functions[k]];
                    sum += agrees * differences[functions[k]];
                    weight += agrees;
                    agreeing++;
                }
            }
            middle = sum / weight;
        }
        return 2 * agreeing > functions.length ? middle : Double.NaN;
    }

    private static double[] of(int[] functions, double[] values) {
        double[] chosen = new double[functions.length];
        for (int k = 0; k < chosen.length; k++) {
            chosen[k] = values[functions[k]];
        }
        return chosen;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** One value of p from two that may depend on each other. */
    private static double combined(double byItself, double besideOthers) {
        double mean = WEIGHT * tangent(byItself) + (1 - WEIGHT) * tangent(besideOthers);
        // Of large ones by the series' first term: one half less nearly as much leaves no digits.
        return mean > 1e6 ? 1 / mean / Math.PI : 0.5 - Math.atan(mean) / Math.PI;
    }

    private static double tangent(double p) {
        double kept = Math.clamp(p, 1e-300, 1 - 1e-15);
        return kept < 1e-6 ? 1 / kept / Math.PI : Math.tan((0.5 - kept) * Math.PI);
    }
}
