/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.List;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;

/**
 * Two recordings side by side.
 *
 * @param nameA     of the first, for people
 * @param nameB     of the second
 * @param a         what the first measured
 * @param b         what the second measured
 * @param functions those that both have, what changed most first
 * @param onlyA     those that only the first has
 * @param onlyB     those that only the second has
 * @param warnings  what makes them hard to compare, one sentence each, the most serious first
 */
public record Comparison(String nameA, String nameB, LatencySnapshot a, LatencySnapshot b,
        List<FunctionComparison> functions, List<FunctionLatency> onlyA, List<FunctionLatency> onlyB,
        List<String> warnings) {
    public Comparison {
        functions = List.copyOf(functions);
        onlyA = List.copyOf(onlyA);
        onlyB = List.copyOf(onlyB);
        warnings = List.copyOf(warnings);
    }

    /** How many functions changed beyond noise. */
    public long changed() {
        return functions.stream().filter(f -> f.headline().isPresent()).count();
    }

    /** How many functions of those are slower in B by a share of A's time, in any of the figures compared. */
    public long slowerBy(double share) {
        return functions.stream().filter(f -> f.wall().values().stream()
                .anyMatch(c -> c.isBeyondNoise() && c.difference() > 0 && c.relative() >= share)).count();
    }
}
