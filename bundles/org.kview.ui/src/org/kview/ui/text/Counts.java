// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

import org.kview.model.LatencyFormat;

/** Counts with what is counted. */
public final class Counts {
    private Counts() {
    }

    /** "1 call", "2,000 calls". */
    public static String format(long count, String singular, String plural) {
        return LatencyFormat.count(count) + " " + (count == 1 ? singular : plural);
    }
}
