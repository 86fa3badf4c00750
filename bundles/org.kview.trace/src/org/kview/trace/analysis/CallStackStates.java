// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.eclipse.tracecompass.analysis.profiling.core.callstack.CallStackAnalysis;
import org.eclipse.tracecompass.analysis.profiling.core.callstack.CallStackStateProvider;
import org.eclipse.tracecompass.tmf.core.statesystem.ITmfStateProvider;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTmfTrace;
import org.kview.ctf.EventField;
import org.kview.ctf.EventKind;
import org.kview.model.SafeText;
import org.kview.trace.KviewEvents;

/**
 * The calls that each thread is in. A call without a return, as one that was left by an exception, ends where the next one of its
 * depth begins, or a call that encloses it ends.
 */
final class CallStackStates extends RecordedStates {
    /** What the trace says whom it is of; its threads may be of other processes as well. */
    private static final String TARGET = "target_pid";

    /** What is known of a thread. The attribute's name is the one that the thread has at its first call. */
    private static final class Stack {
        private String name = "";
        private String pid;
        private int quark = -1;
        private final Deque<Long> depths = new ArrayDeque<>();

        Stack(String pid) {
            this.pid = pid;
        }
    }

    private final String target;

    private final Map<Integer, Stack> stacks = new HashMap<>();

    CallStackStates(ITmfTrace trace) {
        super(trace, "Calls of a Kview recording");
        target = trace instanceof CtfTmfTrace ctf ? SafeText.line(ctf.getEnvironment().getOrDefault(TARGET, "Process")) : "Process";
    }

    @Override
    public ITmfStateProvider getNewInstance() {
        return new CallStackStates(getTrace());
    }

    @Override
    public void take(EventKind kind, CtfTmfEvent event, int tid, long nanos) {
        Stack stack = stacks.computeIfAbsent(tid, _ -> new Stack(target));
        long depth = KviewEvents.number(event, EventField.DEPTH).orElse(0);
        switch (kind) {
            case CALL_ENTRY -> {
                leave(stack, depth, nanos);
                enter(stack, tid, depth, KviewEvents.label(event, EventField.FUNCTION), nanos);
            }
            case CALL_EXIT -> leave(stack, depth, nanos);
            case THREAD_EXIT -> {
                leave(stack, 0, nanos);
                // Another thread may get its number.
                stacks.remove(tid);
            }
            case THREAD -> {
                KviewEvents.text(event, EventField.NAME).ifPresent(name -> stack.name = name);
                KviewEvents.number(event, EventField.PID).ifPresent(pid -> stack.pid = Long.toString(pid));
            }
            case SWITCH_OUT, SWITCH_IN, WAKEUP -> { }
        }
    }

    private void enter(Stack stack, int tid, long depth, Optional<String> function, long nanos) {
        if (stack.quark < 0) {
            int process = states().getQuarkAbsoluteAndAdd(CallStackStateProvider.PROCESSES, stack.pid);
            int thread = states().getQuarkRelativeAndAdd(process, SafeText.line((stack.name + " " + tid).strip()));
            states().updateOngoingState((Object) (long) tid, thread);
            stack.quark = states().getQuarkRelativeAndAdd(thread, CallStackAnalysis.CALL_STACK);
        }
        states().pushAttribute(nanos, SafeText.line(function.orElse("?")), stack.quark);
        stack.depths.push(depth);
    }

    private void leave(Stack stack, long depth, long nanos) {
        while (!stack.depths.isEmpty() && stack.depths.peek() >= depth) {
            stack.depths.pop();
            states().popAttribute(nanos, stack.quark);
        }
    }

    @Override
    public void forget(long nanos) {
        stacks.values().forEach(stack -> leave(stack, 0, nanos));
    }
}
