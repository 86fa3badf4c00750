// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import org.kview.model.FunctionLatency;

/**
 * A function as it was measured in both recordings.
 *
 * @param a    in A
 * @param b    in B
 * @param note what is uncertain about their being the same, one sentence; may be empty
 */
public record FunctionPair(FunctionLatency a, FunctionLatency b, String note) {

    /** Its name; if the names differ, the one in B. */
    public String name() {
        return b.function().name();
    }
}
