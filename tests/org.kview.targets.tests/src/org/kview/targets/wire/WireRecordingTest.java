// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.CallFates;
import org.kview.model.CostToOthers.CpuUse;
import org.kview.model.Filter;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.Scope;
import org.kview.model.Waits;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.targets.values.OthersRounds;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.ConditionTest;
import org.kview.wire.proto.CostToOthers;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.OperationRounds;
import org.kview.wire.proto.Probe;
import org.kview.wire.proto.ProcessScope;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.Tracepoint;
import org.kview.wire.proto.UserFunction;

class WireRecordingTest {
    private static final FunctionInfo READ = FunctionInfo.of(new ProbePoint.SystemCall("read"));
    private static final FunctionInfo PAY = new FunctionInfo("pay()",
            new ProbePoint.UserFunction("/usr/bin/shop", "_Z3payv", 0x1100, 0x100, 70), FunctionInfo.Language.CPP, true, "",
            new FunctionInfo.Ends(ExitKind.URETPROBE, 0, List.of()),
            new FunctionInfo.Price(InstructionCost.UNKNOWN, InstructionCost.UNKNOWN, 0), List.of(), 0);

    private static StartRecordingRequest request(Scope... scopes) {
        return WireRecording.request(spec(PAY, scopes), Duration.ZERO);
    }

    private static RecordingSpec spec(FunctionInfo function, Scope... scopes) {
        return spec(function, false, scopes);
    }

    private static RecordingSpec spec(FunctionInfo function, boolean events, Scope... scopes) {
        return new RecordingSpec(List.of(scopes), List.of(function), events, Filter.AUTO, Duration.ZERO, Duration.ZERO,
                Budget.DEFAULT, false, ProbeWay.AUTO);
    }

    /** An agent from before scopes looks at pid alone. */
    @Test
    void aProcessIsNamedInBothWays() {
        StartRecordingRequest request = request(new Scope.Process(4711, 81));
        assertThat(request.getPid()).isEqualTo(4711);
        assertThat(request.getScopesList()).singleElement().extracting(org.kview.wire.proto.Scope::getProcess)
                .isEqualTo(ProcessScope.newBuilder().setPid(4711).setStartTimeNs(81).build());
    }

    /** Such an agent must not measure one of several, as if it were all. */
    @Test
    void ofSeveralScopesNoneIsNamedByPid() {
        assertThat(request(new Scope.Process(1, 0), new Scope.Process(2, 0)).getPid()).isZero();
    }

    @Test
    void aScopeOfAKindThatNoAgentKnowsIsNotAskedFor() {
        assertThatIllegalArgumentException().isThrownBy(() -> request(new Scope.Unknown("flow", 4711)))
                .withMessageContaining("flow");
    }

    /** An agent that does not know the case looks at the fields beside it. */
    @Test
    void aUserFunctionIsACaseAndNamedWhereOlderAgentsLook() {
        assertThat(request(new Scope.Process(4711, 0)).getProbesList()).containsExactly(Probe.newBuilder()
                .setBinary("/usr/bin/shop").setSymbol("_Z3payv").setFileOffset(0x100)
                .setUserFunction(UserFunction.getDefaultInstance()).build());
    }

    private static RecordingSpec conditional(String conditions) throws Exception {
        return conditional(PAY, conditions);
    }

    private static RecordingSpec conditional(FunctionInfo function, String conditions) throws Exception {
        return new RecordingSpec(List.of(new Scope.Process(4711, 0)), List.of(function), false, Filter.AUTO, Duration.ZERO, Duration.ZERO,
                Budget.DEFAULT, false, ProbeWay.AUTO, false, false, CallConditions.parse(conditions));
    }

    private static List<ConditionTest.Sign> signs(FunctionInfo function, String condition) throws Exception {
        return WireRecording.request(conditional(function, condition), Duration.ZERO).getProbes(0).getCondition().getTestsList().stream()
                .map(ConditionTest::getSign).toList();
    }

    /** An offset of 3 GiB is none below 0; an argument may be an int. */
    @Test
    void aSystemCallReturnsALong() throws Exception {
        String condition = "arg0 < 0 && retval < 0";
        assertThat(signs(PAY, condition)).containsExactly(ConditionTest.Sign.SIGNED_INT, ConditionTest.Sign.SIGNED_INT);
        assertThat(signs(READ, condition)).containsExactly(ConditionTest.Sign.SIGNED_INT, ConditionTest.Sign.SIGNED);
    }

    @Test
    void aConditionIsOfItsFunction() throws Exception {
        Probe probe = WireRecording.request(conditional("pay: (int) arg1 == -1 && comm != \"main\""), Duration.ZERO).getProbes(0);
        assertThat(probe.getCondition().getTestsList()).containsExactly(
                ConditionTest.newBuilder().setField(ConditionTest.Field.ARGUMENT).setArgument(1).setBits(32).setSign(ConditionTest.Sign.SIGNED)
                        .setMask(-1).setComparison(ConditionTest.Comparison.EQUAL).setValue(-1).setIfTrue(1).setIfFalse(33).build(),
                ConditionTest.newBuilder().setField(ConditionTest.Field.THREAD_NAME).setBits(64).setMask(-1)
                        .setComparison(ConditionTest.Comparison.DIFFERENT).setThreadName("main").setIfTrue(32).setIfFalse(33).build());
        assertThat(WireRecording.request(conditional("other: arg0 > 1"), Duration.ZERO).getProbes(0).hasCondition()).isFalse();
    }

    /** It would measure all calls, and these would stand for those that were asked for. */
    @Test
    void anAgentThatDoesNotSayThatItHasTheConditionIsRefused() throws Exception {
        RecordingSpec spec = conditional("arg0 > 4096");
        assertThatThrownBy(() -> started(spec, AttachedProbe.newBuilder())).isInstanceOf(TargetException.class)
                .hasMessageContaining("measures all calls of pay()");
        assertThat(started(spec, AttachedProbe.newBuilder().setConditional(true)).condition()).isEqualTo("arg0 > 4096");
        assertThatThrownBy(() -> started(PAY, AttachedProbe.newBuilder().setConditional(true))).isInstanceOf(TargetException.class)
                .hasMessageContaining("was not asked for");
        assertThat(started(PAY, AttachedProbe.newBuilder()).isConditional()).isFalse();
    }

    @Test
    void callsThatDoNotMatchAreANumber() {
        assertThat(fates(FunctionDelta.newBuilder().setUnmatchedCalls(7)).unmatched()).isEqualTo(7);
        assertThatIllegalArgumentException().isThrownBy(() -> fates(FunctionDelta.newBuilder().setUnmatchedCalls(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> fates(FunctionDelta.newBuilder().setUnmatchedCalls(1L << 61)));
    }

    private static CallFates fates(FunctionDelta.Builder function) {
        return WireFigures.interval(HistogramDelta.newBuilder().setProcessCpuNs(1).addFunctions(function).build()).functions().getFirst()
                .fates().orElseThrow();
    }

    @Test
    void aTracepointHasHits() throws Exception {
        FunctionInfo wakeup = FunctionInfo.of(new ProbePoint.Tracepoint("sched", "sched_wakeup"));
        assertThat(WireRecording.request(spec(wakeup, new Scope.Process(4711, 0)), Duration.ZERO).getProbes(0).getTracepoint())
                .isEqualTo(Tracepoint.newBuilder().setCategory("sched").setName("sched_wakeup").build());
        assertThat(started(wakeup, AttachedProbe.newBuilder().setMeasured(1 << 13)).countsHits()).isTrue();
        assertThat(started(READ, AttachedProbe.newBuilder().setMeasured(0x1fff)).countsHits()).isFalse();
    }

    private static ProbedFunction started(FunctionInfo function, AttachedProbe.Builder attached) throws Exception {
        return started(spec(function, new Scope.Process(4711, 0)), attached);
    }

    private static ProbedFunction started(RecordingSpec spec, AttachedProbe.Builder attached) throws Exception {
        return WireRecording.started(FromAgent.newBuilder().setStartRecording(StartRecordingReply.newBuilder()
                .addProbes(attached)).build(), spec).functions().getFirst();
    }

    private static Mechanism mechanism(FunctionInfo function, AttachedProbe.Builder attached) throws Exception {
        return started(function, attached).mechanism();
    }

    private static Set<Metric> measured(FunctionInfo function, long metrics) throws Exception {
        return started(function, AttachedProbe.newBuilder().setMeasured(metrics)).measured();
    }

    @Test
    void theMechanismIsTheAgentsWord() throws Exception {
        assertThat(mechanism(PAY, AttachedProbe.newBuilder().setMechanismValue(1))).isEqualTo(Mechanism.TRAP);
        assertThat(mechanism(PAY, AttachedProbe.newBuilder().setMechanismValue(2))).isEqualTo(Mechanism.TRACEPOINT);
        assertThat(mechanism(PAY, AttachedProbe.newBuilder().setMechanismValue(77))).as("one of a newer agent")
                .isEqualTo(Mechanism.UNKNOWN);
    }

    @Test
    void anOlderAgentHasOneMechanismForEachKindOfPoint() throws Exception {
        assertThat(mechanism(PAY, AttachedProbe.newBuilder())).isEqualTo(Mechanism.TRAP);
        assertThat(mechanism(READ, AttachedProbe.newBuilder())).isEqualTo(Mechanism.TRACEPOINT);
    }

    @Test
    void whatIsMeasuredIsTheAgentsWord() throws Exception {
        assertThat(measured(PAY, 0b11)).containsExactlyInAnyOrder(Metric.WALL, Metric.ON_CPU);
        assertThat(measured(READ, 0x1fff)).containsExactlyInAnyOrderElementsOf(Metric.OF_CALLS);
        assertThat(measured(PAY, 0b1 | 1L << 40 | 1L << 63)).as("by a newer agent, also what is not known here")
                .containsExactly(Metric.WALL);
    }

    @Test
    void anOlderAgentMeasuresAllOfAFunctionAndTheTimeAloneOfASystemCall() throws Exception {
        assertThat(measured(PAY, 0)).containsExactlyInAnyOrderElementsOf(Metric.OF_CALLS);
        assertThat(measured(READ, 0)).containsExactly(Metric.WALL);
        assertThatThrownBy(() -> WireRecording.started(FromAgent.newBuilder().setStartRecording(StartRecordingReply.newBuilder()
                .addProbes(AttachedProbe.newBuilder())).build(), spec(READ, true, new Scope.Process(4711, 0))))
                .isInstanceOf(TargetException.class).hasMessageContaining("no events of system calls");
    }

    @Test
    void jumpsAreAskedForWhereTheUserSaysSo() throws Exception {
        RecordingSpec spec = spec(PAY, new Scope.Process(4711, 0));
        assertThat(WireRecording.request(spec, Duration.ZERO).getProbeWayValue()).isZero();
        assertThat(WireRecording.request(new RecordingSpec(spec.scopes(), spec.functions(), false, Filter.AUTO, Duration.ZERO,
                Duration.ZERO, Budget.DEFAULT, false, ProbeWay.JUMP), Duration.ZERO).getProbeWayValue()).isEqualTo(2);
        assertThat(mechanism(PAY, AttachedProbe.newBuilder().setMechanismValue(3))).isEqualTo(Mechanism.JUMP);
    }

    private static RecordingEnded.Builder ended(OperationRounds.Builder operation) {
        return RecordingEnded.newBuilder().setReason(RecordingEnded.Reason.REQUESTED).setCostToOthers(CostToOthers.newBuilder()
                .setCpu(3).setCpuUse(CostToOthers.CpuUse.UNUSED).setCpuNs(9_000).setNote("n").addOperations(operation));
    }

    @Test
    void roundsOfBatchesAreTimesOfOneOperation() {
        RecordingSpec without = spec(PAY, new Scope.Process(4711, 0));
        assertThat(WireRecording.request(without, Duration.ZERO).getCostToOthers()).isFalse();
        assertThat(WireRecording.request(new RecordingSpec(without.scopes(), without.functions(), false, Filter.AUTO, Duration.ZERO,
                Duration.ZERO, Budget.DEFAULT, false, ProbeWay.AUTO, false, true), Duration.ZERO).getCostToOthers()).isTrue();
        assertThat(WireRecording.end(ended(OperationRounds.newBuilder().setName("getppid()").addCalls(2).addStandsFor(5).setOperations(400)
                .addBeforeNs(36_000).addDuringNs(72_000).addDuringNs(73_000).addAfterNs(36_200)).build()).others())
                .contains(new OthersRounds(List.of(new OthersRounds.Operation("getppid()", List.of(2), List.of(5), List.of(90.0),
                        List.of(180.0, 182.5), List.of(90.5))), 3, CpuUse.UNUSED, 9_000, "n"));
        assertThat(WireRecording.end(RecordingEnded.getDefaultInstance()).others()).as("nobody asked, or an older agent").isEmpty();
    }

    /** The host may send anything. */
    @Test
    void roundsThatCannotBeAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> WireRecording.end(ended(OperationRounds.newBuilder().setOperations(1)
                .addBeforeNs(-1)).build()));
        assertThat(WireRecording.end(ended(OperationRounds.newBuilder().addBeforeNs(7)).build()).others().orElseThrow().operations()
                .getFirst().before()).as("of batches of nothing").containsExactly(7.0);
    }

    /** An older agent, or a mechanism that can't, passes over the wish: that is not told as no waits. */
    @Test
    void waitsThatNobodyTellsAreRefused() throws Exception {
        RecordingSpec without = spec(PAY, new Scope.Process(4711, 0));
        RecordingSpec spec = new RecordingSpec(without.scopes(), without.functions(), false, Filter.AUTO, Duration.ZERO, Duration.ZERO,
                Budget.DEFAULT, false, ProbeWay.AUTO, true, false);
        assertThat(WireRecording.request(without, Duration.ZERO).getWaits()).isFalse();
        assertThat(WireRecording.request(spec, Duration.ZERO).getWaits()).isTrue();
        var reply = StartRecordingReply.newBuilder().addProbes(AttachedProbe.newBuilder().setWaits(true));
        assertThat(WireRecording.started(FromAgent.newBuilder().setStartRecording(reply).build(), spec).functions())
                .extracting(ProbedFunction::waits).containsExactly(Waits.Told.YES);
        assertThat(started(PAY, AttachedProbe.newBuilder()).waits()).as("nobody asked").isEqualTo(Waits.Told.NO);
        reply.getProbesBuilder(0).setWaits(false);
        assertThatThrownBy(() -> WireRecording.started(FromAgent.newBuilder().setStartRecording(reply).build(), spec))
                .isInstanceOf(TargetException.class).hasMessageContaining("record without waits");
    }
}
