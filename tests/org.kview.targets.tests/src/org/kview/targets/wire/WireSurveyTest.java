// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Metric;
import org.kview.targets.values.Survey;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.Binary;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.SurveyFunction;
import org.kview.wire.proto.SurveyQuality;
import org.kview.wire.proto.SurveyReply;
import org.kview.wire.proto.SurveyThread;
import org.kview.wire.proto.SurveyTime;

class WireSurveyTest {
    private static SurveyReply.Builder reply() {
        return SurveyReply.newBuilder().setBeginNs(10).setEndNs(20).setProcess(Process.newBuilder().setPid(7))
                .addFiles(Binary.newBuilder().setPath("/srv/shop"))
                .addFunctions(SurveyFunction.newBuilder().setName("main").setSymbol("main").setFile(1).setAddress(0x1140))
                .addFunctions(SurveyFunction.newBuilder().setName("futex_wait").setKernel(true))
                .addParents(0).addNodeFunctions(0).addParents(0).addNodeFunctions(0).addParents(1).addNodeFunctions(1)
                .addTimes(SurveyTime.newBuilder().setNode(2).setTid(8).setMetric(org.kview.wire.proto.Metric.LOCK).setTimeNs(9)
                        .setStacks(3))
                .addThreads(SurveyThread.newBuilder().setTid(8).setName("worker").setOnCpuNs(1)
                        .addCauses(org.kview.wire.proto.Metric.LOCK).addWaitedNs(9))
                .setQuality(SurveyQuality.newBuilder().setStacks(3).setCompleteStacks(2));
    }

    private static Survey survey(UnaryOperator<SurveyReply.Builder> change) throws TargetException {
        return WireSurvey.survey(FromAgent.newBuilder().setSurvey(change.apply(reply())).build());
    }

    @Test
    void aSurveyIsAValue() throws Exception {
        Survey survey = survey(reply -> reply);
        assertThat(survey.tree().functions().getFirst().binary()).isEqualTo("/srv/shop");
        assertThat(survey.tree().functions()).extracting(Survey.Function::address).containsExactly(0x1140L, 0L);
        assertThat(survey.tree().functions().getLast().kernel()).isTrue();
        assertThat(survey.tree().calls()).containsExactly(new Survey.Call(0, 0), new Survey.Call(0, 0), new Survey.Call(1, 1));
        assertThat(survey.tree().times()).containsExactly(new Survey.Time(2, 8, Metric.LOCK, 9, 3));
        assertThat(survey.threads().getFirst().waitedNanos()).isEqualTo(Map.of(Metric.LOCK, 9L));
        assertThat(survey.threads().getFirst().wallNanos()).isEqualTo(10);
        assertThat(survey.quality().complete()).isEqualTo(2);
    }

    @Test
    void aCauseThatOnlyANewerAgentKnowsIsAnotherOne() throws Exception {
        assertThat(survey(reply -> reply.setTimes(0, reply.getTimes(0).toBuilder().setMetricValue(99))).tree().times().getFirst().metric())
                .isEqualTo(Metric.OTHER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "parent", "function", "file", "node", "time", "causes", "empty", "deep", "sum", "end",
            "lengths", "twice", "complete", "cut", "functions", "calls", "times", "threads", "files"})
    void whatCannotBeRightIsRefused(String what) {
        assertThatThrownBy(() -> survey(reply -> switch (what) {
            case "ring" -> reply.setParents(2, 2);
            case "parent" -> reply.setParents(1, -1);
            case "function" -> reply.setNodeFunctions(2, 2);
            case "file" -> reply.setFunctions(0, reply.getFunctions(0).toBuilder().setFile(2));
            case "node" -> reply.setTimes(0, reply.getTimes(0).toBuilder().setNode(3));
            case "time" -> reply.setTimes(0, reply.getTimes(0).toBuilder().setTimeNs(-1));
            case "causes" -> reply.setThreads(0, reply.getThreads(0).toBuilder().addWaitedNs(1));
            case "deep" -> {
                for (int i = 2; i < 2000; i++) {
                    reply.addParents(i).addNodeFunctions(1);
                }
                yield reply;
            }
            case "sum" -> reply.addTimes(reply.getTimes(0).toBuilder().setTimeNs(Long.MAX_VALUE - 5));
            case "end" -> reply.setEndNs(9);
            case "twice" -> reply.addThreads(reply.getThreads(0));
            case "complete" -> reply.setQuality(reply.getQuality().toBuilder().setCompleteStacks(4));
            case "cut" -> reply.setQuality(reply.getQuality().toBuilder().setCutStacks(2));
            case "functions" -> reply.addAllFunctions(Collections.nCopies(300_000, reply.getFunctions(0)));
            case "calls" -> reply.addAllParents(Collections.nCopies(300_000, 0)).addAllNodeFunctions(Collections.nCopies(300_000, 0));
            case "times" -> reply.addAllTimes(Collections.nCopies(1_000_000, SurveyTime.getDefaultInstance()));
            case "threads" -> reply.addAllThreads(IntStream.range(100, 20_100).mapToObj(tid -> SurveyThread.newBuilder().setTid(tid)
                    .build()).toList());
            case "files" -> reply.addAllFiles(Collections.nCopies(10_000, reply.getFiles(0)));
            case "empty" -> reply.clearParents().clearNodeFunctions();
            default -> reply.addParents(0);
        })).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRequestSaysWhatIsAskedFor() {
        var request = WireSurvey.request(new SurveySpec(7, 123, Duration.ofMillis(1500), 99));
        assertThat(request.getPid()).isEqualTo(7);
        assertThat(request.getStartTimeNs()).isEqualTo(123);
        assertThat(request.getDurationMs()).isEqualTo(1500);
        assertThat(request.getSamplesPerSecond()).isEqualTo(99);
    }
}
