// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * By how much the values of one sample are above those of another, whatever their distribution: the median of all differences
 * between a value of the one and one of the other (Hodges and Lehmann), with the interval that belongs to the rank test of
 * Wilcoxon, Mann and Whitney (Hollander and Wolfe, Nonparametric Statistical Methods, section 4.3). A few values that are far
 * off, as where an interrupt came, hardly move either.
 *
 * <p>Like the test it takes the values of a sample as independent, and what lies between the samples as a shift.
 *
 * @param by   the median difference
 * @param low  the lower end of the 95 % interval
 * @param high its upper end
 */
public record Shift(double by, double low, double high) {
    /** 97.5 % of a normal distribution lie below. */
    private static final double Z = 1.959964;

    /** Of the second one above the first; empty where both are so small that no interval of such confidence exists. */
    public static Optional<Shift> of(double[] first, double[] second) {
        double[] differences = differences(first, second);
        double pairs = differences.length;
        int rank = (int) Math.floor(pairs / 2 - Z * Math.sqrt(pairs * (first.length + second.length + 1) / 12));
        return rank < 1 ? Optional.empty()
                : Optional.of(new Shift(medianOfSorted(differences), differences[rank - 1], differences[differences.length - rank]));
    }

    /**
     * Of what was measured during something above what was measured before it and after it. The interval reaches over those
     * against either of the two: where they differ, nobody knows which of them holds for the time between.
     */
    public static Optional<Shift> between(double[] before, double[] during, double[] after) {
        Optional<Shift> sinceBefore = of(before, during);
        Optional<Shift> untilAfter = of(after, during);
        if (sinceBefore.isEmpty() || untilAfter.isEmpty()) {
            return Optional.empty();
        }
        double low = Math.min(sinceBefore.get().low, untilAfter.get().low);
        double high = Math.max(sinceBefore.get().high, untilAfter.get().high);
        double[] around = DoubleStream.concat(Arrays.stream(before), Arrays.stream(after)).toArray();
        return Optional.of(new Shift(Math.clamp(medianOfSorted(differences(around, during)), low, high), low, high));
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
