// SPDX-License-Identifier: EPL-2.0
package org.kview.session;

import java.util.concurrent.CancellationException;

/** Hears how far long work has come, and may end it. */
@FunctionalInterface
public interface Progress {
    /** Hears nothing and ends nothing. */
    Progress NONE = (done, total) -> true;

    /**
     * @param doneBytes  so far
     * @param totalBytes in all, as far as is known
     * @return false to end the work, which then leaves nothing behind
     */
    boolean isWanted(long doneBytes, long totalBytes);

    /** @throws CancellationException if the work is to end */
    default void report(long doneBytes, long totalBytes) {
        if (!isWanted(doneBytes, totalBytes)) {
            throw new CancellationException();
        }
    }
}
