// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

/** Hears of the calls that were stored so far, all of them up to some moment, while the others are being stored. */
@FunctionalInterface
public interface StoringListener {
    /**
     * There are some, or more than before; these have the same numbers later on.
     *
     * @param soFar can be asked until storing them has ended, and must not be closed
     */
    void growing(SessionCallStore soFar);

    /**
     * Storing them ended before all were there, as it is not wanted any more, or the trace can't be read any further.
     *
     * @param soFar those that {@link #growing} told of last, which are there from now on; to be closed
     */
    default void left(SessionCallStore soFar) {
        soFar.close();
    }
}
