// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import org.kview.model.Quantity;

/**
 * How what a function's calls took beside their time changed from A to B.
 *
 * @param quantity what
 * @param perCall  the mean over all calls that were timed, in the quantity's unit where times have ns
 */
public record QuantityChange(Quantity quantity, Change perCall) {
    /** Whether either side's calls took any. */
    public boolean occurs() {
        return perCall.a() != 0 || perCall.b() != 0;
    }
}
