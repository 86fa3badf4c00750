// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * By how much the values of one sample are above those of another, whatever their distribution: the median of all differences
 * between a value of the one and one of the other (Hodges and Lehmann), with the interval that belongs to the rank test of
 * Wilcoxon, Mann and Whitney (Hollander and Wolfe, Nonparametric Statistical Methods, section 4.3). A few values that are far
 * off, as where an interrupt came, hardly move either.
 *
 * <p>Like the test it takes the values of a sample as independent, and what lies between the samples as a shift. Values that were
 * measured one after the other are not: then the truth is outside of this range far more often than in 5 % of all cases.
 *
 * @param by   the median difference
 * @param low  the lower end of the range
 * @param high its upper end
 */
public record Shift(double by, double low, double high) {
    /** 97.5 % of a normal distribution lie below. */
    private static final double Z = 1.959964;
    private static final int QUARTERS = 4;
    /** A quarter of fewer has no median that tells anything. */
    private static final int LEAST_DURING = 2 * QUARTERS;

    /** Of the second one above the first; empty where both are so small that the test has no such range. */
    public static Optional<Shift> of(double[] first, double[] second) {
        double[] differences = differences(first, second);
        double pairs = differences.length;
        int rank = (int) Math.floor(pairs / 2 - Z * Math.sqrt(pairs * (first.length + second.length + 1) / 12));
        return rank < 1 ? Optional.empty()
                : Optional.of(new Shift(medianOfSorted(differences), differences[rank - 1], differences[differences.length - rank]));
    }

    /**
     * Of what was measured during something above what was measured before it and after it, all in the order of time. The range
     * reaches over those against either of the two, as nobody knows which of them holds for the time between. On each side it is
     * wider by what is known of how much the values wander without a reason: by how much after differs from before, or the median of
     * one quarter of those during from that of another, whichever is more. It is what these values show, and no probability.
     */
    public static Optional<Shift> between(double[] before, double[] during, double[] after) {
        Optional<Shift> sinceBefore = of(before, during);
        Optional<Shift> untilAfter = of(after, during);
        if (during.length < LEAST_DURING || sinceBefore.isEmpty() || untilAfter.isEmpty()) {
            return Optional.empty();
        }
        double wander = Math.max(Math.abs(medianOfSorted(differences(before, after))), wander(during));
        double low = Math.min(sinceBefore.get().low, untilAfter.get().low) - wander;
        double high = Math.max(sinceBefore.get().high, untilAfter.get().high) + wander;
        double[] around = DoubleStream.concat(Arrays.stream(before), Arrays.stream(after)).toArray();
        return Optional.of(new Shift(Math.clamp(medianOfSorted(differences(around, during)), low, high), low, high));
    }

    /** How far the medians of the quarters lie apart. */
    private static double wander(double[] values) {
        double[] medians = IntStream.range(0, QUARTERS).mapToDouble(quarter -> median(Arrays.copyOfRange(values,
                quarter * values.length / QUARTERS, (quarter + 1) * values.length / QUARTERS))).sorted().toArray();
        return medians[QUARTERS - 1] - medians[0];
    }

    /** 0 of no values. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : medianOfSorted(sorted);
    }

    private static double[] differences(double[] first, double[] second) {
        return Arrays.stream(second).flatMap(b -> Arrays.stream(first).map(a -> b - a)).sorted().toArray();
    }

    private static double medianOfSorted(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
