// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.List;
import java.util.Optional;

import org.kview.model.Metric;
import org.kview.statistics.Statistic;

/**
 * How one figure of a function changed from A to B. Times are in ns, of {@link Statistic#TOTAL} in ns
 * by second, {@link Statistic#CALLS} are calls by second; NaN where a figure is not known.
 *
 * @param metric          of which metric it is a figure
 * @param statistic       which figure; for metrics other than WALL, the mean over all calls
 * @param a               in A; of several recordings the mean of their figures
 * @param b               in B, likewise
 * @param inA             in each recording of A, in their order
 * @param inB             in each recording of B
 * @param interval        of the difference; empty where it can't be told
 * @param resolutionNanos smaller differences can't be told from none
 * @param visible         the difference, relative to the smaller figure, from which on it would be found in 19 of 20 such
 *                        comparisons if no other function differed; NaN where that can't be told, as of a pair
 * @param adjusted        the false discovery rate at which it would just count as a change, 0 to 1
 * @param significance    what can be said of it
 */
public record Change(Metric metric, Statistic statistic, double a, double b, List<Double> inA, List<Double> inB,
        Optional<Interval> interval, double resolutionNanos, double visible, double adjusted,
        Significance significance) {
    public Change {
        inA = List.copyOf(inA);
        inB = List.copyOf(inB);
    }

    /**
     * Where the difference lies, with 95 % confidence.
     *
     * @param lowNanos  its lower end
     * @param highNanos its upper end
     */
    public record Interval(double lowNanos, double highNanos) {
    }

    /** B less A. */
    public double difference() {
        return b - a;
    }

    /** By how much of A, -1 and more: 0.5 is half as much again; infinite where A is 0. */
    public double relative() {
        return a == b ? 0 : (b - a) / a;
    }

    /** How large the change is, for sorting: a rise and the fall that undoes it count the same. */
    double magnitude() {
        return Math.abs(Math.log(Math.max(1, b) / Math.max(1, a)));
    }

    public boolean isBeyondNoise() {
        return significance == Significance.BEYOND_NOISE;
    }
}
