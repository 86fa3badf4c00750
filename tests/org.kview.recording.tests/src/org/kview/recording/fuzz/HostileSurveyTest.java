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
import org.kview.model.SurveyFindings;
import org.kview.recording.survey.Findings;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.session.json.SurveyJson;
import org.kview.session.json.ValuesJson;
import org.kview.targets.Agent;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.Binary;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.SurveyFunction;
import org.kview.wire.proto.SurveyQuality;
import org.kview.wire.proto.SurveyReply;
import org.kview.wire.proto.SurveyThread;
import org.kview.wire.proto.SurveyTime;

/** A host that says anything of a survey: mutated replies, up to what is told and kept of them. {@code KVIEW_FUZZ_SEED} as elsewhere. */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class HostileSurveyTest {
    private static final int SURVEYS = 150;
    /** A request that gets no answer costs so long. */
    private static final Duration UNANSWERED = Duration.ofSeconds(10);

    private static List<List<FromAgent>> honest() {
        SurveyReply.Builder reply = SurveyReply.newBuilder().setBeginNs(10).setEndNs(20).setCostNs(1).setProcessCpuNs(5)
                .setProcess(Process.newBuilder().setPid(42).setName("shop").addArguments("/bin/shop"))
                .addFiles(Binary.newBuilder().setPath("/bin/shop")).addParents(0).addNodeFunctions(0)
                .setQuality(SurveyQuality.newBuilder().setStacks(9).setCompleteStacks(9));
        for (int i = 0; i < 6; i++) {
            reply.addFunctions(SurveyFunction.newBuilder().setName("f" + i).setSymbol("f" + i).setFile(i == 5 ? 0 : 1).setKernel(i == 5))
                    .addParents(i / 2).addNodeFunctions(i)
                    .addTimes(SurveyTime.newBuilder().setNode(i + 1).setTid(42 + i % 2).setMetric(Metric.ON_CPU).setTimeNs(2).setStacks(1))
                    .addThreads(SurveyThread.newBuilder().setTid(42 + i).setName("t").setOnCpuNs(3).addCauses(Metric.LOCK).addWaitedNs(4));
        }
        List<List<FromAgent>> said = new ArrayList<>(List.of(Conversation.honest().getFirst()));
        said.add(List.of(FromAgent.newBuilder().setRequestId(2).setSurvey(reply).build()));
        return said;
    }

    private static Optional<SurveyFindings> survey(List<byte[]> pieces) throws InterruptedException {
        try (Agent agent = Agent.connect(new ReplayedAgent(pieces, UNANSWERED))) {
            return Optional.of(Findings.of(new SurveyedFunctions(agent.survey(new SurveySpec(42, 0, Duration.ofMillis(1), 0))), 100));
        } catch (TargetException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("mistake in this program");
            return Optional.empty();
        }
    }

    /** @return whether there was something to tell */
    private static boolean play(long seed) throws Exception {
        Optional<SurveyFindings> found = survey(new Mutator(seed).mutate(honest()));
        if (found.isPresent()) {
            var root = ValuesJson.MAPPER.createObjectNode();
            SurveyJson.write(root, found.get());
            assertThat(ValuesJson.print(root)).startsWith("{");
        }
        return found.isPresent();
    }

    @Test
    void mutatedSurveysBreakNothing() throws Exception {
        assertThat(survey(Mutator.unchanged(honest())).orElseThrow().suggested()).isNotEmpty();
        assertThat(Seeds.play(SURVEYS, HostileSurveyTest::play)).as("surveys that were told").isBetween(SURVEYS / 20, SURVEYS - 1);
    }
}
