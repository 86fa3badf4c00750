// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/** Distances between marks that people read easily: 1, 2 or 5 times a power of ten. */
final class LinearSteps {
    private LinearSteps() {
    }

    /** The smallest such step that is not less than the given value. */
    static double atLeast(double value) {
        double power = Math.pow(10, Math.floor(Math.log10(value)));
        for (int step : new int[] {1, 2, 5}) {
            if (step * power >= value) {
                return step * power;
            }
        }
        return 10 * power;
    }
}
