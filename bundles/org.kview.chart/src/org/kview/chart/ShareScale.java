// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

/** How the heights of curves grow with shares of calls. */
public enum ShareScale {
    /** Areas can be compared. */
    LINEAR,
    /** A few slow calls are seen beside many fast ones. */
    LOGARITHMIC
}
