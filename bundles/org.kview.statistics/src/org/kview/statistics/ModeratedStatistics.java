/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.statistics;

import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.apache.commons.math3.distribution.FDistribution;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.special.Gamma;

/**
 * Compares two groups of recordings, one figure of many functions: the moderated t-test of Smyth
 * ("Linear models and empirical Bayes methods for assessing differential expression in microarray
 * experiments", Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3), which
 * was made for few repetitions of many measurements. What decides is how recordings of one group
 * differ. Three a side show that poorly for one function, so each function's variance is drawn towards
 * what the variances of all functions have in common, as far as they are alike.
 *
 * <p>Two things are added. A function's variance is taken in proportion to what it is expected to be:
 * the chance that lies in its own number of calls, known from resampling, and a variance from run to
 * run that is the median function's. And functions of one recording may all be slow together, so that
 * many tell no more than one does: the degrees of freedom are at most those of as many independent
 * functions as the correlation of the residuals leaves. And a variance that is among the largest tenth of
 * what the others allow is left as it is, never drawn down: a few noisy functions among many steady ones
 * would else be found to change by their noise.
 */
public final class ModeratedStatistics {
    private static final double CONFIDENCE = 0.95;
    private static final double LEAST_EXPECTED = 1e-12;
    private static final double LEAST_RATIO = 1e-5;
    /** With more degrees of freedom Student's t is the normal distribution. */
    private static final double MANY = 1e6;
    /** How alike variances are can't be told from fewer; it would be taken for wholly alike too often. */
    private static final int LEAST_ALIKE = 5;
    /** One of so large a variance is not taken for a steady one that varied by chance. */
    private static final double LARGEST = 0.1;
    /** By degrees of freedom, of which there are few: ratios of variances that {@link #LARGEST} are beyond, and half. */
    private static final Map<Integer, Double> LARGEST_OF_MANY = new ConcurrentHashMap<>();
    private static final Map<Integer, Double> MEDIAN = new ConcurrentHashMap<>();

    private final List<Observations> all;
    /** Those of the most recordings; only they tell of each other's variance. */
    private final List<Observations> alike;
    private final int freedom;
    private final double runVariance;
    private final double priorFreedom;
    private final double priorRatio;
    private final double mostFreedom;
    /** What is beyond this is not drawn down, in proportion to what is expected. */
    private final double mostAlike;
    /** By degrees of freedom, which most functions have in common. */
    private final Map<Double, Student> students = new ConcurrentHashMap<>();

    /**
     * What is known of one figure of one function.
     *
     * @param a        logarithms, one for each recording of A
     * @param b        likewise of B
     * @param sampling the variance that is due to the number of calls; NaN where that is not known
     */
    public record Observations(double[] a, double[] b, double sampling) {

        int freedom() {
            return a.length + b.length - 2;
        }

        double difference() {
            return mean(b) - mean(a);
        }

        double variance() {
            return squares(residuals()) / freedom();
        }

        double[] residuals() {
            double meanA = mean(a);
            double meanB = mean(b);
            double[] residuals = new double[a.length + b.length];
            for (int i = 0; i < residuals.length; i++) {
                residuals[i] = i < a.length ? a[i] - meanA : b[i - a.length] - meanB;
            }
            return residuals;
        }

        // Not by streams, whose making takes longer than a sum of a few values; this adds up as they do.

        private static double mean(double[] values) {
            DoubleSummaryStatistics sum = new DoubleSummaryStatistics();
            for (double value : values) {
                sum.accept(value);
            }
            return sum.getAverage();
        }

        /** Their sum. */
        static double squares(double[] values) {
            DoubleSummaryStatistics sum = new DoubleSummaryStatistics();
            for (double value : values) {
                sum.accept(value * value);
            }
            return sum.getSum();
        }
    }

    /**
     * What came out, in logarithms.
     *
     * @param difference B less A
     * @param low        the lower end of its 95 % interval
     * @param high       the upper end
     * @param p          the chance of such a difference between groups that are alike
     */
    public record Result(double difference, double low, double high, double p) {
    }

    /**
     * The error where sides may vary differently (Welch, "The generalization of 'Student's' problem when several
     * different population variances are involved", Biometrika 34 (1947)). As many recordings a side make the
     * common variance right for the difference all the same; of 3 and 9 it is that of the 9.
     */
    private record BySide(double error, double degrees) {
        static BySide of(Observations o) {
            double a = variance(o.a()) / o.a().length;
            double b = variance(o.b()) / o.b().length;
            double sum = Math.max(a + b, LEAST_EXPECTED * LEAST_RATIO);
            return new BySide(Math.sqrt(sum), Math.max(1, sum * sum / (a * a / (o.a().length - 1) + b * b / (o.b().length - 1)
                    + sum * sum * LEAST_RATIO)));
        }

        private static double variance(double[] values) {
            double mean = Observations.mean(values);
            return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum() / (values.length - 1);
        }
    }

    /**
     * What tests of as many degrees of freedom have in common.
     *
     * @param reach of the interval to either side, in standard errors; to find it takes longer than all else of a test
     */
    private record Student(TDistribution distribution, double reach) {
        static Student of(double degrees) {
            TDistribution distribution = new TDistribution(null, degrees);
            return new Student(distribution, -distribution.inverseCumulativeProbability((1 - CONFIDENCE) / 2));
        }
    }

    /** @param all of at least two recordings a side each */
    public ModeratedStatistics(List<Observations> all) {
        this.all = all;
        freedom = all.stream().filter(o -> !Double.isNaN(o.sampling())).mapToInt(Observations::freedom).max().orElse(0);
        alike = all.stream().filter(o -> o.freedom() == freedom && !Double.isNaN(o.sampling())).toList();
        if (!isKnown()) {
            runVariance = 0;
            priorFreedom = 0;
            priorRatio = 1;
            mostFreedom = MANY;
            mostAlike = 0;
            return;
        }
        runVariance = runVariance();
        double[] ratios = alike.stream().mapToDouble(this::ratio).toArray();
        double[] logs = Arrays.stream(ratios).map(r -> Math.log(r) - Gamma.digamma(freedom / 2.0)
                + Math.log(freedom / 2.0)).toArray();
        double mean = Arrays.stream(logs).average().orElse(0);
        double spread = Arrays.stream(logs).map(l -> (l - mean) * (l - mean)).sum() / (logs.length - 1)
                - Gamma.trigamma(freedom / 2.0);
        priorFreedom = spread > 0 ? Math.min(MANY, 2 * inverseTrigamma(spread)) : MANY;
        priorRatio = priorFreedom < MANY
                ? Math.exp(mean + Gamma.digamma(priorFreedom / 2) - Math.log(priorFreedom / 2))
                : Arrays.stream(ratios).average().orElse(1);
        mostFreedom = independent() * freedom;
        mostAlike = priorRatio * (priorFreedom < MANY ? largest(freedom, priorFreedom)
                : LARGEST_OF_MANY.computeIfAbsent(freedom, own -> largest(own, MANY)));
    }

    private static double largest(double own, double others) {
        return new FDistribution(null, own, others).inverseCumulativeProbability(1 - LARGEST);
    }

    /** In the order of the observations. */
    public List<Result> results() {
        return all.stream().map(this::result).toList();
    }

    private boolean isKnown() {
        return alike.size() >= LEAST_ALIKE;
    }

    /** Whether its variance is drawn towards what all have in common. */
    boolean isModerated(Observations o) {
        return o.freedom() == freedom && !Double.isNaN(o.sampling()) && isKnown();
    }

    /** How far the difference of two sides that are alike is from 0, about. */
    double error(Observations o) {
        double variance = isModerated(o) ? moderated(ratio(o)) * expected(o)
                : Math.max(o.variance(), LEAST_EXPECTED * LEAST_RATIO);
        return Math.sqrt(variance * (1.0 / o.a().length + 1.0 / o.b().length));
    }

    private Result result(Observations o) {
        return result(o, o.difference());
    }

    /** Whether a difference is more than noise, which the observations show. */
    Result result(Observations o, double difference) {
        double error = error(o);
        double degrees = isModerated(o) ? Math.min(priorFreedom + freedom, mostFreedom) : o.freedom();
        BySide bySide = BySide.of(o);
        if (o.a().length != o.b().length && bySide.error() > error) {
            error = bySide.error();
            degrees = bySide.degrees();
        }
        Student student = students.computeIfAbsent(degrees, Student::of);
        double reach = student.reach() * error;
        return new Result(difference, difference - reach, difference + reach,
                Math.min(1, 2 * student.distribution().cumulativeProbability(-Math.abs(difference) / error)));
    }

    private double moderated(double ratio) {
        double drawn = (priorFreedom * priorRatio + freedom * ratio) / (priorFreedom + freedom);
        return ratio > mostAlike ? Math.max(ratio, drawn) : drawn;
    }

    /** The variance that is expected of it. */
    double expected(Observations o) {
        return Math.max(LEAST_EXPECTED, o.sampling() + runVariance);
    }

    private double ratio(Observations o) {
        return Math.max(LEAST_RATIO, o.variance() / expected(o));
    }

    /** That with which half of the functions vary less than they should by chance, and half more. */
    private double runVariance() {
        double median = MEDIAN.computeIfAbsent(freedom,
                own -> new ChiSquaredDistribution(null, own).inverseCumulativeProbability(0.5) / own);
        double[] variances = alike.stream().mapToDouble(Observations::variance).toArray();
        double low = 0;
        double high = Arrays.stream(variances).max().orElse(0) / median;
        if (medianRatio(variances, low) <= median) {
            return 0;
        }
        for (int i = 0; i < 60; i++) {
            double middle = (low + high) / 2;
            if (medianRatio(variances, middle) > median) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /** @param variances of those that are alike */
    private double medianRatio(double[] variances, double fromRunToRun) {
        double[] ratios = new double[variances.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = variances[i] / Math.max(LEAST_EXPECTED, alike.get(i).sampling() + fromRunToRun);
        }
        Arrays.sort(ratios);
        return (ratios[(ratios.length - 1) / 2] + ratios[ratios.length / 2]) / 2;
    }

    /**
     * As many independent functions would tell as much of the variance: the number divided by one and
     * the mean squared correlation with each of the others. Of residuals with so few degrees of freedom
     * even independent ones are correlated, which is allowed for.
     */
    private double independent() {
        int functions = alike.size();
        int runs = alike.getFirst().a().length + alike.getFirst().b().length;
        double[][] products = new double[runs][runs];
        int counted = 0;
        for (Observations o : alike) {
            double[] r = o.residuals();
            double length = Math.sqrt(Observations.squares(r));
            if (r.length != runs || length == 0) {
                continue;
            }
            counted++;
            for (int i = 0; i < runs; i++) {
                for (int j = 0; j < runs; j++) {
                    products[i][j] += r[i] * r[j] / (length * length);
                }
            }
        }
        if (counted < 2) {
            return 1;
        }
        double squares = Arrays.stream(products).flatMapToDouble(Arrays::stream).map(x -> x * x).sum();
        double correlation = (squares - counted) / counted / (counted - 1);
        double beyondChance = Math.clamp((correlation - 1.0 / freedom) / (1 - 1.0 / freedom), 0, 1);
        // With one degree of freedom all are correlated wholly, and nothing can be told apart.
        double shared = freedom == 1 ? 1 : beyondChance;
        return functions / (1 + (functions - 1) * shared);
    }

    /** By Newton's method, as in the appendix of Smyth's paper. */
    private static double inverseTrigamma(double x) {
        if (x > 1e7) {
            return 1 / Math.sqrt(x);
        }
        if (x < 1e-6) {
            return 1 / x;
        }
        double y = 0.5 + 1 / x;
        for (int i = 0; i < 50; i++) {
            double trigamma = Gamma.trigamma(y);
            double step = trigamma * (1 - trigamma / x) / tetragamma(y);
            y += step;
            if (-step / y < 1e-8) {
                break;
            }
        }
        return y;
    }

    /** The derivative of trigamma: up to where its expansion for large values holds, term by term. */
    private static double tetragamma(double x) {
        double sum = 0;
        double y = x;
        for (; y < 12; y++) {
            sum -= 2 / (y * y * y);
        }
        double inverse = 1 / (y * y);
        return sum - inverse - inverse / y - inverse * inverse / 2 + Math.pow(inverse, 3) / 6 - Math.pow(inverse, 4) / 6;
    }
}
