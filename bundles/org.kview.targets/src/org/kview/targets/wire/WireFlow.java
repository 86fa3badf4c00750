// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.kview.targets.wire.WireNumbers.checkNumber;
import static org.kview.targets.wire.WireNumbers.counted;
import static org.kview.targets.wire.WireNumbers.sum;

import java.util.ArrayList;
import java.util.List;

import org.kview.targets.values.Flow;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.Stretch;
import org.kview.targets.values.TargetException;
import org.kview.wire.Frames;
import org.kview.wire.proto.EndFlowRequest;
import org.kview.wire.proto.FlowCall;
import org.kview.wire.proto.FlowLosses;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowRequest;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ToAgent;

/** Converts the ways of calls through the kernel. A reply that can't be right throws an {@link IllegalArgumentException}. */
public final class WireFlow {
    /** As many as the kernel has, and more. */
    private static final int MOST_FUNCTIONS = 500_000;
    /** The kernel's own limit. */
    private static final int MOST_CHARACTERS = 512;
    /** Of all calls, of which an agent tells less where they do not fit into a frame: there are five bytes for each. */
    private static final int MOST_STEPS = Frames.MAX_LENGTH / 5;
    private static final int MOST_NOTES = 1000;

    private WireFlow() {
    }

    public static ToAgent.Builder request(FlowSpec spec) {
        return ToAgent.newBuilder().setFlow(FlowRequest.newBuilder().setPid((int) spec.pid()).setStartTimeNs(spec.startTimeNanos())
                .setSystemCall(spec.systemCall()).setDurationMs((int) spec.duration().toMillis()).setSlowest(spec.slowest()));
    }

    public static ToAgent.Builder end() {
        return ToAgent.newBuilder().setEndFlow(EndFlowRequest.getDefaultInstance());
    }

    public static Void ended(FromAgent reply) throws TargetException {
        return WireValues.expect(reply, FromAgent.BodyCase.END_FLOW);
    }

    public static Flow flow(FromAgent message) throws TargetException {
        WireValues.expect(message, FromAgent.BodyCase.FLOW);
        FlowReply reply = message.getFlow();
        checkNumbers(reply);
        if (counted(reply.getEndNs()) < counted(reply.getBeginNs())) {
            throw new IllegalArgumentException("an end before the begin");
        }
        return new Flow(WireValues.process(reply.getProcess()),
                new Stretch(reply.getBeginNs(), reply.getEndNs(), reply.getRealtimeOffsetNs()), reply.getRoot(),
                reply.getFunctionsList(), calls(reply),
                new Flow.Seen(reply.getCallsSeen(), reply.getWallNs()),
                new Flow.View(Integer.toUnsignedLong(reply.getHooked()), Integer.toUnsignedLong(reply.getNotHooked()),
                        counted(reply.getAttachNs()), counted(reply.getDetachNs()), counted(reply.getMemoryBytes())),
                losses(reply.getLosses()), reply.getNote(), reply.getNotesList());
    }

    private static void checkNumbers(FlowReply reply) {
        checkNumber("calls of a flow", reply.getCallsCount(), FlowSpec.MOST_SLOWEST);
        checkNumber("functions of a flow", reply.getFunctionsCount(), MOST_FUNCTIONS);
        checkNumber("notes of a flow", reply.getNotesCount(), MOST_NOTES);
        checkNumber("steps of a flow", reply.getCallsList().stream().mapToLong(FlowCall::getStepsCount).sum(), MOST_STEPS);
        reply.getFunctionsList().forEach(name -> checkNumber("characters in the name of a kernel's function", name.length(),
                MOST_CHARACTERS));
    }

    private static List<Flow.Call> calls(FlowReply reply) {
        List<Flow.Call> calls = new ArrayList<>(reply.getCallsCount());
        long all = 0;
        long slowest = Long.MAX_VALUE;
        for (FlowCall call : reply.getCallsList()) {
            long wall = counted(call.getWallNs());
            all = sum(all, wall);
            if (wall > slowest) {
                throw new IllegalArgumentException("a call that is slower than the one before it, which are the slowest first");
            }
            slowest = wall;
            if (counted(call.getBeginNs()) < reply.getBeginNs() || sum(call.getBeginNs(), wall) > reply.getEndNs()) {
                throw new IllegalArgumentException("a call that began before the flow did, or ended after it");
            }
            if (counted(call.getOnCpuNs()) > wall) {
                throw new IllegalArgumentException("a call that was on a CPU for longer than it took");
            }
            calls.add(new Flow.Call(Integer.toUnsignedLong(call.getTid()), call.getThread(), call.getBeginNs(), wall,
                    call.getOnCpuNs(), call.getResult(), new FlowSteps(reply, call).read(), counted(call.getCutSteps()),
                    counted(call.getUnseenSwitches())));
        }
        if (counted(reply.getCallsSeen()) < calls.size() || counted(reply.getWallNs()) < all) {
            throw new IllegalArgumentException("more calls, or a longer time of them, than were seen");
        }
        return calls;
    }

    private static Flow.Losses losses(FlowLosses l) {
        return new Flow.Losses(counted(l.getCalls()), counted(l.getNestedFunctions()), counted(l.getNestedSwitches()),
                counted(l.getMissedReturns()), counted(l.getUnendedCalls()), counted(l.getCallsUnderWay()),
                counted(l.getInterruptFunctions()));
    }
}
