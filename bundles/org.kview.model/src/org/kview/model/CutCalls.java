// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Optional;

/**
 * Calls that were timed only until they went on to another function by a jump. The time from there until their
 * caller had control again was not measured, and may be most of the call.
 */
public final class CutCalls {
    /** Up to this share of the timed calls, the figures still show where the function's time goes. */
    private static final double MOST = 0.05;

    private CutCalls() {
    }

    /** The functions in which calls went on, as in "process or poll"; empty if all ends were seen. */
    public static Optional<String> wentOnTo(FunctionLatency latency) {
        List<String> names = latency.function().ends().goesOnTo();
        boolean cut = latency.fates().isPresent() ? latency.knownFates().cutCalls() > 0
                : !names.isEmpty() && latency.calls() > 0;
        return cut ? Optional.of(names.isEmpty() ? "another function" : String.join(" or ", names)) : Optional.empty();
    }

    /** The same, but only if there are too many such calls, or an unknown number, to say where the time went. */
    static Optional<String> decisive(FunctionLatency latency) {
        return wentOnTo(latency).filter(_ -> latency.fates().isEmpty()
                || latency.knownFates().cutCalls() > MOST * latency.wall().count());
    }
}
