// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.recording.flow.FlowTree;
import org.kview.recording.flow.TreeSums;
import org.kview.targets.Agent;
import org.kview.targets.KernelFlow;
import org.kview.targets.values.Flow;
import org.kview.targets.values.FlowSpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.FlowCall;
import org.kview.wire.proto.FlowLosses;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowStep;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.Process;

/** A host that says anything of its calls' ways: mutated replies, up to the trees that are made of them. */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class HostileFlowTest {
    private static final int FLOWS = 150;
    /** A request that gets no answer costs so long. */
    private static final Duration UNANSWERED = Duration.ofSeconds(10);

    private static List<List<FromAgent>> honest() {
        FlowReply.Builder reply = FlowReply.newBuilder().setBeginNs(10).setEndNs(2000).setRoot("f0").setCallsSeen(9).setWallNs(900)
                .setProcess(Process.newBuilder().setPid(42).setName("shop").addArguments("/bin/shop")).setHooked(6)
                .setLosses(FlowLosses.newBuilder().setNestedFunctions(1)).addNotes("Note.");
        for (int i = 0; i < 6; i++) {
            reply.addFunctions("f" + i).addCalls(call(100 - i));
        }
        List<List<FromAgent>> said = new ArrayList<>(List.of(Conversation.honest().getFirst()));
        said.add(List.of(FromAgent.newBuilder().setRequestId(2).setFlow(reply).build()));
        return said;
    }

    /** It goes through all functions, and waits in the last one. */
    private static FlowCall call(int wall) {
        FlowCall.Builder call = FlowCall.newBuilder().setTid(42).setThread("t").setBeginNs(100).setWallNs(wall).setOnCpuNs(wall - 50);
        for (int i = 0; i < 6; i++) {
            step(call, FlowStep.FLOW_ENTER, i == 0 ? 0 : 1, i, Metric.WALL, 0);
        }
        step(call, FlowStep.FLOW_OUT, 1, 0, Metric.LOCK, 0);
        step(call, FlowStep.FLOW_IN, 50, 0, Metric.WALL, 7);
        for (int i = 5; i >= 0; i--) {
            step(call, FlowStep.FLOW_LEAVE, i == 0 ? wall - 61 : 1, i, Metric.WALL, 0);
        }
        return call.build();
    }

    private static void step(FlowCall.Builder call, FlowStep step, long after, int function, Metric cause, long runQueue) {
        call.addSteps(step).addAfterNs(after).addFunctions(function).addCauses(cause).addRunQueueNs(runQueue);
    }

    private static Optional<Flow> flow(List<byte[]> pieces) throws InterruptedException {
        try (Agent agent = Agent.connect(new ReplayedAgent(pieces, UNANSWERED))) {
            return Optional.of(KernelFlow.of(agent, new FlowSpec(42, 0, "read", Duration.ofMillis(1), 10)));
        } catch (TargetException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("mistake in this program");
            return Optional.empty();
        }
    }

    private static boolean play(long seed) throws Exception {
        Optional<Flow> found = flow(new Mutator(seed).mutate(honest()));
        found.ifPresent(flow -> flow.calls().forEach(call -> TreeSums.check(FlowTree.of(flow, call), call)));
        return found.isPresent();
    }

    @Test
    void mutatedFlowsBreakNothing() throws Exception {
        assertThat(flow(Mutator.unchanged(honest())).orElseThrow().calls()).hasSize(6);
        assertThat(Seeds.play(FLOWS, HostileFlowTest::play)).as("flows that were told").isBetween(FLOWS / 20, FLOWS - 1);
    }
}
