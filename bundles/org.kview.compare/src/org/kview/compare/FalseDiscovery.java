/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Corrects for looking at many figures at once: of a hundred that did not change, five would exceed
 * 95 % of their noise. Benjamini and Hochberg, "Controlling the False Discovery Rate", Journal of the
 * Royal Statistical Society B 57 (1995): of what is found so, at most 5 % on average is none. It holds
 * for figures that rise and fall together (Benjamini and Yekutieli, 2001), as those of functions that
 * call each other do.
 */
final class FalseDiscovery {
    private FalseDiscovery() {
    }

    /** The adjusted values, in the order given: to be compared with the rate that is wanted. */
    static double[] adjust(double[] p) {
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
}
