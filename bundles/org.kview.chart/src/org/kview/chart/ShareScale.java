// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/** What the height of a curve at a time is. */
public enum ShareScale {
    /** The share of calls by 1 % of time: areas can be compared. */
    LINEAR,
    /** The same by powers of ten: a few slow calls are seen beside many fast ones. */
    LOGARITHMIC,
    /** The share of calls that took no longer. */
    CUMULATIVE,
    /** The share of calls that took longer, by powers of ten and from the top down: at p99.9 the curve has the height of 99.9 %. */
    PERCENTILES;

    /** Whether it is about all calls up to a time, and not about those at a time. */
    boolean isCumulative() {
        return this == CUMULATIVE || this == PERCENTILES;
    }
}
