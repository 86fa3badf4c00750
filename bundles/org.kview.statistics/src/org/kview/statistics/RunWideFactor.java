// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;

import org.kview.statistics.ModeratedStatistics.Observations;
import org.kview.statistics.ModeratedStatistics.Result;

/**
 * A factor that makes all functions of a recording slower together, such as a lower clock rate or a busy host.
 * For the test of one function this factor is noise, and it has only one value for each recording, however many
 * functions there are. But the other functions of the same recordings show it, as control genes do in
 * Gagnon-Bartsch and Speed, "Using control genes to correct for unwanted variation in microarray data",
 * Biostatistics 13 (2012). So each function is tested twice: by itself, and after the part of the factor that
 * the others predict was subtracted (Henderson, "Best linear unbiased estimation and prediction under a
 * selection model", Biometrics 31 (1975)). That part is zero where each function varies on its own, and nearly
 * the whole factor where they vary together. The Cauchy combination makes one p of the two; it is valid for
 * tests that depend on each other (Liu and Xie, Journal of the American Statistical Association 115 (2020)).
 *
 * <p>How far the others moved from A to B is estimated from those that agree (Tukey's biweight), so that a few
 * that changed do not count. If many changed, they don't show what the host did. So the second test only counts
 * where most of the others agree and moved by less than half as much as the function. There is one more danger:
 * if many functions changed, and the host by chance undid their change, then the few that did not change would
 * seem to have changed. So the second test only counts for a function that also exceeds its own noise, at 5 %.
 * What the second test saves is the price of testing many functions with few degrees of freedom.
 */
public final class RunWideFactor {
    /** With fewer other functions it makes no sense to ask which of them agree. */
    private static final int LEAST_OTHERS = 4;
    /** The second test counts if the function's difference is at least so many times that of the others. */
    private static final double STANDS_OUT = 2;
    private static final double BIWEIGHT = 4.685;
    private static final int ROUNDS = 10;
    /** At least this part of a function's expected variance is taken to be its own, not the common factor's. */
    private static final double LEAST_OWN = 0.05;
    /** The weight of the first test. Where the second does not count, p becomes at most 1 / WEIGHT times as large. */
    private static final double WEIGHT = 0.75;
    /** The p of a second test that does not count. */
    private static final double NOTHING = 0.5;
    /** The second test counts only below this p of the first: a function has to stand out by itself, too. */
    private static final double AT_LEAST = 0.05;
    /** The standard error of a median divided by that of a mean, for normal values. */
    private static final double MEDIAN_ERROR = Math.sqrt(Math.PI / 2);

    private final List<Observations> all;
    private final ModeratedStatistics alone;
    /** Indices of the functions that have all recordings, and whose variance is moderated. */
    private final int[] members;
    /** By index: one divided by the expected variance. */
    private final double[] weights;
    private final double[][] residuals;
    private final double[] differences;
    // Sums over the members: of the weights; of the weighted residuals of each run; and their own part of the latter's
    // variance.
    private final double sumOfWeights;
    private final double[] sumsByRun;
    private final double variance;
    private final double sumOfOwn;
    private final List<Observations> withoutFactor;
    private final ModeratedStatistics beside;
    private final double[] errors;

    /** @param all each with at least two recordings a side */
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

    /** The variance of the common factor: the mean covariance of any two members. */
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

    /** The part of the variance of the members' weighted sum that is this member's own. */
    private double own(int member) {
        double weight = weights[member];
        return weight * weight * Math.max(LEAST_OWN / weight, 1 / weight - variance);
    }

    private IntStream others(int function) {
        return Arrays.stream(members).filter(i -> i != function);
    }

    /** Which part of the factor that the others show is subtracted, 0 to 1. */
    private double share(int function) {
        if (variance == 0) {
            return 0;
        }
        double weight = sumOfWeights - weights[function];
        return variance / (variance + (sumOfOwn - own(function)) / weight / weight);
    }

    /** Subtracts the factor within each side only; the difference between the sides stays as it is. */
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
        return new Result(difference, byItself.low(), byItself.high(), combined(byItself.p(), p), byItself.error(),
                byItself.degrees());
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

    /** The mean difference of the functions that agree; NaN unless more than half agree. */
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
        // For large values by the first term of the series: one half minus nearly one half would lose all digits.
        return mean > 1e6 ? 1 / mean / Math.PI : 0.5 - Math.atan(mean) / Math.PI;
    }

    private static double tangent(double p) {
        double kept = Math.clamp(p, 1e-300, 1 - 1e-15);
        return kept < 1e-6 ? 1 / kept / Math.PI : Math.tan((0.5 - kept) * Math.PI);
    }
}
