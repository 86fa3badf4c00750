// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;

/** Places labels side by side without overlaps: a label that comes later is left out if its place is taken. */
final class LabelRow {
    private final double left;
    private final double right;
    private final double gap;
    private final List<double[]> taken = new ArrayList<>();

    /** Labels stay between {@code left} and {@code right}, and {@code gap} pixels apart. */
    LabelRow(double left, double right, double gap) {
        this.left = left;
        this.right = right;
        this.gap = gap;
    }

    /** Takes a place if it is free. */
    boolean take(double x, double width) {
        boolean free = x >= left && x + width <= right
                && taken.stream().noneMatch(t -> x < t[1] + gap && x + width > t[0] - gap);
        if (free) {
            taken.add(new double[] {x, x + width});
        }
        return free;
    }
}
