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
            steps.add(switch (call.getSteps(i)) {
                case FLOW_ENTER -> enter(i);
                case FLOW_LEAVE -> leave(i, true);
                case FLOW_GONE -> leave(i, false);
                case FLOW_OUT -> out(i);
                case FLOW_IN -> in(i);
                case FLOW_STEP_UNSPECIFIED, UNRECOGNIZED -> throw new IllegalArgumentException("a step of no known kind: "
                        + call.getStepsValue(i));
            });
        }
        checkEnd();
        return steps;
    }

    private void checkLengths() {
        int number = call.getStepsCount();
        if (call.getAfterNsCount() != number || call.getFunctionsCount() != number || call.getCausesCount() != number
                || call.getRunQueueNsCount() != number) {
            throw new IllegalArgumentException("a call of " + number + " steps with " + call.getAfterNsCount() + " times, "
                    + call.getFunctionsCount() + " functions, " + call.getCausesCount() + " causes and "
                    + call.getRunQueueNsCount() + " times without a CPU");
        }
        if (number == 0 || call.getSteps(0) != FlowStep.FLOW_ENTER || call.getAfterNs(0) != 0) {
            throw new IllegalArgumentException("a call whose steps do not begin with it");
        }
    }

    private Flow.Step enter(int i) {
        int function = call.getFunctions(i);
        if (function < 0 || function >= reply.getFunctionsCount() || i == 0 && !reply.getFunctions(function).equals(reply.getRoot())) {
            throw new IllegalArgumentException("step " + i + " is in function " + Integer.toUnsignedString(function));
        }
        open.push(function);
        return new Flow.Enter(now, function);
    }

    private Flow.Step leave(int i, boolean seen) {
        int innermost = open.pop();
        if (innermost != call.getFunctions(i)) {
            throw new IllegalArgumentException("step " + i + " leaves another function than the innermost, "
                    + reply.getFunctions(innermost));
        }
        return new Flow.Leave(now, seen);
    }

    /** The next step says how long it was away. */
    private Flow.Step out(int i) {
        if (i < call.getStepsCount() - 1 && call.getSteps(i + 1) != FlowStep.FLOW_IN) {
            throw new IllegalArgumentException("step " + (i + 1) + " is in a thread that has no CPU");
        }
        Metric cause = metric(call.getCausesValue(i));
        return new Flow.Wait(now, 0, cause.isCause() ? cause : Metric.OTHER, 0, false);
    }

    /** It takes the place of the step before. */
    private Flow.Step in(int i) {
        if (!(steps.removeLast() instanceof Flow.Wait(long since, _, Metric cause, _, boolean ended)) || ended) {
            throw new IllegalArgumentException("step " + i + " gets a CPU for a thread that has one");
        }
        if (counted(call.getRunQueueNs(i)) > now - since) {
            throw new IllegalArgumentException("a thread that waited longer for a CPU than it was away from one");
        }
        waited += now - since;
        return new Flow.Wait(since, now - since, cause, call.getRunQueueNs(i), true);
    }

    private void checkEnd() {
        boolean ended = open.isEmpty();
        if (ended != (call.getCutSteps() == 0) || ended && now != call.getWallNs() || now > call.getWallNs()) {
            throw new IllegalArgumentException("steps that do not end with their call");
        }
        if (waited > call.getWallNs() - call.getOnCpuNs()) {
            throw new IllegalArgumentException("steps with more waits than their call has");
        }
    }
}
