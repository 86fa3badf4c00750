// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Filter;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbeSpec;
import org.kview.model.SessionInfo.State;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.EndProgramReply;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.LaunchReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Losses;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.Probe;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ProcessExited;
import org.kview.wire.proto.ProcessOutput;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.ResumeReply;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

@Timeout(300)
class RecorderTest {
    private static final int PID = 42;
    private static final ScopeSpec SHOP = new ScopeSpec.Attach(PID);

    @TempDir
    private Path folder;

    private final FakeAgent fake = new FakeAgent();
    private final CountDownLatch snapshots = new CountDownLatch(1);
    private final StringBuffer output = new StringBuffer();
    private final CompletableFuture<List<FunctionInfo>> skipped = new CompletableFuture<>();
    private Agent agent;

    private final RecordingObserver observer = new RecordingObserver() {
        @Override
        public void found(List<FunctionInfo> functions, List<FunctionInfo> leftOut, List<String> unmatched) {
            skipped.complete(leftOut);
        }

        @Override
        public void snapshot(LatencySnapshot figures) {
            snapshots.countDown();
        }

        @Override
        public void output(boolean errorStream, byte[] bytes) {
            output.append(new String(bytes));
        }
    };

    private Recorder recorder() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(PID).addArguments("/bin/shop").addArguments("-x"))));
        fake.on(BodyCase.FIND_FUNCTIONS, RecorderTest::functions);
        fake.on(BodyCase.LAUNCH, _ -> FromAgent.newBuilder().setLaunch(LaunchReply.newBuilder().setPid(PID)));
        fake.on(BodyCase.RESUME, _ -> FromAgent.newBuilder().setResume(ResumeReply.newBuilder()));
        fake.on(BodyCase.START_RECORDING, RecorderTest::started);
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            fake.send(delta(5, true, 0));
            fake.send(ended(RecordingEnded.Reason.REQUESTED, ""));
            return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
        });
        agent = Agent.connect(fake.start());
        return new Recorder(agent, "local");
    }

    @AfterEach
    void disconnect() {
        if (agent != null) {
            agent.close();
        }
    }

    @Test
    void recordsAProcessUntilItIsStopped() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:price_total"), observer);
        fake.send(delta(3, false, 0));
        snapshots.await();
        assertThat(recording.snapshot().functions().getFirst().calls()).isEqualTo(3);
        recording.stop();
        RecordingResult result = recording.await();

        assertThat(result.failure()).isEmpty();
        LatencySnapshot kept = read(result.folder());
        assertThat(kept.info().state()).isEqualTo(State.STOPPED);
        assertThat(kept.info().command()).isEqualTo("/bin/shop -x");
        assertThat(kept.info().filter()).isEqualTo("in");
        assertThat(kept.functions().getFirst().calls()).isEqualTo(5);
        assertThat(kept.functions().getFirst().wall().count()).isEqualTo(4);
        assertThat(kept.problems()).isEmpty();
        recording.stop();
    }

    @Test
    void whatTakesTimeBeforeIsToldAsItBegins() throws Exception {
        List<Object> told = new ArrayList<>();
        RecordingObserver hears = new RecordingObserver() {
            @Override
            public void step(Step step) {
                told.add(step);
            }

            @Override
            public void found(List<FunctionInfo> functions, List<FunctionInfo> leftOut, List<String> unmatched) {
                told.add("found");
            }

            @Override
            public void tried(Optional<CostForecast> forecast, String failure) {
                told.add("tried");
            }

            @Override
            public void started(LatencySnapshot empty) {
                told.add("started");
            }
        };
        Recording recording = recorder().start(SHOP, request("shop:price_total"), hears);
        recording.stop();
        recording.await();
        assertThat(told).containsExactly(RecordingObserver.Step.LOOKING_UP, "found", RecordingObserver.Step.ATTACHING, "started");
    }

    @Test
    void endsWithTheProcess() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:price_total"), observer);
        fake.send(delta(3, true, 7));
        fake.send(ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        RecordingResult result = recording.await();
        assertThat(result.failure()).isEmpty();
        assertThat(read(result.folder()).info().state()).isEqualTo(State.PROCESS_ENDED);
        assertThat(read(result.folder()).losses().eventsDropped()).isEqualTo(7);
    }

    @Test
    void endsAfterTheTimeAskedFor() throws Exception {
        RecordingRequest request = request(Optional.of(Duration.ofMillis(50)), "shop:f");
        RecordingResult result = recorder().start(SHOP, request, observer).await();
        assertThat(result.figures().info().state()).isEqualTo(State.STOPPED);
    }

    @Test
    void startsAProgramWhenItsProbesAreInPlace() throws Exception {
        Recorder recorder = recorder();
        fake.on(BodyCase.RESUME, _ -> {
            fake.send(FromAgent.newBuilder().setProcessOutput(ProcessOutput.newBuilder().setPid(PID)
                    .setData(com.google.protobuf.ByteString.copyFromUtf8("hello"))));
            fake.send(delta(3, true, 0));
            fake.send(ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
            fake.send(FromAgent.newBuilder().setProcessExited(ProcessExited.newBuilder().setPid(PID)));
            return FromAgent.newBuilder().setResume(ResumeReply.newBuilder());
        });
        Recording recording = recorder.start(new ScopeSpec.Launch(
                new LaunchSpec(List.of("shop", "-y"), Map.of(), "")), request("shop:f"), observer);
        RecordingResult result = recording.await();
        assertThat(recording.endProgram(Duration.ofMinutes(1))).isEmpty();
        assertThat(output).hasToString("hello");
        assertThat(result.figures().info().command()).isEqualTo("shop -y");
        assertThat(fake.received()).extracting(ToAgent::getBodyCase).containsExactly(BodyCase.HELLO, BodyCase.LAUNCH,
                BodyCase.FIND_FUNCTIONS, BodyCase.START_RECORDING, BodyCase.RESUME);
    }

    @Test
    void aProgramThatGoesOnIsEndedWhereItRuns() throws Exception {
        Recorder recorder = recorder();
        fake.on(BodyCase.END_PROGRAM, _ -> {
            fake.send(FromAgent.newBuilder().setProcessExited(ProcessExited.newBuilder().setPid(PID)));
            return FromAgent.newBuilder().setEndProgram(EndProgramReply.newBuilder());
        });
        Recording recording = recorder.start(new ScopeSpec.Launch(
                new LaunchSpec(List.of("shop"), Map.of(), "")), request("shop:f"), observer);
        recording.stop();
        recording.await();
        assertThat(recording.endProgram(Duration.ofMinutes(1))).isEmpty();
        assertThat(fake.received().getLast().getEndProgram().getPid()).isEqualTo(PID);
    }

    @Test
    void aProcessIsFoundByItsName() throws Exception {
        Recorder recorder = recorder();
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(PID).setName("shop").addArguments("/bin/shop"))
                .addProcesses(Process.newBuilder().setPid(5).setName("java").setExecutable("/opt/store"))
                .addProcesses(Process.newBuilder().setPid(6).setName("java").setExecutable("/opt/jdk/bin/java"))
                .addProcesses(Process.newBuilder().setPid(7).setName("store").setKernelThread(true))));
        assertThat(recordNamed(recorder, "shop").info().pid()).isEqualTo(PID);
        assertThat(recordNamed(recorder, "store").info().pid()).isEqualTo(5);
        assertThatThrownBy(() -> recordNamed(recorder, "java")).hasMessageContaining("5 (").hasMessageContaining("6 (");
        assertThatThrownBy(() -> recordNamed(recorder, "sho")).hasMessageContaining("no process named sho");
    }

    private LatencySnapshot recordNamed(Recorder recorder, String name) throws Exception {
        Recording recording = recorder.start(new ScopeSpec.Named(name), request("shop:f"), observer);
        recording.cancel();
        return recording.await().figures();
    }

    @Test
    void anAgentThatDiesLeavesASessionThatSaysSo() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:price_total"), observer);
        fake.send(delta(3, false, 0));
        snapshots.await();
        fake.die(128 + 9, "");
        RecordingResult result = recording.await();
        assertThat(result.failure()).hasValueSatisfying(s -> assertThat(s).contains("signal 9"));
        LatencySnapshot kept = read(result.folder());
        assertThat(kept.info().state()).isEqualTo(State.FAILED);
        assertThat(kept.functions().getFirst().calls()).isEqualTo(3);
    }

    @Test
    void anAgentThatGivesUpLeavesASessionThatSaysSo() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:price_total"), observer);
        fake.send(delta(3, true, 0));
        fake.send(ended(RecordingEnded.Reason.FAILED, "The ring buffer broke."));
        assertThat(recording.await().failure()).hasValue("The ring buffer broke.");
        assertThat(read(recording.folder()).info().stateNote()).isEqualTo("The ring buffer broke.");
    }

    @Test
    void figuresOfAFunctionThatIsNotRecordedBreakItOff() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:price_total"), observer);
        fake.send(FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder()
                .addFunctions(FunctionDelta.newBuilder().setFunctionId(9).setCalls(1))));
        assertThat(recording.await().failure()).hasValueSatisfying(s -> assertThat(s).contains("can't be right"));
    }

    @Test
    void anExistingFolderIsLeftAlone() throws Exception {
        Path session = Files.createDirectory(folder.resolve("s.kview"));
        Files.writeString(session.resolve("session.json"), "precious");
        Recorder recorder = recorder();
        assertThatThrownBy(() -> recorder.start(SHOP, request("shop:f"), observer)).isInstanceOf(SessionException.class)
                .hasMessageContaining("s.kview").hasMessageContaining("exists already");
        assertThat(session.resolve("session.json")).hasContent("precious");
        assertThat(fake.received()).as("nothing was attached").hasSize(1);
    }

    @Test
    void aFailedStartLeavesNoFolder() throws Exception {
        Recorder recorder = recorder();
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(4711), request("shop:f"),
                observer)).isInstanceOf(TargetException.class).hasMessageContaining("no process 4711");
        fake.refuse(BodyCase.START_RECORDING, Error.Code.NO_PERMISSION, "Be root.");
        assertThatThrownBy(() -> recorder.start(SHOP, request("shop:f"), observer)).hasMessage("Be root.");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aCancelledRecordingLeavesNoFolder() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:f"), observer);
        recording.cancel();
        recording.await();
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aGlobLeavesOutWhatCantBeProbed() throws Exception {
        Recording recording = recorder().start(SHOP, request("shop:price_*", "shop:price_total"), observer);
        recording.cancel();
        recording.await();
        assertThat(skipped.get()).extracting(FunctionInfo::name).containsExactly("price_odd");
        assertThat(fake.received().stream().filter(r -> r.hasStartRecording()).findFirst().orElseThrow()
                .getStartRecording().getProbesList()).extracting(Probe::getFunctionId, Probe::getSymbol)
                .as("each once, ids without gaps").containsExactly(org.assertj.core.groups.Tuple.tuple(0, "price_item"),
                        org.assertj.core.groups.Tuple.tuple(1, "price_total"));
    }

    /** A host may say anything. */
    @Test
    void aProcessWithoutANumberIsNotRecorded() throws Exception {
        Recorder recorder = recorder();
        fake.on(BodyCase.LAUNCH, _ -> FromAgent.newBuilder().setLaunch(LaunchReply.newBuilder()));
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Launch(new LaunchSpec(List.of("shop"), Map.of(), "")),
                request("shop:f"), observer)).isInstanceOf(TargetException.class).hasMessageContaining("without a number");
    }

    @Test
    void aFunctionThatCantBeProbedSaysWhy() throws Exception {
        Recorder recorder = recorder();
        assertThatThrownBy(() -> recorder.start(SHOP, request("shop:price_odd"), observer))
                .hasMessageContaining("shop:price_odd").hasMessageContaining("It jumps about.");
    }

    @Test
    void nearNamesAreInTheSentence() throws Exception {
        Recorder recorder = recorder();
        fake.refuse(BodyCase.FIND_FUNCTIONS, Error.Code.NO_SUCH_FUNCTION, "shop has no pric_total; did you mean one of these?",
                "price_total", "price_item");
        assertThatThrownBy(() -> recorder.start(SHOP, request("shop:pric_total"), observer))
                .hasMessage("shop has no pric_total; did you mean one of these: price_total, price_item");
    }

    @Test
    void aPatternThatMatchesTooMuchIsRefused() throws Exception {
        Recorder recorder = recorder();
        fake.on(BodyCase.FIND_FUNCTIONS, request -> {
            FromAgent.Builder reply = functions(request);
            reply.getFindFunctionsBuilder().setTotalMatches(5000);
            return reply;
        });
        assertThatThrownBy(() -> recorder.start(SHOP, request("shop:*"), observer)).hasMessageContaining("5000");
    }

    private RecordingRequest request(String... probes) {
        return request(Optional.empty(), probes);
    }

    private RecordingRequest request(Optional<Duration> duration, String... probes) {
        return new RecordingRequest(java.util.Arrays.stream(probes).map(p -> ProbeSpec.parse(p).orElseThrow())
                .toList(), List.of(), folder.resolve("s.kview"), new RecordingOptions.Builder().duration(duration).build());
    }

    static LatencySnapshot read(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    static FromAgent.Builder functions(ToAgent request) {
        String pattern = request.getFindFunctions().getPattern();
        List<String> names = pattern.equals("price_*") ? List.of("price_item", "price_odd", "price_total")
                : List.of(pattern);
        FindFunctionsReply.Builder reply = FindFunctionsReply.newBuilder().setBinary("/bin/shop")
                .setTotalMatches(names.size());
        AtomicInteger at = new AtomicInteger();
        names.forEach(name -> reply.addFunctions(Function.newBuilder().setName(name).setSymbol(name)
                .setBinary("/bin/shop").setFileOffset(name.equals("price_total") ? 9000 : at.incrementAndGet())
                .setProbeable(!name.equals("price_odd"))
                .setReason(name.equals("price_odd") ? "It jumps about." : "")));
        return FromAgent.newBuilder().setFindFunctions(reply);
    }

    static FromAgent.Builder started(ToAgent request) {
        StartRecordingReply.Builder reply = StartRecordingReply.newBuilder().setStartNs(1000)
                .setFilter(org.kview.wire.proto.Filter.FILTER_IN);
        request.getStartRecording().getProbesList().forEach(p -> reply.addProbes(AttachedProbe.newBuilder()
                .setFunctionId(p.getFunctionId()).setInnerCostNs(600).setCallCostNs(1500)));
        return FromAgent.newBuilder().setStartRecording(reply);
    }

    static FromAgent.Builder delta(long calls, boolean last, long dropped) {
        return FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().setBeginNs(1000)
                .setEndNs(1000 + calls * 1_000_000).setLast(last)
                .setLosses(Losses.newBuilder().setEventsDropped(dropped))
                .addFunctions(FunctionDelta.newBuilder().setCalls(calls).addMetrics(MetricDelta.newBuilder().setCount(2)
                        .setTotalNs(70).setMaxNs(35).addBucketIndex(33).addBucketCount(2))));
    }

    static FromAgent.Builder ended(RecordingEnded.Reason reason, String message) {
        return FromAgent.newBuilder()
                .setRecordingEnded(RecordingEnded.newBuilder().setReason(reason).setMessage(message));
    }
}
