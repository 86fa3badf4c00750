// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Corrects for testing many figures at once: of a hundred figures that did not change, about five would seem
 * to have changed at the 95 % level. Benjamini and Hochberg, "Controlling the False Discovery Rate", Journal of
 * the Royal Statistical Society B 57 (1995): of the changes that are found this way, at most 5 % on average are
 * false. This also holds for figures that rise and fall together (Benjamini and Yekutieli, 2001), as those of
 * functions that call each other do.
 *
 * <p>The aim is to find functions, and each function has several figures, which change together. If all figures
 * were one family, a function that changed would add five of them, and with each such five, one figure of
 * another function could be wrong. So functions are found first, by all their figures (Simes, "An improved
 * Bonferroni procedure", Biometrika 73, 1986). Then, in each function that was found, its figures are tested at a
 * rate that is the smaller, the fewer functions were found (Benjamini and Bogomolov, "Selective inference on
 * multiple families of hypotheses", Journal of the Royal Statistical Society B 76, 2014).
 *
 * <p>Benjamini and Hochberg control the rate as if no function had changed. Between groups of recordings,
 * functions are found in two steps: those that the first step finds have changed, so in the second step fewer
 * can be false (Benjamini, Krieger and Yekutieli, "Adaptive linear step-up procedures that control the false
 * discovery rate", Biometrika 93, 2006). Where nothing changed, two steps find less than one does.
 */
public final class FalseDiscovery {
    private FalseDiscovery() {
    }

    /** The adjusted values, in the given order. To be compared with the rate that is wanted. */
    public static double[] adjust(double[] p) {
        int[] ascending = IntStream.range(0, p.length).boxed().sorted(Comparator.comparingDouble(i -> p[i]))
                .mapToInt(Integer::intValue).toArray();
        double[] adjusted = new double[p.length];
        double least = 1;
        for (int rank = p.length; rank >= 1; rank--) {
            int i = ascending[rank - 1];
            least = Math.min(least, p[i] * p.length / rank);
            adjusted[i] = least;
        }
        return adjusted;
    }

    /**
     * Adjusts in two steps.
     *
     * @param rate with which the result is to be compared
     */
    static double[] adjustInTwoSteps(double[] p, double rate) {
        double[] first = adjust(p);
        double found = Arrays.stream(first).filter(value -> value * (1 + rate) < rate).count();
        double unchanged = found == p.length ? 1 : p.length - found;
        return Arrays.stream(first).map(value -> Math.min(1, value * (1 + rate) * unchanged / p.length)).toArray();
    }

    /**
     * Adjusts families of figures; each function is a family.
     *
     * @param families   for each function, the p values of its figures; none is empty
     * @param rate       the rate that is wanted for functions, with which the result is to be compared
     * @param inTwoSteps whether functions are found in two steps
     */
    public static List<double[]> adjust(List<double[]> families, double rate, boolean inTwoSteps) {
        List<double[]> within = families.stream().map(FalseDiscovery::adjust).toList();
        double[] least = within.stream().mapToDouble(f -> Arrays.stream(f).min().orElse(1)).toArray();
        double[] adjusted = inTwoSteps ? adjustInTwoSteps(least, rate) : adjust(least);
        double found = Math.max(1, Arrays.stream(adjusted).filter(p -> p < rate).count());
        return IntStream.range(0, families.size()).mapToObj(i -> Arrays.stream(within.get(i))
                .map(p -> Math.min(1, Math.max(adjusted[i], p * families.size() / found))).toArray()).toList();
    }
}
