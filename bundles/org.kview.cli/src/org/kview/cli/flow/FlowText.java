// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.ByteFormat;
import org.kview.model.ErrorNumber;
import org.kview.model.LatencyFormat;
import org.kview.targets.values.Flow;

/** What is said of the ways of calls, in sentences. */
final class FlowText {
    /** Smaller results are no error numbers. */
    private static final long LEAST_ERROR = -4095;

    private FlowText() {
    }

    /** Of those that were seen: of others nothing is known. */
    static String seen(Flow flow, String systemCall) {
        long calls = flow.seen().calls();
        if (calls == 0) {
            return "no call of " + systemCall + " was seen to begin and end";
        }
        int shown = flow.calls().size();
        return (calls == 1 ? "1 call of " : LatencyFormat.count(calls) + " calls of ") + systemCall
                + (calls == 1 ? " was" : " were") + " seen, " + LatencyFormat.nanos(flow.seen().wallNanos()) + " in all; "
                + (shown == calls ? "all of them:" : shown == 1 ? "the slowest of them:" : "the " + shown + " slowest of them:");
    }

    static List<String> cost(Flow flow) {
        Flow.View view = flow.view();
        return List.of("In a kernel view of this process alone " + LatencyFormat.count(view.hooked())
                + " functions were hooked, and " + LatencyFormat.count(view.notHooked()) + " left out. It took "
                + ByteFormat.bytes(view.memoryBytes()) + ", " + LatencyFormat.nanos(view.attachNanos()) + " to make and enter it, "
                + LatencyFormat.nanos(view.detachNanos()) + " to leave it.",
                "Each hooked function cost the process more meanwhile: the times are with that.");
    }

    /** What was not seen, and what may be wrong. */
    static List<String> caveats(Flow flow, String systemCall) {
        List<String> caveats = new ArrayList<>();
        if (!flow.note().isEmpty()) {
            caveats.add(flow.note());
        }
        Flow.Losses losses = flow.losses();
        add(caveats, losses.calls(), "call of " + systemCall + " was", "calls of " + systemCall + " were",
                " not followed for want of memory, and may have been slower.");
        add(caveats, losses.unendedCalls(), "call of " + systemCall + " had", "calls of " + systemCall + " had",
                " not ended at the end, and may be slower.");
        add(caveats, losses.functions(), "call of a function is", "calls of functions are",
                " missing, as an eBPF program was running on that CPU: the time is in the caller.");
        add(caveats, losses.switches(), "context switch was", "context switches were",
                " not seen, as an eBPF program was running on that CPU: a wait may stand as time on a CPU.");
        add(caveats, losses.missedReturns(), "return of a function was", "returns of functions were",
                " not watched: such a call ends with its caller in the trees, and its time is too long.");
        caveats.addAll(flow.notes());
        return caveats;
    }

    private static void add(List<String> caveats, long number, String one, String several, String rest) {
        if (number > 0) {
            caveats.add(LatencyFormat.count(number) + " " + (number == 1 ? one : several) + rest);
        }
    }

    static String result(long result) {
        return isError(result) ? "failed with " + ErrorNumber.name((int) -result) : "returned " + result;
    }

    static boolean isError(long result) {
        return result < 0 && result >= LEAST_ERROR;
    }
}
