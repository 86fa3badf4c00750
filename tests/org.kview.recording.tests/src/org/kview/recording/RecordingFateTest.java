// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Budget;
import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.LostCalls;
import org.kview.model.ProbeSpec;
import org.kview.model.ProgramEnd;
import org.kview.model.SessionInfo.State;
import org.kview.model.Wait;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.CostToOthers;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FailedCalls;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.KernelStack;
import org.kview.wire.proto.LaunchReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Losses;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.OperationRounds;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ProcessExited;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.ResumeReply;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.ToAgent.BodyCase;

/** What an agent says of a recording's calls, cost and program, on its way into the session. */
@Timeout(300)
class RecordingFateTest {
    private static final int PID = 42;

    @TempDir
    private Path folder;
    private final FakeAgent fake = new FakeAgent();
    private final CompletableFuture<List<String>> unmatched = new CompletableFuture<>();
    private final List<String> awaited = new CopyOnWriteArrayList<>();
    private Agent agent;

    @AfterEach
    void disconnect() {
        agent.close();
    }

    /** A program that is launched, sends what is given, and ends the recording. */
    private RecordingResult record(RecordingEnded.Builder end, Optional<ProcessExited.Builder> exit, String... probes)
            throws Exception {
        return record(new ScopeSpec.Launch(new LaunchSpec(List.of("shop"), Map.of(), "")), end, exit, probes);
    }

    private RecordingResult record(ScopeSpec scope, RecordingEnded.Builder end, Optional<ProcessExited.Builder> exit,
            String... probes) throws Exception {
        fake.on(BodyCase.LAUNCH, _ -> FromAgent.newBuilder().setLaunch(LaunchReply.newBuilder().setPid(PID)));
        fake.on(BodyCase.START_RECORDING, _ -> FromAgent.newBuilder().setStartRecording(StartRecordingReply.newBuilder().setStartNs(1000)
                .addProbes(AttachedProbe.newBuilder().setInnerCostNs(100).setCallCostNs(900).setForced(true)
                        .addGoesOnTo("process"))));
        fake.on(BodyCase.RESUME, _ -> {
            ends(end, exit);
            return FromAgent.newBuilder().setResume(ResumeReply.newBuilder());
        });
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(PID).setName("shop").setExecutable("/usr/bin/shop"))));
        agent = Agent.connect(fake.start());
        return new Recorder(agent, "local").start(scope, new RecordingRequest(
                List.of(probes).stream().map(p -> ProbeSpec.parse(p).orElseThrow()).toList(), List.of(),
                folder.resolve("s.kview"), new RecordingOptions.Builder().grace(Duration.ZERO).budget(new Budget(20_000))
                        .forceReturnProbes(true).costToOthers(true).build()), new RecordingObserver() {
                    @Override
                    public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> nothing) {
                        unmatched.complete(nothing);
                    }

                    @Override
                    public void awaits(List<String> files) {
                        awaited.addAll(files);
                    }

                    @Override
                    public void started(LatencySnapshot empty) {
                        if (scope instanceof ScopeSpec.Attach) {
                            ends(end, exit);
                        }
                    }
                }).await();
    }

    private void ends(RecordingEnded.Builder end, Optional<ProcessExited.Builder> exit) {
        fake.send(delta());
        fake.send(FromAgent.newBuilder().setRecordingEnded(end));
        exit.ifPresent(e -> fake.send(FromAgent.newBuilder().setProcessExited(e.setPid(PID))));
    }

    private static FromAgent.Builder delta() {
        FunctionDelta.Builder function = FunctionDelta.newBuilder().setCalls(20).setAbandoned(2).setUnfinished(1)
                .setCutCalls(1).setInconsistentCalls(1).setRemovedNs(200).setUncertainNs(30).setWaitedNs(20).setPassedSites(7)
                .setCostNs(18_000).setNeverLoaded(true).setProbesOffNs(1_500).setProbesOff("They were too dear.")
                .setProbesOffPpm(120_000).addFailed(FailedCalls.newBuilder().setErrorNumber(2).setCalls(4))
                .addWaits(org.kview.wire.proto.Wait.newBuilder().setMetric(Metric.LOCK).setWakerValue(1).setWakerTid(11).setWakerPid(10)
                        .setWakerName("worker").setLockAddress(4096).setLockName("cache_lock").setTimeNs(60).setWaits(2))
                .addWaits(org.kview.wire.proto.Wait.newBuilder().setMetric(Metric.SLEEP).setWakerValue(2).setTimeNs(5).setWaits(1)
                        .setPlaceValue(1).setKernelStack(1))
                .addKernelStacks(KernelStack.newBuilder().addFunctions("pipe_read"))
                .addKernelStacks(KernelStack.newBuilder().addFunctions("do_nap").addFunctions("hrtimer_nanosleep").setPlace(1))
                .addWaits(org.kview.wire.proto.Wait.newBuilder().setMetricValue(77).setTimeNs(5).setWaits(1));
        function.getLostBuilder().setTooDeep(1).setNoMemory(2).setEndUnseen(3).setProbesOff(4).setExec(5);
        for (Metric metric : List.of(Metric.WALL, Metric.STOPPED)) {
            function.addMetrics(MetricDelta.newBuilder().setMetric(metric).setCount(2).setTotalNs(70).setMaxNs(35)
                    .addBucketIndex(33).addBucketCount(2));
        }
        return FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().setBeginNs(1000).setEndNs(2000)
                .addFunctions(function).setLosses(Losses.newBuilder().setUnmatchedReturns(6).setUnaccountedCalls(8)
                        .setFiguresLost(9).setChildrenWithProbes(1)).setProbesCostNs(18_000).setProcessCpuNs(100_000)
                        .setChildren(3).setChildrenCpuNs(40).setLast(true));
    }

    private static RecordingEnded.Builder processEnded() {
        return RecordingEnded.newBuilder().setReason(RecordingEnded.Reason.PROCESS_ENDED);
    }

    private void functionsAreFound() {
        fake.on(BodyCase.FIND_FUNCTIONS, request -> {
            if (request.getFindFunctions().getPattern().startsWith("no_")) {
                return FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_SUCH_FUNCTION)
                        .setMessage("shop has no function that matches it."));
            }
            return RecorderTest.functions(request);
        });
    }

    @Test
    void everyFateIsInTheSession() throws Exception {
        functionsAreFound();
        LatencySnapshot figures = record(processEnded(), Optional.of(ProcessExited.newBuilder().setSignalled(true)
                .setStatus(11)), "shop:f").figures();
        FunctionLatency f = figures.functions().getFirst();
        assertThat(f.fates()).contains(new CallFates(new LostCalls(1, 2, 3, 4, 5), 1, 1,
                new CallFates.ProbesCost(200, 30, 20, 7, 18_000), Optional.of(new CallFates.ProbesOff(1_500, "They were too dear.", Optional.of(
                        Duration.ofNanos(500)), 0.12)), CallFates.Limits.UNKNOWN, true,
                new org.kview.model.FailedCalls(new TreeMap<>(Map.of(2, 4L))), new Waits(List.of(
                        new Wait(org.kview.model.Metric.LOCK, new Waker(Waker.Kind.THREAD, 11, 10, "worker"), 4096, "cache_lock", 60, 2),
                        new Wait(org.kview.model.Metric.SLEEP, Waker.of(Waker.Kind.INTERRUPT), 0, "", 5, 1,
                                new WaitPlace(WaitPlace.Kind.STACK, List.of("do_nap", "hrtimer_nanosleep"), 1))))));
        assertThat(f.unaccountedCalls()).isZero();
        assertThat(f.function().ends().goesOnTo()).containsExactly("process");
        assertThat(f.function().ends().forced()).isTrue();
        assertThat(f.distribution(org.kview.model.Metric.STOPPED).totalNanos()).isEqualTo(70);
        assertThat(figures.losses()).isEqualTo(new org.kview.model.Losses(0, 0, 0, 0, 0, 6, 8, 9));
        assertThat(figures.overhead().process().share()).hasValue(0.18);
        assertThat(figures.overhead().process().children()).isEqualTo(new org.kview.model.ForkedChildren(3, 40, 1));
        assertThat(figures.info().program()).contains(new ProgramEnd(true, 11));
        StartRecordingRequest asked = fake.received().stream().filter(r -> r.hasStartRecording()).findFirst()
                .orElseThrow().getStartRecording();
        assertThat(asked.getBudgetPpm()).isEqualTo(20_000);
        assertThat(asked.getForceReturnProbes()).isTrue();
    }

    @Test
    void aProgramWhoseEndIsNotToldHasNone() throws Exception {
        functionsAreFound();
        assertThat(record(processEnded(), Optional.empty(), "shop:f").figures().info().program()).isEmpty();
    }

    /** The probes may be the cause: whoever gave the process's number hears of it as well. */
    @Test
    void aSignalThatEndedARecordedProcessIsTold() throws Exception {
        functionsAreFound();
        assertThat(record(new ScopeSpec.Attach(PID), processEnded(), Optional.of(ProcessExited.newBuilder()
                .setSignalled(true).setStatus(4)), "shop:f").figures().info().program())
                .contains(new ProgramEnd(true, 4));
    }

    /** That is what the agent says where it does not know. */
    @Test
    void anExitStatusIsNotBelievedOfARecordedProcess() throws Exception {
        functionsAreFound();
        assertThat(record(new ScopeSpec.Attach(PID), processEnded(), Optional.of(ProcessExited.newBuilder()), "shop:f")
                .figures().info().program()).isEmpty();
    }

    @Test
    void aRecordingThatCostTooMuchIsDoneAndSaysWhy() throws Exception {
        functionsAreFound();
        RecordingResult result = record(RecordingEnded.newBuilder().setReason(RecordingEnded.Reason.OVER_BUDGET)
                .setMessage("Its probes took 40 %."), Optional.empty(), "shop:f");
        assertThat(result.failure()).isEmpty();
        assertThat(result.figures().info().state()).isEqualTo(State.STOPPED);
        assertThat(result.figures().info().stateNote()).isEqualTo("Its probes took 40 %.");
        assertThat(result.figures().overhead().budget()).contains(new Budget(20_000));
    }

    @Test
    void whatItCostOthersIsInTheSession() throws Exception {
        functionsAreFound();
        OperationRounds.Builder rounds = OperationRounds.newBuilder().setName("getppid()").addCalls(0).addStandsFor(77).setOperations(2);
        for (long i = 0; i < 20; i++) {
            rounds.addBeforeNs(180 + i % 3).addDuringNs(360 + i % 3).addAfterNs(180 + i % 3);
        }
        LatencySnapshot figures = record(processEnded().setCostToOthers(CostToOthers.newBuilder().setCpu(1)
                .setCpuUse(CostToOthers.CpuUse.SHARED).setCpuNs(5).addOperations(rounds)), Optional.empty(), "shop:f").figures();
        assertThat(fake.received().stream().filter(r -> r.hasStartRecording()).findFirst().orElseThrow().getStartRecording()
                .getCostToOthers()).isTrue();
        org.kview.model.CostToOthers others = figures.overhead().others().orElseThrow();
        assertThat(others.cpuUse()).isEqualTo(org.kview.model.CostToOthers.CpuUse.SHARED);
        org.kview.model.CostToOthers.Operation operation = others.operations().getFirst();
        assertThat(operation.calls()).containsExactly("f");
        assertThat(operation.standsFor()).as("the host named a function that is none").isEmpty();
        assertThat(operation.before()).isEqualTo(new org.kview.model.CostToOthers.Rounds(20, 90.5));
        assertThat(operation.more().orElseThrow().nanos()).isEqualTo(90);
        assertThat(operation.more().orElseThrow().isToldApart()).isTrue();
        assertThat(operation.drift().orElseThrow().isToldApart()).isFalse();
    }

    /** As by an older agent: nobody must take that for nothing. */
    @Test
    void thatItWasNotToldIsInTheSession() throws Exception {
        functionsAreFound();
        assertThat(record(processEnded(), Optional.empty(), "shop:f").figures().overhead().others().orElseThrow().note())
                .contains("asked for, but the agent did not tell it");
    }

    @Test
    void aGlobThatComesToNothingIsToldWhereOthersMatch() throws Exception {
        functionsAreFound();
        record(processEnded(), Optional.empty(), "shop:no_*", "shop:f");
        assertThat(unmatched.get()).containsExactly("shop:no_*: shop has no function that matches it.");
    }

    @Test
    void aLibraryThatIsNotLoadedYetIsAwaited() throws Exception {
        fake.on(BodyCase.FIND_FUNCTIONS, request -> {
            FromAgent.Builder found = RecorderTest.functions(request);
            found.getFindFunctionsBuilder().setBinary("/lib/plugin.so").setNotLoaded(true);
            return found;
        });
        record(processEnded(), Optional.empty(), "plugin.so:f", "plugin.so:f");
        assertThat(awaited).containsExactly("/lib/plugin.so");
    }

    @Test
    void whatIsLoadedIsNotAwaited() throws Exception {
        functionsAreFound();
        record(processEnded(), Optional.empty(), "shop:f");
        assertThat(awaited).isEmpty();
    }

    @Test
    void anExactNameThatIsNotThereIsAnError() throws Exception {
        functionsAreFound();
        assertThatThrownBy(() -> record(processEnded(), Optional.empty(), "shop:no_such", "shop:f"))
                .isInstanceOf(TargetException.class);
    }

    @Test
    void globsThatAllComeToNothingAreAnError() throws Exception {
        functionsAreFound();
        assertThatThrownBy(() -> record(processEnded(), Optional.empty(), "shop:no_*", "shop:no_?"))
                .isInstanceOf(TargetException.class).hasMessage("shop has no function that matches it.");
    }
}
