// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.ByteFormat;
import org.kview.model.ErrorNumber;
import org.kview.model.LatencyFormat;
import org.kview.targets.values.Flow;

/** What is said of the ways of calls, in sentences. */
public final class FlowText {
    /** Smaller results are no error numbers. */
    private static final long LEAST_ERROR = -4095;

    private FlowText() {
    }

    /** Of those that were seen: of others nothing is known. The calls that are told follow it. */
    public static String seen(Flow flow, String systemCall) {
        long calls = flow.seen().calls();
        if (calls == 0) {
            return "no call of " + systemCall + " was seen to begin and end";
        }
        int shown = flow.calls().size();
        return (calls == 1 ? "1 call of " : LatencyFormat.count(calls) + " calls of ") + systemCall
                + (calls == 1 ? " was" : " were") + " seen, " + LatencyFormat.nanos(flow.seen().wallNanos()) + " in all; "
                + (shown == calls ? "all of them" : shown == 1 ? "the slowest of them" : "the " + shown + " slowest of them");
    }

    /** Of one call, the number of which is one more than its index: how long it took, how it ended, and when. */
    public static String call(Flow flow, int index) {
        Flow.Call call = flow.calls().get(index);
        return index + 1 + ": " + LatencyFormat.nanos(call.wallNanos()) + ", on-CPU " + LatencyFormat.nanos(call.onCpuNanos())
                + ", " + result(call.result()) + "; thread " + call.thread() + " (" + call.tid() + "), after "
                + LatencyFormat.nanos(call.beginNanos() - flow.stretch().beginNanos());
    }

    public static List<String> cost(Flow flow) {
        Flow.View view = flow.view();
        return List.of("In a kernel view of this process alone " + LatencyFormat.count(view.hooked())
                + " functions of the kernel's image were hooked, " + LatencyFormat.count(view.notHooked())
                + " left out, and none of modules. It took "
                + ByteFormat.bytes(view.memoryBytes()) + ", " + LatencyFormat.nanos(view.attachNanos()) + " to make and enter it, "
                + LatencyFormat.nanos(view.detachNanos()) + " to leave it.",
                "Each hooked function cost the process more meanwhile: the times are with that.");
    }

    /** What was not seen, and what may be wrong. */
    public static List<String> caveats(Flow flow, String systemCall) {
        List<String> caveats = new ArrayList<>();
        if (!flow.note().isEmpty()) {
            caveats.add(flow.note());
        }
        Flow.Losses losses = flow.losses();
        add(caveats, losses.calls(), "call of " + systemCall + " was", "calls of " + systemCall + " were",
                " not followed to the end, for want of memory or as the return was not seen, and may have been slower.");
        add(caveats, losses.unendedCalls(), "call of " + systemCall + " had", "calls of " + systemCall + " had",
                " not ended at the end, or can't end, and may be slower.");
        add(caveats, losses.earlierCalls(), "call of " + systemCall + " was", "calls of " + systemCall + " were",
                " under way as this began, perhaps more: not among those that were seen, and may be slower.");
        add(caveats, losses.functions(), "call of a function was", "calls of functions were",
                " not seen, in " + systemCall + " or elsewhere, as an eBPF program was running on that CPU or made it: what is missing in"
                + " a tree is time of its caller there.");
        add(caveats, losses.switches(), "context switch within " + systemCall + " was", "context switches within " + systemCall + " were",
                " not seen, as an eBPF program was running on that CPU: a wait may stand as time on a CPU.");
        add(caveats, losses.missedReturns(), "function in these calls was", "functions in these calls were",
                " not seen to return, and may have done so earlier than it seems.");
        add(caveats, losses.interrupts(), "call of a function", "calls of functions", " in interrupts and softirqs, within " + systemCall
                + " or elsewhere, not followed: their time is that of the function that they came in.");
        caveats.addAll(flow.notes());
        return caveats;
    }

    private static void add(List<String> caveats, long number, String one, String several, String rest) {
        if (number > 0) {
            caveats.add(LatencyFormat.count(number) + " " + (number == 1 ? one : several) + rest);
        }
    }

    /** Of one call. */
    public static List<String> caveats(Flow.Call call, long hiddenWaits) {
        List<String> caveats = new ArrayList<>();
        add(caveats, call.unseenSwitches(), "context switch", "context switches",
                " in this call not seen, or at one end alone: its waits, and what it did beside them, are known less surely.");
        if (hiddenWaits > 0) {
            caveats.add(LatencyFormat.nanos(hiddenWaits) + " of its waits are in no step: above they stand as time on a CPU.");
        }
        return caveats;
    }

    public static String result(long result) {
        return isError(result) ? "failed with " + ErrorNumber.name((int) -result) : "returned " + result;
    }

    public static boolean isError(long result) {
        return result < 0 && result >= LEAST_ERROR;
    }
}
