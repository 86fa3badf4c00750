// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeSpec;
import org.kview.model.ProbeWay;
import org.kview.model.Scope;
import org.kview.recording.template.RecordingTemplate;
import org.kview.session.report.SessionText;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Capability;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.ListMappedFilesReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.MeasuredProcess;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ProcessTreeScope;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

/** All processes of a cgroup, or a process with its children: which one is meant, where its functions are looked up, and what the session tells of it. */
@Timeout(300)
class CgroupRecordingTest {
    private static final String CONTAINER = "docker-3f2a91c0be123f2a91c0be123f2a91c0be123f2a91c0be123f2a91c0be12aaaa.scope";

    @TempDir
    private Path folder;

    private final FakeAgent fake = new FakeAgent();
    private final RecordingObserver observer = new RecordingObserver() {};
    private Agent agent;

    @BeforeEach
    void prepare() {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(process(9, 90, "/usr/sbin/nginx", "/system.slice/nginx.service/workers"))
                .addProcesses(process(7, 70, "/bin/sh", "/system.slice/nginx.service"))
                .addProcesses(process(8, 80, "/usr/sbin/nginx", "/system.slice/nginx.service"))
                .addProcesses(process(20, 10, "/usr/sbin/nginx", "/system.slice/nginx.service2"))
                .addProcesses(process(30, 10, "/bin/a", "/a.slice/same.scope")).addProcesses(process(31, 10, "/bin/b", "/b.slice/same.scope"))
                .addProcesses(process(40, 10, "/bin/c", "/system.slice/" + CONTAINER))));
        fake.on(BodyCase.FIND_FUNCTIONS, CgroupRecordingTest::find);
        fake.on(BodyCase.START_RECORDING, RecorderTest::started);
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            fake.send(RecorderTest.delta(5, true, 0));
            fake.send(FromAgent.newBuilder().setRecordingEnded(RecordingEnded.newBuilder().setReason(RecordingEnded.Reason.REQUESTED)
                    .addProcesses(came(8, "nginx")).addProcesses(came(9, "nginx")).addProcesses(came(7, "sh"))));
            return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
        });
    }

    private static Process process(int pid, long start, String executable, String cgroup) {
        return Process.newBuilder().setPid(pid).setStartTimeNs(start).setExecutable(executable).addArguments(executable).setCgroup(cgroup)
                .build();
    }

    private static MeasuredProcess came(int pid, String name) {
        return MeasuredProcess.newBuilder().setPid(pid).setName(name).build();
    }

    /** The shell maps its own program alone. */
    private static FromAgent.Builder find(ToAgent request) {
        var asked = request.getFindFunctions();
        if (asked.getPid() == 7 && !asked.getBinary().equals("sh")) {
            return FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_SUCH_BINARY).setMessage("It maps no such file."));
        }
        FromAgent.Builder reply = RecorderTest.functions(request);
        String path = asked.getBinary().equals("sh") ? "/bin/sh" : "/usr/sbin/nginx";
        reply.getFindFunctionsBuilder().setBinary(path).getFunctionsBuilderList().forEach(function -> function.setBinary(path));
        return reply;
    }

    private Recorder recorder(boolean hasCgroups) throws Exception {
        if (hasCgroups) {
            fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1)
                    .addCapabilities(Capability.newBuilder().setName("cgroup").setAvailable(true))
                    .addCapabilities(Capability.newBuilder().setName("jump").setAvailable(true))));
        }
        agent = Agent.connect(fake.start());
        return new Recorder(agent, "local");
    }

    @AfterEach
    void disconnect() {
        agent.close();
    }

    private RecordingRequest request(String... probes) {
        return new RecordingRequest(Arrays.stream(probes).map(probe -> ProbeSpec.parse(probe).orElseThrow()).toList(), List.of(),
                folder.resolve("s.kview"), new RecordingOptions.Builder().build());
    }

    private StartRecordingRequest asked() {
        return fake.received().stream().filter(ToAgent::hasStartRecording).findFirst().orElseThrow().getStartRecording();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/system.slice/nginx.service", "/system.slice/nginx.service/", "/sys/fs/cgroup/system.slice/nginx.service",
            "/sys/fs/cgroup/unified/system.slice/nginx.service", "nginx.service"})
    void isFoundByItsPathOrAPartOfIt(String name) throws Exception {
        Recording recording = recorder(true).start(new ScopeSpec.Cgroup(name), request("nginx:serve"), observer);
        recording.stop();
        recording.await();
        assertThat(asked().getScopes(0).getCgroup().getPath()).isEqualTo("/system.slice/nginx.service");
        assertThat(asked().getPid()).as("its oldest process").isEqualTo(7);
    }

    @Test
    void functionsAreLookedUpWhereTheirFileIs() throws Exception {
        Recording recording = recorder(true).start(new ScopeSpec.Cgroup("nginx.service"), request("libssl.so.3:send", "sh:main"), observer);
        recording.stop();
        recording.await();
        assertThat(asked().getProbesList()).extracting(probe -> probe.getBinary() + " in " + probe.getPid())
                .containsExactly("/usr/sbin/nginx in 8", "/bin/sh in 7");
    }

    /** As the workbench's wizard asks: found in one process, which need not be the oldest. */
    @Test
    void functionsThatWereFoundBeforeAreLookedUpInAProcessThatRunsTheirProgram() throws Exception {
        Recorder recorder = recorder(true);
        FunctionInfo found = agent.findFunctions(new FunctionQuery(8, "nginx", "serve", 1)).functions().getFirst();
        Recording recording = recorder.start(new ScopeSpec.Cgroup("nginx.service"), new RecordingRequest(List.of(), List.of(found),
                folder.resolve("s.kview"), new RecordingOptions.Builder().build()), observer);
        recording.stop();
        recording.await();
        assertThat(asked().getProbesList()).extracting(probe -> probe.getBinary() + " in " + probe.getPid())
                .containsExactly("/usr/sbin/nginx in 8");
    }

    /** A library is not what a process runs, and the oldest need not have it. */
    @Test
    void functionsOfALibraryThatWereFoundBeforeAreLookedUpInAProcessThatHasIt() throws Exception {
        fake.on(BodyCase.LIST_MAPPED_FILES, request -> FromAgent.newBuilder().setListMappedFiles(ListMappedFilesReply.newBuilder().addPaths("/lib/libc.so.6")
                .addAllPaths(request.getListMappedFiles().getPid() == 8 ? List.of("/lib/libssl.so.3") : List.of())));
        Recorder recorder = recorder(true);
        FunctionInfo serve = agent.findFunctions(new FunctionQuery(8, "nginx", "serve", 1)).functions().getFirst();
        FunctionInfo send = new FunctionInfo("send", new ProbePoint.UserFunction("/lib/libssl.so.3", "send", 16, 16, 16), serve.language(), true, "",
                serve.ends(), serve.price(), List.of(), 0);
        Recording recording = recorder.start(new ScopeSpec.Cgroup("nginx.service"), new RecordingRequest(List.of(), List.of(send),
                folder.resolve("s.kview"), new RecordingOptions.Builder().build()), observer);
        recording.stop();
        recording.await();
        assertThat(asked().getProbesList()).extracting(probe -> probe.getBinary() + " in " + probe.getPid()).containsExactly("/lib/libssl.so.3 in 8");
    }

    @Test
    void theSessionNamesTheProcessesThatCame() throws Exception {
        Recording recording = recorder(true).start(new ScopeSpec.Cgroup("nginx.service"), request("nginx:serve"), observer);
        recording.stop();
        var kept = RecorderTest.read(recording.await().folder());
        assertThat(kept.info().cgroup()).hasValue(new Scope.Cgroup("/system.slice/nginx.service", 7, List.of(new Scope.Member(8, "nginx"),
                new Scope.Member(9, "nginx"), new Scope.Member(7, "sh")), false));
        assertThat(new SessionText(kept).title()).startsWith("cgroup /system.slice/nginx.service on ");
        assertThat(new SessionText(kept).recorded()).contains(" · 3 processes (nginx 2, sh)");
        assertThat(kept.info().pid()).isZero();
    }

    @Test
    void aProcessIsRecordedWithItsChildren() throws Exception {
        fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1)
                .addCapabilities(Capability.newBuilder().setName("process-tree").setAvailable(true))));
        agent = Agent.connect(fake.start());
        Recording recording = new Recorder(agent, "local").start(new ScopeSpec.Attach(8), withChildren(), observer);
        recording.stop();
        var kept = RecorderTest.read(recording.await().folder());
        assertThat(asked().getScopes(0).getProcessTree()).isEqualTo(ProcessTreeScope.newBuilder().setPid(8).setStartTimeNs(80).build());
        assertThat(asked().getPid()).isEqualTo(8);
        assertThat(kept.info().group()).hasValue(new Scope.Tree(8, 80, List.of(new Scope.Member(8, "nginx"), new Scope.Member(9, "nginx"),
                new Scope.Member(7, "sh")), false));
        assertThat(new SessionText(kept).title()).startsWith("/usr/sbin/nginx (pid 8) with its children on ");
        assertThat(RecordingTemplate.of("again", kept, false).orElseThrow().children()).isTrue();
        assertThat(new SessionText(kept).recorded()).contains(" · 3 processes (nginx 2, sh)");
    }

    @ParameterizedTest
    @MethodSource("whatIsOfOneProcess")
    void whatIsOfOneProcessIsRefusedOfChildrenToo(RecordingOptions options, String why) throws Exception {
        fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1)
                .addCapabilities(Capability.newBuilder().setName("process-tree").setAvailable(true))));
        agent = Agent.connect(fake.start());
        RecordingOptions children = new RecordingOptions.Builder().children(true).trial(true).way(options.functions().way()).filter(options.filter())
                .forceReturnProbes(options.functions().forceReturns()).waits(options.waits()).build();
        assertThatThrownBy(() -> new Recorder(agent, "local").start(new ScopeSpec.Attach(8), new RecordingRequest(
                List.of(ProbeSpec.parse("nginx:serve").orElseThrow()), List.of(), folder.resolve("s.kview"), children), observer))
                .isInstanceOf(TargetException.class).hasMessageStartingWith("A process with its children can't be recorded").hasMessageContaining(why);
        assertThat(fake.received()).noneMatch(message -> message.hasStartRecording() || message.hasCalibrate());
    }

    private RecordingRequest withChildren() {
        return new RecordingRequest(List.of(ProbeSpec.parse("syscall:read").orElseThrow()), List.of(), folder.resolve("s.kview"),
                new RecordingOptions.Builder().children(true).build());
    }

    /** It would refuse the scope, or measure the process alone. */
    @Test
    void anAgentThatDoesNotKnowChildrenIsNotAsked() throws Exception {
        Recorder recorder = recorder(true);
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(8), withChildren(), observer))
                .isInstanceOf(TargetException.class).hasMessageContaining("without --follow");
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
    }

    @Test
    void aContainerIsFoundByTheBeginningOfItsId() throws Exception {
        Recording recording = recorder(true).start(new ScopeSpec.Cgroup("3f2a91c0be12"), request("c:serve"), observer);
        recording.stop();
        recording.await();
        assertThat(asked().getScopes(0).getCgroup().getPath()).isEqualTo("/system.slice/" + CONTAINER);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"same.scope|There are 2 cgroups named same.scope on local; give the path of one of them: /a.slice/same.scope, /b.slice/same.scope",
            "apache.service|No process is in a cgroup named apache.service", "/system.slice/nginx|No process is in the cgroup /system.slice/nginx on",
            "/|The root of all cgroups is the whole host", "3f2a91c0|No process is in a cgroup named 3f2a91c0"})
    void oneThatIsNotMeantForSureIsRefused(String name, String why) throws Exception {
        Recorder recorder = recorder(true);
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Cgroup(name), request("nginx:serve"), observer))
                .isInstanceOf(TargetException.class).hasMessageContaining(why);
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
    }

    private static RecordingOptions.Builder tried() {
        return new RecordingOptions.Builder().trial(true);
    }

    private static Stream<Arguments> whatIsOfOneProcess() {
        return Stream.of(Arguments.of(tried().way(ProbeWay.JUMP).build(), "by jumps"), Arguments.of(tried().forceReturnProbes(true).build(), "forced return probes"),
                Arguments.of(tried().waits(true).build(), "waited for"), Arguments.of(tried().filter(Filter.VIEW).build(), "in a kernel view"));
    }

    /** A trial puts probes into programs. */
    @ParameterizedTest
    @MethodSource("whatIsOfOneProcess")
    void whatIsOfOneProcessIsRefusedBeforeItIsTried(RecordingOptions options, String why) throws Exception {
        Recorder recorder = recorder(true);
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Cgroup("nginx.service"), new RecordingRequest(
                List.of(ProbeSpec.parse("nginx:serve").orElseThrow()), List.of(), folder.resolve("s.kview"), options), observer)).isInstanceOf(TargetException.class).hasMessageStartingWith("A whole cgroup can't be recorded").hasMessageContaining(why);
        assertThat(fake.received()).noneMatch(message -> message.hasStartRecording() || message.hasCalibrate());
    }

    /** It would measure the one process that is named beside the cgroup. */
    @Test
    void anAgentThatDoesNotKnowCgroupsIsNotAsked() throws Exception {
        Recorder recorder = recorder(false);
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Cgroup("nginx.service"), request("nginx:serve"), observer))
                .isInstanceOf(TargetException.class).hasMessageContaining("measures single processes");
        assertThat(fake.received()).noneMatch(ToAgent::hasStartRecording);
    }
}
