// SPDX-License-Identifier: EPL-2.0
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
 * Compares two groups of recordings by one figure of many functions, with the moderated t-test of Smyth
 * ("Linear models and empirical Bayes methods for assessing differential expression in microarray
 * experiments", Statistical Applications in Genetics and Molecular Biology 3 (2004), article 3), which was
 * made for few repetitions of many measurements. The test depends on how much the recordings within one group
 * differ. Three recordings a side are too few to show that well for one function. So each function's variance
 * is moved towards what the variances of all functions have in common, as far as they are alike.
 *
 * <p>Three things are added. First, a function's variance is divided by its expected value. That is the sum of
 * the variance that its own number of calls explains, known from resampling, and of a variance from run to run,
 * which is taken from the median function. Second, all functions of one recording may be slow together, so that
 * many of them tell no more than one does. So the degrees of freedom are limited to those of the number of
 * independent functions that the correlation of the residuals leaves. Third, a variance in the largest tenth of
 * what the other functions make likely is never reduced. Otherwise a few noisy functions among many steady ones
 * would be reported as changed because of their noise.
 */
public final class ModeratedStatistics {
    private static final double CONFIDENCE = 0.95;
    /** The share of comparisons in which a difference that is called visible is found. */
    private static final double POWER = 0.95;
    private static final double LEAST_EXPECTED = 1e-12;
    private static final double LEAST_RATIO = 1e-5;
    /** With so many degrees of freedom Student's t is practically the normal distribution. */
    private static final double MANY = 1e6;
    /** Fewer functions don't show how alike their variances are: too often they would be taken for equal. */
    private static final int LEAST_ALIKE = 5;
    /** A variance in this upper part of the expected distribution is not taken for one that is high by chance. */
    private static final double LARGEST = 0.1;
    /**
     * Quantiles of the ratio of variances, by degrees of freedom, of which there are few different ones: the one that {@link
     * #LARGEST} exceed, and the median.
     */
    private static final Map<Integer, Double> LARGEST_OF_MANY = new ConcurrentHashMap<>();
    private static final Map<Integer, Double> MEDIAN = new ConcurrentHashMap<>();

    private final List<Observations> all;
    /** The functions with the most recordings: only these are used to estimate the variances that they share. */
    private final List<Observations> alike;
    private final int freedom;
    private final double runVariance;
    private final double priorFreedom;
    private final double priorRatio;
    private final double mostFreedom;
    /** Ratios of the variance to the expected one that are above this are not reduced. */
    private final double mostAlike;
    /** By degrees of freedom, which are the same for most functions. */
    private final Map<Double, Student> students = new ConcurrentHashMap<>();

    /**
     * The observed values of one figure of one function.
     *
     * @param a        logarithms, one for each recording of A
     * @param b        likewise for B
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

        // Without streams: to make one takes longer than this sum of a few values. The order of the additions is the same.

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
     * The result of a test, in logarithms.
     *
     * @param difference B minus A
     * @param low        the lower end of its 95 % interval
     * @param high       the upper end
     * @param p          the probability of such a difference between groups that do not differ
     * @param error      the standard error of the difference
     * @param degrees    of freedom that this is known with
     */
    public record Result(double difference, double low, double high, double p, double error, double degrees) {

    }

    /**
     * How large a true difference must be for p to be below this in 19 of 20 such comparisons, in standard errors. This
     * takes longer than a test, so it is computed once for each number of degrees of freedom, which most tests have in
     * common.
     */
    public static double visibleErrors(double degrees, double below) {
        TDistribution student = new TDistribution(null, degrees);
        return student.inverseCumulativeProbability(POWER) - student.inverseCumulativeProbability(below / 2);
    }

    /**
     * The standard error where the sides may have different variances (Welch, "The generalization of 'Student's'
     * problem when several different population variances are involved", Biometrika 34 (1947)). With equally many
     * recordings a side, the common variance is right for the difference in any case. With 3 and 9 recordings it
     * would mostly be the variance of the 9.
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

    /** @param all each with at least two recordings a side */
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

    /** Whether its variance is moved towards what all have in common. */
    boolean isModerated(Observations o) {
        return o.freedom() == freedom && !Double.isNaN(o.sampling()) && isKnown();
    }

    /** The standard error of the difference. */
    double error(Observations o) {
        double variance = isModerated(o) ? moderated(ratio(o)) * expected(o)
                : Math.max(o.variance(), LEAST_EXPECTED * LEAST_RATIO);
        return Math.sqrt(variance * (1.0 / o.a().length + 1.0 / o.b().length));
    }

    private Result result(Observations o) {
        return result(o, o.difference());
    }

    /** Tests whether a difference is more than noise, which is estimated from the observations. */
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
                Math.min(1, 2 * student.distribution().cumulativeProbability(-Math.abs(difference) / error)), error, degrees);
    }

    private double moderated(double ratio) {
        double drawn = (priorFreedom * priorRatio + freedom * ratio) / (priorFreedom + freedom);
        return ratio > mostAlike ? Math.max(ratio, drawn) : drawn;
    }

    /** The expected variance of these observations. */
    double expected(Observations o) {
        return Math.max(LEAST_EXPECTED, o.sampling() + runVariance);
    }

    private double ratio(Observations o) {
        return Math.max(LEAST_RATIO, o.variance() / expected(o));
    }

    /** The variance from run to run with which half of the functions vary less than expected, and half more. */
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
     * The number of independent functions that would tell as much about the variance: n / (1 + (n - 1) c), where
     * c is the mean squared correlation of two functions. With so few degrees of freedom even independent residuals
     * are correlated; c is corrected for that.
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
        // With one degree of freedom all residuals are fully correlated, and say nothing about independence.
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

    /** The derivative of trigamma: by recurrence up to values large enough for its asymptotic expansion. */
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
