// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindPointsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Probe;
import org.kview.wire.proto.Probe.PointCase;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.RefusedPoint;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

/** What differs where system calls are recorded. */
@Timeout(300)
class SystemCallRecordingTest {
    private static final int PID = 42;
    private static final ScopeSpec SHOP = new ScopeSpec.Attach(PID);

    @TempDir
    private Path folder;

    private final FakeAgent fake = new FakeAgent();
    private final RecordingObserver observer = new RecordingObserver() {};
    private Agent agent;

    @BeforeEach
    void connect() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(PID).addArguments("/bin/shop"))));
        fake.on(BodyCase.START_RECORDING, RecorderTest::started);
        agent = Agent.connect(fake.start());
    }

    @AfterEach
    void disconnect() {
        agent.close();
    }

    @Test
    void systemCallsAreRecordedByTheirNames() throws Exception {
        Recording recording = recorder().start(SHOP, trial(request("syscall:fsync", "syscall:read",
                "syscall:fsync")), observer);
        fake.send(RecorderTest.delta(3, true, 0));
        fake.send(RecorderTest.ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        LatencySnapshot figures = recording.await().figures();
        assertThat(fake.received().stream().filter(ToAgent::hasStartRecording)).as("without a trial, that others pay for")
                .singleElement().satisfies(request -> assertThat(request.getStartRecording().getProbesList())
                        .extracting(probe -> probe.getSystemCall().getName()).containsExactly("fsync", "read"));
        assertThat(fake.received()).noneMatch(ToAgent::hasFindFunctions);
        assertThat(figures.functions()).extracting(f -> f.function().name()).containsExactly("syscall:fsync", "syscall:read");
        assertThat(figures.functions().getFirst().isMeasured(Metric.ON_CPU)).isFalse();
        assertThat(RecorderTest.read(folder.resolve("s.kview")).functions()).isEqualTo(figures.functions());
    }

    @Test
    void functionsAreRecordedBesideThemAndTriedAlone() throws Exception {
        fake.on(BodyCase.FIND_FUNCTIONS, RecorderTest::functions);
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames("vfs_read").setTotalMatches(1)));
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            fake.send(RecorderTest.delta(3, true, 0));
            fake.send(RecorderTest.ended(RecordingEnded.Reason.REQUESTED, ""));
            return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
        });
        Recording recording = recorder().start(SHOP, trial(request("syscall:fsync", "shop:price_total", "syscall:read",
                "kernel:vfs_read")), observer);
        recording.stop();
        LatencySnapshot figures = recording.await().figures();
        List<StartRecordingRequest> started = fake.received().stream().filter(ToAgent::hasStartRecording)
                .map(ToAgent::getStartRecording).toList();
        assertThat(started).hasSize(2);
        assertThat(started.getFirst().getProbesList()).as("the trial, whose price others do not pay").singleElement()
                .matches(Probe::hasUserFunction);
        assertThat(started.getLast().getProbesList()).as("in the order that was asked for")
                .extracting(Probe::getFunctionId, Probe::getPointCase).containsExactly(
                        tuple(0, PointCase.SYSTEM_CALL), tuple(1, PointCase.USER_FUNCTION), tuple(2, PointCase.SYSTEM_CALL),
                        tuple(3, PointCase.KERNEL_FUNCTION));
        assertThat(figures.functions()).extracting(f -> f.function().name())
                .containsExactly("syscall:fsync", "price_total", "syscall:read", "kernel:vfs_read");
        assertThat(figures.functions()).extracting(f -> f.isMeasured(Metric.ON_CPU)).startsWith(false, true, false);
        assertThat(RecorderTest.read(folder.resolve("s.kview")).functions()).isEqualTo(figures.functions());
    }

    @Test
    void aGlobOfSystemCallsIsThoseThatTheAgentKnows() throws Exception {
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames("fsync").addNames("msync").setTotalMatches(2)));
        Recording recording = recorder().start(SHOP, request("syscall:msync", "syscall:*sync"), observer);
        assertThat(fake.received().stream().filter(ToAgent::hasFindPoints)).singleElement()
                .satisfies(request -> assertThat(request.getFindPoints().getSystemCalls()).isEqualTo("*sync"));
        assertThat(fake.received().stream().filter(ToAgent::hasStartRecording)).singleElement()
                .satisfies(request -> assertThat(request.getStartRecording().getProbesList())
                        .extracting(probe -> probe.getSystemCall().getName()).containsExactly("msync", "fsync"));
        fake.send(RecorderTest.ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        recording.await();
    }

    @Test
    void functionsOfTheKernelAreThoseThatItLetsBeProbed() throws Exception {
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames("vfs_read").addNames("vfs_readv").setTotalMatches(2)));
        Recording recording = recorder().start(SHOP, trial(request("kernel:vfs_read*")), observer);
        assertThat(fake.received().stream().filter(ToAgent::hasFindPoints)).singleElement()
                .satisfies(request -> assertThat(request.getFindPoints().getKernelFunctions()).isEqualTo("vfs_read*"));
        assertThat(fake.received().stream().filter(ToAgent::hasStartRecording)).as("without a trial, that others pay for")
                .singleElement().satisfies(request -> assertThat(request.getStartRecording().getProbesList())
                        .extracting(probe -> probe.getKernelFunction().getName()).containsExactly("vfs_read", "vfs_readv"));
        fake.send(RecorderTest.ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        recording.await();
    }

    @Test
    void tracepointsAreThoseThatCanBeMeasured() throws Exception {
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames("sched:sched_switch").addNames("sched:sched_waking").setTotalMatches(2)
                .addRefused(RefusedPoint.newBuilder().setName("lock:contention_begin").setReason("It is unsafe."))));
        List<String> leftOut = new ArrayList<>();
        Recording recording = recorder().start(SHOP, trial(request("tracepoint:*:*")), new RecordingObserver() {
            @Override
            public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
                skipped.forEach(one -> leftOut.add(one.name() + ": " + one.reason()));
            }
        });
        assertThat(leftOut).containsExactly("tracepoint:lock:contention_begin: It is unsafe.");
        assertThat(fake.received().stream().filter(ToAgent::hasFindPoints)).singleElement()
                .satisfies(request -> assertThat(request.getFindPoints().getTracepoints()).isEqualTo("*:*"));
        assertThat(fake.received().stream().filter(ToAgent::hasStartRecording)).as("without a trial, that others pay for")
                .singleElement().satisfies(request -> assertThat(request.getStartRecording().getProbesList())
                        .extracting(probe -> probe.getTracepoint().getCategory() + " " + probe.getTracepoint().getName())
                        .containsExactly("sched sched_switch", "sched sched_waking"));
        fake.send(RecorderTest.ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        assertThat(recording.await().figures().functions()).extracting(f -> f.function().name())
                .containsExactly("tracepoint:sched:sched_switch", "tracepoint:sched:sched_waking");
    }

    @Test
    void staticProbesAreLookedUpInTheFilesOfTheProcess() throws Exception {
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames("shop:begin").addNames("shop:end").setTotalMatches(2).setBinary("/usr/lib/libshop.so.1").setNotLoaded(true)
                .addRefused(RefusedPoint.newBuilder().setName("shop:odd").setReason("It is no nop."))));
        List<String> told = new ArrayList<>();
        Recording recording = recorder().start(SHOP, trial(request("usdt:libshop:*:*", "usdt:libshop:shop:*")), new RecordingObserver() {
            @Override
            public void found(List<FunctionInfo> functions, List<FunctionInfo> skipped, List<String> unmatched) {
                skipped.forEach(one -> told.add(one.name() + ": " + one.reason()));
            }

            @Override
            public void awaits(List<String> files) {
                told.addAll(files);
            }
        });
        assertThat(told).containsExactly("usdt:libshop.so.1:shop:odd: It is no nop.", "/usr/lib/libshop.so.1");
        assertThat(fake.received().stream().filter(ToAgent::hasFindPoints)).first().satisfies(request -> {
            assertThat(request.getFindPoints().getStaticProbes().getBinary()).isEqualTo("libshop");
            assertThat(request.getFindPoints().getStaticProbes().getPattern()).isEqualTo("*:*");
            assertThat(request.getFindPoints().getStaticProbes().getPid()).isPositive();
        });
        assertThat(fake.received().stream().filter(ToAgent::hasStartRecording)).as("each once, and without a trial")
                .singleElement().satisfies(request -> assertThat(request.getStartRecording().getProbesList())
                        .extracting(probe -> probe.getBinary() + " " + probe.getStaticProbe().getProvider() + " "
                                + probe.getStaticProbe().getName())
                        .containsExactly("/usr/lib/libshop.so.1 shop begin", "/usr/lib/libshop.so.1 shop end"));
        fake.send(RecorderTest.ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        assertThat(recording.await().figures().functions()).extracting(f -> f.function().name())
                .containsExactly("usdt:libshop.so.1:shop:begin", "usdt:libshop.so.1:shop:end");
    }

    /** Both names are looked up, and calls between them are tried and timed as functions' are. */
    @Test
    void aPairOfStaticProbesIsRecordedAsAFunction() throws Exception {
        fake.on(BodyCase.FIND_POINTS, request -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames(request.getFindPoints().getStaticProbes().getPattern()).setTotalMatches(1).setBinary("/usr/lib/libshop.so.1")));
        Recording recording = recorder().start(SHOP, request("usdt:libshop:shop:begin..end"), observer);
        assertThat(fake.received().stream().filter(ToAgent::hasFindPoints).map(request -> request.getFindPoints().getStaticProbes().getPattern()))
                .containsExactly("shop:begin", "shop:end");
        assertThat(fake.received().stream().filter(ToAgent::hasStartRecording)).singleElement().satisfies(request -> {
            var pair = request.getStartRecording().getProbes(0);
            assertThat(List.of(pair.getBinary(), pair.getStaticPair().getProvider(), pair.getStaticPair().getBegins(), pair.getStaticPair().getEnds()))
                    .containsExactly("/usr/lib/libshop.so.1", "shop", "begin", "end");
        });
        fake.send(RecorderTest.ended(RecordingEnded.Reason.PROCESS_ENDED, ""));
        assertThat(recording.await().figures().functions()).singleElement().satisfies(f -> {
            assertThat(f.function().name()).isEqualTo("usdt:libshop.so.1:shop:begin..end");
            assertThat(f.function().measuresAll()).isTrue();
        });
        assertThat(CostTrial.tried(List.of(FunctionInfo.of(new ProbePoint.Usdt("/bin/shop", "shop", "begin..end")),
                FunctionInfo.of(new ProbePoint.Usdt("/bin/shop", "shop", "begin"))))).hasSize(1);
    }

    @Test
    void moreTracepointsThanAreMeasuredAtATimeAreRefusedAsTheyAreLookedUp() {
        for (int total : new int[] { 512, 2303 }) {
            fake.on(BodyCase.FIND_POINTS, _ -> {
                FindPointsReply.Builder reply = FindPointsReply.newBuilder().setTotalMatches(total);
                for (int i = 0; i < Math.min(total, 1000); i++) {
                    reply.addNames("xfs:xfs_" + i);
                }
                return FromAgent.newBuilder().setFindPoints(reply);
            });
            assertThatThrownBy(() -> recorder().start(SHOP, request("tracepoint:xfs:*"), observer)).isInstanceOf(TargetException.class)
                    .hasMessageContaining("matches " + total + " tracepoints, and 511 are the most");
        }
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
    }

    @Test
    void moreFunctionsOfTheKernelThanTheAgentNamesAreRefused() {
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setFindPoints(FindPointsReply.newBuilder()
                .addNames("vfs_read").setTotalMatches(60_000)));
        assertThatThrownBy(() -> recorder().start(SHOP, request("kernel:*"), observer)).isInstanceOf(TargetException.class)
                .hasMessageContaining("60000").hasMessageContaining("narrow it down");
    }

    @Test
    void systemCallsThatCantBeRecordedSoAreRefusedBeforeAnythingRuns() throws Exception {
        Recorder recorder = recorder();
        for (String other : List.of("shop:price_total", "kernel:vfs_read")) {
            RecordingRequest plain = request("syscall:fsync", other);
            assertThatThrownBy(() -> recorder.start(SHOP, new RecordingRequest(plain.probes(), List.of(),
                    plain.folder(), new RecordingOptions.Builder().events(true).build()), observer))
                    .isInstanceOf(TargetException.class).hasMessageContaining("events");
        }
        assertThatThrownBy(() -> recorder.start(SHOP, new RecordingRequest(request("tracepoint:sched:sched_switch").probes(), List.of(),
                folder.resolve("s.kview"), new RecordingOptions.Builder().events(true).build()), observer))
                .isInstanceOf(TargetException.class).hasMessageContaining("no events of tracepoints");
        assertThatThrownBy(() -> recorder.start(SHOP, new RecordingRequest(request("usdt:shop:shop:begin").probes(), List.of(),
                folder.resolve("s.kview"), new RecordingOptions.Builder().events(true).build()), observer))
                .isInstanceOf(TargetException.class).hasMessageContaining("no events of static probes");
        fake.on(BodyCase.FIND_POINTS, _ -> FromAgent.newBuilder().setError(Error.newBuilder()
                .setCode(Error.Code.NO_SUCH_FUNCTION).setMessage("There is no system call *sink on this host")));
        assertThatThrownBy(() -> recorder.start(SHOP, request("syscall:*sink"), observer)).hasMessageContaining("*sink");
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
        assertThat(folder.resolve("s.kview")).doesNotExist();
    }

    private Recorder recorder() {
        return new Recorder(agent, "local");
    }

    private RecordingRequest request(String... probes) {
        return new RecordingRequest(Arrays.stream(probes).map(p -> ProbeSpec.parse(p).orElseThrow())
                .toList(), List.of(), folder.resolve("s.kview"), RecordingOptions.DEFAULT);
    }

    private static RecordingRequest trial(RecordingRequest request) {
        return new RecordingRequest(request.probes(), request.functions(), request.folder(),
                new RecordingOptions.Builder().trial(true).build());
    }
}
