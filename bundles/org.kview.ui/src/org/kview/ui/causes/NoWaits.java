// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.List;

import org.kview.model.FunctionLatency;
import org.kview.model.ProbedFunction;
import org.kview.model.Waits;
import org.kview.ui.KviewUi;

/** Why there is no wait to list: none was seen, or the recording does not tell of them. */
record NoWaits(String heading, String sentence, String links) {
    private static final String HOW = "tick Waits among the wizard's options (not together with jumps), or use kview record --waits";
    private static final String RECORD = "<a href=\"" + KviewUi.COMMAND_RECORD + "\">Record…</a>";

    static NoWaits ofNoFunction(boolean isSessionOpen) {
        return new NoWaits("No function is shown", isSessionOpen ? "Select one in Functions." : "Open a session, or record one.", "");
    }

    /**
     * Of a function without any.
     *
     * @param all those of the session
     */
    static NoWaits of(FunctionLatency function, List<FunctionLatency> all) {
        ProbedFunction probed = function.function();
        return switch (probed.waits()) {
            case YES -> new NoWaits("No call of " + probed.name() + " was seen to wait",
                    "This recording tells for what calls waited. None of this function's was seen to wait for anything but a CPU. A wait is told when it has ended.", "");
            case NO -> all.stream().anyMatch(other -> other.function().waits() == Waits.Told.YES)
                    ? new NoWaits("Waits of " + probed.name() + " are not told",
                            "This recording tells for what calls waited, but only of functions that are measured by traps. This one is not.", "")
                    : new NoWaits("This recording does not tell of waits",
                            "Nobody asked for it. To see for what calls wait and who wakes them, record again: " + HOW
                                    + ". Waits are told of functions that are measured by traps.", RECORD);
            case UNKNOWN -> new NoWaits("No waits of " + probed.name() + " are told",
                    "Either none of its calls waited, or the recording, or that of some of its hosts, was made without telling of waits. To have them told: "
                            + HOW + ". They are told of functions that are measured by traps.", RECORD);
        };
    }
}
