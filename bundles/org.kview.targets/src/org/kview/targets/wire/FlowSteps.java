// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.kview.targets.wire.WireNumbers.counted;
import static org.kview.targets.wire.WireNumbers.metric;
import static org.kview.targets.wire.WireNumbers.sum;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.kview.model.Metric;
import org.kview.targets.values.Flow;
import org.kview.wire.proto.FlowCall;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowStep;

/** The steps of one call of a flow, which have to be those of one thread. */
final class FlowSteps {
    private final FlowReply reply;
    private final FlowCall call;
    /** Functions that have been entered and not left, by their numbers. */
    private final Deque<Integer> open = new ArrayDeque<>();
    private final List<Flow.Step> steps = new ArrayList<>();
    private long now;
    /** When the thread left its CPU; negative while it has one. */
    private long out = -1;
    private long waited;

    FlowSteps(FlowReply reply, FlowCall call) {
        this.reply = reply;
        this.call = call;
    }

    /** @throws IllegalArgumentException if they can't be right */
    List<Flow.Step> read() {
        checkLengths();
        for (int i = 0; i < call.getStepsCount(); i++) {
            if (i > 0 && open.isEmpty()) {
                throw new IllegalArgumentException("a step after the return of the system call");
            }
            now = sum(now, call.getAfterNs(i));
            steps.add(step(i));
        }
        checkEnd();
        return steps;
    }

    private void checkLengths() {
        int steps = call.getStepsCount();
        if (call.getAfterNsCount() != steps || call.getFunctionsCount() != steps || call.getCausesCount() != steps
                || call.getRunQueueNsCount() != steps) {
            throw new IllegalArgumentException("a call of " + steps + " steps with " + call.getAfterNsCount() + " times, "
                    + call.getFunctionsCount() + " functions, " + call.getCausesCount() + " causes and "
                    + call.getRunQueueNsCount() + " times without a CPU");
        }
        if (steps == 0 || call.getSteps(0) != FlowStep.FLOW_ENTER || call.getAfterNs(0) != 0) {
            throw new IllegalArgumentException("a call whose steps do not begin with it");
        }
    }

    private Flow.Step step(int i) {
        return switch (call.getSteps(i)) {
            case FLOW_ENTER -> {
                open.push(number(i));
                yield new Flow.Enter(now, open.peek());
            }
            case FLOW_LEAVE -> {
                leave(number(i));
                yield new Flow.Leave(now, call.getFunctions(i));
            }
            case FLOW_OUT -> {
                // Of two in a row one was not seen, which is among the losses: it was away from the first one on.
                out = out < 0 ? now : out;
                Metric cause = metric(call.getCausesValue(i));
                yield new Flow.Out(now, cause.isCause() ? cause : Metric.OTHER);
            }
            case FLOW_IN -> {
                long away = out < 0 ? 0 : now - out;
                if (counted(call.getRunQueueNs(i)) > away) {
                    throw new IllegalArgumentException("a thread that waited longer for a CPU than it was away from one");
                }
                waited += away;
                out = -1;
                yield new Flow.In(now, call.getRunQueueNs(i));
            }
            case FLOW_STEP_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("a step of no known kind: "
                    + call.getStepsValue(i));
        };
    }

    private int number(int i) {
        int function = call.getFunctions(i);
        if (function < 0 || function >= reply.getFunctionsCount() || i == 0 && !reply.getFunctions(function).equals(reply.getRoot())) {
            throw new IllegalArgumentException("step " + i + " is in function " + Integer.toUnsignedString(function));
        }
        return function;
    }

    /** What it had called and was not seen to return did so before. */
    private void leave(int function) {
        while (!open.isEmpty()) {
            if (open.pop() == function) {
                return;
            }
        }
        throw new IllegalArgumentException("a function that returns and was not called: " + reply.getFunctions(function));
    }

    private void checkEnd() {
        waited += out < 0 ? 0 : now - out;
        boolean ended = open.isEmpty();
        if (ended != (call.getCutSteps() == 0) || ended && now != call.getWallNs() || now > call.getWallNs()) {
            throw new IllegalArgumentException("steps that do not end with their call");
        }
        if (waited > call.getWallNs() - call.getOnCpuNs()) {
            throw new IllegalArgumentException("steps with more waits than their call has");
        }
    }
}
