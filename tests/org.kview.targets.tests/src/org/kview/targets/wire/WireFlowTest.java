// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Metric;
import org.kview.targets.values.Flow;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.FlowCall;
import org.kview.wire.proto.FlowLosses;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowStep;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Process;

class WireFlowTest {
    private static final org.kview.wire.proto.Metric NONE = org.kview.wire.proto.Metric.WALL;
    private static final org.kview.wire.proto.Metric NETWORK = org.kview.wire.proto.Metric.NETWORK;

    private static FlowCall.Builder step(FlowCall.Builder call, FlowStep step, long after, int function,
            org.kview.wire.proto.Metric cause, long runQueue) {
        return call.addSteps(step).addAfterNs(after).addFunctions(function).addCauses(cause).addRunQueueNs(runQueue);
    }

    /** A read that waits for 50 of its 70 ns. */
    private static FlowCall.Builder call() {
        FlowCall.Builder call = FlowCall.newBuilder().setTid(0xfffffff0).setThread("worker").setBeginNs(1100).setWallNs(70)
                .setOnCpuNs(20).setResult(-11);
        step(call, FlowStep.FLOW_ENTER, 0, 0, NONE, 0);
        step(call, FlowStep.FLOW_ENTER, 5, 1, NONE, 0);
        step(call, FlowStep.FLOW_OUT, 5, 0, NETWORK, 0);
        step(call, FlowStep.FLOW_IN, 50, 0, NONE, 3);
        step(call, FlowStep.FLOW_LEAVE, 6, 1, NONE, 0);
        return step(call, FlowStep.FLOW_LEAVE, 4, 0, NONE, 0);
    }

    /** It calls a function between leaving its CPU and getting one. */
    private static FlowCall.Builder away() {
        FlowCall.Builder call = FlowCall.newBuilder().setBeginNs(1100).setWallNs(70);
        step(call, FlowStep.FLOW_ENTER, 0, 0, NONE, 0);
        step(call, FlowStep.FLOW_OUT, 5, 0, NETWORK, 0);
        step(call, FlowStep.FLOW_ENTER, 5, 1, NONE, 0);
        step(call, FlowStep.FLOW_LEAVE, 50, 1, NONE, 0);
        return step(call, FlowStep.FLOW_LEAVE, 10, 0, NONE, 0);
    }

    private static FlowReply.Builder reply() {
        return FlowReply.newBuilder().setBeginNs(1000).setEndNs(2000).setRealtimeOffsetNs(-7).setRoot("__x64_sys_read")
                .setProcess(Process.newBuilder().setPid(7).setName("cat")).addFunctions("__x64_sys_read").addFunctions("pipe_read")
                .addCalls(call()).setCallsSeen(4).setWallNs(90).setHooked(40_000).setNotHooked(12).setAttachNs(8).setDetachNs(9)
                .setMemoryBytes(4096).setLosses(FlowLosses.newBuilder().setCalls(1).setNestedFunctions(2).setNestedSwitches(3)
                        .setMissedReturns(4).setUnendedCalls(5).setCallsUnderWay(6).setInterruptFunctions(7)).setNote("The process has ended.").addNotes("One.").addNotes("Two.");
    }

    private static Flow flow(UnaryOperator<FlowReply.Builder> change) throws TargetException {
        return WireFlow.flow(FromAgent.newBuilder().setFlow(change.apply(reply())).build());
    }

    private static Flow flowOf(UnaryOperator<FlowCall.Builder> change) throws TargetException {
        return flow(reply -> reply.setCalls(0, change.apply(call())));
    }

    @Test
    void aFlowIsAValue() throws Exception {
        Flow flow = flow(reply -> reply);
        assertThat(flow.process().pid()).isEqualTo(7);
        assertThat(flow.stretch().nanos()).isEqualTo(1000);
        assertThat(flow.stretch().realtimeOffsetNanos()).isEqualTo(-7);
        assertThat(flow.root()).isEqualTo("__x64_sys_read");
        assertThat(flow.seen()).isEqualTo(new Flow.Seen(4, 90));
        assertThat(flow.view()).isEqualTo(new Flow.View(40_000, 12, 8, 9, 4096));
        assertThat(flow.losses()).isEqualTo(new Flow.Losses(1, 2, 3, 4, 5, 6, 7));
        assertThat(flow.note()).isEqualTo("The process has ended.");
        assertThat(flow.notes()).containsExactly("One.", "Two.");
        Flow.Call call = flow.calls().getFirst();
        assertThat(call.tid()).as("a number without a sign").isEqualTo(0xfffffff0L);
        assertThat(call.onCpuNanos()).isEqualTo(20);
        assertThat(call.result()).isEqualTo(-11);
        assertThat(call.steps()).containsExactly(new Flow.Enter(0, 0), new Flow.Enter(5, 1),
                new Flow.Wait(10, 50, Metric.NETWORK, 3, true), new Flow.Leave(66, true), new Flow.Leave(70, true));
    }

    @Test
    void aCauseThatOnlyANewerAgentKnowsIsAnotherOne() throws Exception {
        for (int cause : new int[] {99, Metric.WALL.value(), Metric.ON_CPU.value()}) {
            assertThat(flowOf(call -> call.setCausesValue(2, cause)).calls().getFirst().steps()).as("%d", cause)
                    .contains(new Flow.Wait(10, 50, Metric.OTHER, 3, true));
        }
    }

    /** Its wait lasts beyond what is told. */
    @Test
    void aCallMayGoOnBehindItsSteps() throws Exception {
        FlowCall.Builder cut = FlowCall.newBuilder().setBeginNs(1000).setWallNs(90).setOnCpuNs(20).setCutSteps(8_000);
        step(cut, FlowStep.FLOW_ENTER, 0, 0, NONE, 0);
        step(cut, FlowStep.FLOW_OUT, 30, 0, NETWORK, 0);
        Flow.Call call = flow(reply -> reply.setCalls(0, cut)).calls().getFirst();
        assertThat(call.cutSteps()).isEqualTo(8_000);
        assertThat(call.steps()).containsExactly(new Flow.Enter(0, 0), new Flow.Wait(30, 0, Metric.NETWORK, 0, false));
    }

    @Test
    void aFunctionMayNotBeSeenToReturn() throws Exception {
        assertThat(flowOf(call -> call.setSteps(4, FlowStep.FLOW_GONE).setUnseenSwitches(6)).calls().getFirst())
                .satisfies(call -> assertThat(call.steps()).contains(new Flow.Leave(66, false), new Flow.Leave(70, true)))
                .extracting(Flow.Call::unseenSwitches).isEqualTo(6L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"order", "begin", "late", "cpu", "wall", "sum", "seen", "seen time", "end", "functions", "name", "calls",
            "steps", "notes", "loss", "memory"})
    void aReplyThatCannotBeRightIsRefused(String what) {
        assertThatThrownBy(() -> flow(reply -> switch (what) {
            case "order" -> reply.setWallNs(1000).addCalls(call().setAfterNs(5, 5).setWallNs(71));
            case "begin" -> reply.setBeginNs(1101);
            case "late" -> reply.setEndNs(1169);
            case "cpu" -> reply.setCalls(0, call().setOnCpuNs(71));
            case "wall" -> reply.setCalls(0, call().setWallNs(-1));
            case "sum" -> reply.addCalls(call()).addCalls(call()).setCalls(0, call().setWallNs(Long.MAX_VALUE - 100));
            case "seen" -> reply.setCallsSeen(0);
            case "seen time" -> reply.setWallNs(69);
            case "end" -> reply.setEndNs(999);
            case "functions" -> reply.addAllFunctions(Collections.nCopies(500_000, "f"));
            case "name" -> reply.addFunctions("f".repeat(513));
            case "calls" -> reply.setCallsSeen(1000).setWallNs(1_000_000).addAllCalls(Collections.nCopies(100, call().build()));
            case "steps" -> reply.setCalls(0, call().addAllSteps(Collections.nCopies(3_400_000, FlowStep.FLOW_ENTER)));
            case "notes" -> reply.addAllNotes(Collections.nCopies(1000, "Note."));
            case "loss" -> reply.setLosses(FlowLosses.newBuilder().setCalls(-1));
            default -> reply.setMemoryBytes(-1);
        })).isInstanceOf(IllegalArgumentException.class).message().isNotBlank();
    }

    @ParameterizedTest
    @ValueSource(strings = {"times", "functions", "causes", "queues", "none", "first time", "first step", "root", "function", "negative",
            "another", "kind", "out twice", "in twice", "away", "out at the end", "newer kind", "behind", "never ends", "ends early", "ends late", "cut", "after", "queue", "queue below 0",
            "waits"})
    void stepsThatCannotBeRightAreRefused(String what) {
        assertThatThrownBy(() -> flowOf(call -> switch (what) {
            case "times" -> call.addAfterNs(0);
            case "functions" -> call.addFunctions(0);
            case "causes" -> call.addCauses(NONE);
            case "queues" -> call.addRunQueueNs(0);
            case "none" -> FlowCall.newBuilder().setBeginNs(1000);
            case "first time" -> call.setAfterNs(0, 1).setAfterNs(1, 4);
            case "first step" -> FlowCall.newBuilder().setBeginNs(1000).addSteps(FlowStep.FLOW_OUT).addAfterNs(0).addFunctions(0)
                    .addCauses(NETWORK).addRunQueueNs(0);
            case "root" -> call.setFunctions(0, 1).setFunctions(5, 1);
            case "function" -> call.setFunctions(1, 2).setFunctions(4, 2);
            case "negative" -> call.setFunctions(1, -1).setFunctions(4, -1);
            case "another" -> call.setFunctions(4, 0);
            case "out twice" -> call.setSteps(1, FlowStep.FLOW_OUT).setSteps(4, FlowStep.FLOW_IN);
            case "in twice" -> call.setSteps(1, FlowStep.FLOW_OUT).setSteps(2, FlowStep.FLOW_IN);
            case "away" -> away();
            case "out at the end" -> call.setSteps(5, FlowStep.FLOW_OUT);
            case "kind" -> call.setSteps(1, FlowStep.FLOW_STEP_UNSPECIFIED);
            case "newer kind" -> call.setStepsValue(1, 9);
            case "behind" -> step(call, FlowStep.FLOW_ENTER, 0, 1, NONE, 0);
            case "never ends" -> call.setFunctions(5, 1).setSteps(4, FlowStep.FLOW_ENTER);
            case "ends early" -> call.setWallNs(71);
            case "ends late" -> call.setWallNs(69);
            case "cut" -> call.setCutSteps(1);
            case "after" -> call.setAfterNs(1, -1);
            case "queue" -> call.setRunQueueNs(3, 51);
            case "queue below 0" -> call.setRunQueueNs(3, -1);
            default -> call.setOnCpuNs(21);
        })).isInstanceOf(IllegalArgumentException.class).message().isNotBlank();
    }

    @Test
    void aRequestSaysWhatIsAskedFor() {
        var request = WireFlow.request(new FlowSpec(7, 123, "read", Duration.ofMillis(1500), 9)).getFlow();
        assertThat(request.getPid()).isEqualTo(7);
        assertThat(request.getStartTimeNs()).isEqualTo(123);
        assertThat(request.getSystemCall()).isEqualTo("read");
        assertThat(request.getDurationMs()).isEqualTo(1500);
        assertThat(request.getSlowest()).isEqualTo(9);
    }
}
