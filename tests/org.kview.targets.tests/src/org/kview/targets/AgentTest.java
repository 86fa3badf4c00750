// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.targets.values.Calibration;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.LaunchedProcess;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessListener;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.CalibrateReply;
import org.kview.wire.proto.EndProgramReply;
import org.kview.wire.proto.EndProgramRequest;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.InstructionCost;
import org.kview.wire.proto.Language;
import org.kview.wire.proto.LaunchReply;
import org.kview.wire.proto.ListMappedFilesReply;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.ProbeCost;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.ProcessExited;
import org.kview.wire.proto.ProcessOutput;
import org.kview.wire.proto.ResumeReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;
import org.kview.wire.proto.WayCost;

@Timeout(300)
class AgentTest {
    private final FakeAgent fake = new FakeAgent();
    private Agent agent;

    private Agent connect() throws TargetException, InterruptedException {
        agent = Agent.connect(fake.start());
        return agent;
    }

    @AfterEach
    void disconnect() {
        if (agent != null) {
            agent.close();
        }
    }

    @Test
    void tellsWhatItsHostIs() throws Exception {
        HostInfo host = connect().host();
        assertThat(host.hostname()).isEqualTo("testhost");
        assertThat(host.cpus()).isEqualTo(2);
        assertThat(host.canRecord()).isTrue();
        assertThat(fake.received().getFirst().getHello().getProtocolVersion()).isEqualTo(1);
    }

    @Test
    void refusesAnotherVersionOfTheProtocol() {
        fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder()
                .setHello(HelloReply.newBuilder().setProtocolVersion(9).setAgentVersion("9.1")));
        assertThatThrownBy(this::connect).isInstanceOfSatisfying(TargetException.class,
                e -> assertThat(e.kind()).isEqualTo(Kind.NOT_REACHED)).hasMessageContaining("version 9");
    }

    @Test
    void translatesProcessesAndFunctions() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(9).setName("kthreadd").setKernelThread(true))
                .addProcesses(Process.newBuilder().setPid(4).addArguments("shop").addArguments("--fast"))));
        fake.on(BodyCase.FIND_FUNCTIONS, request -> FromAgent.newBuilder().setFindFunctions(FindFunctionsReply
                .newBuilder().setTotalMatches(12).setBinary("/bin/" + request.getFindFunctions().getBinary())
                .addFunctions(Function.newBuilder().setName("a::b").setSymbol("_Z1ab").setProbeable(true)
                        .setLanguage(Language.LANGUAGE_CPP).setPredictedCostNs(1500)
                        .setEntryCost(InstructionCost.INSTRUCTION_EMULATED)
                        .setExitKind(org.kview.wire.proto.ExitKind.EXIT_RETURN_SITES).setExitSites(3))));
        connect();

        assertThat(agent.processes()).extracting(ProcessInfo::pid, ProcessInfo::command)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(4L, "shop --fast"),
                        org.assertj.core.groups.Tuple.tuple(9L, "[kthreadd]"));
        FunctionMatches matches = agent.findFunctions(new FunctionQuery(4, "shop", "a*", 1));
        assertThat(matches.total()).isEqualTo(12);
        assertThat(matches.binary()).isEqualTo("/bin/shop");
        FunctionInfo function = matches.functions().getFirst();
        assertThat(function.language()).isEqualTo(FunctionInfo.Language.CPP);
        assertThat(function.ends().kind()).isEqualTo(ExitKind.RETURN_SITES);
        assertThat(function.price().nanos()).isEqualTo(1500);
    }

    @Test
    void asksForAProcessesFilesAndForAProgramsEnd() throws Exception {
        fake.on(BodyCase.LIST_MAPPED_FILES, _ -> FromAgent.newBuilder().setListMappedFiles(
                ListMappedFilesReply.newBuilder().addPaths("/srv/shop").addPaths("/usr/lib/libc.so.6")));
        fake.on(BodyCase.END_PROGRAM, _ -> FromAgent.newBuilder().setEndProgram(EndProgramReply.getDefaultInstance()));
        assertThat(connect().mappedFiles(4)).containsExactly("/srv/shop", "/usr/lib/libc.so.6");
        agent.endProgram(4, true);
        assertThat(fake.received().getLast().getEndProgram()).isEqualTo(
                EndProgramRequest.newBuilder().setPid(4).setForce(true).build());
    }

    @Test
    void translatesCosts() throws Exception {
        fake.on(BodyCase.CALIBRATE, _ -> FromAgent.newBuilder().setCalibrate(CalibrateReply.newBuilder()
                .setSwitchCostNs(220).setCalibrationNote("Rough.").addCosts(ProbeCost.newBuilder().setInnerCostNs(600).setCallCostNs(1500)
                        .setEntry(InstructionCost.INSTRUCTION_SINGLE_STEPPED))
                .addWays(WayCost.newBuilder().setName("in a view").setCallCostNs(90).setOthers("Nothing.").setMissing("No module."))));
        assertThat(connect().calibrate(true)).isEqualTo(new Calibration(List.of(new Calibration.ProbeCost(
                org.kview.targets.values.InstructionCost.SINGLE_STEPPED, ExitKind.UNKNOWN,
                org.kview.targets.values.InstructionCost.UNKNOWN, 600, 1500)), 220, "Rough.", List.of(new Calibration.WayCost("in a view", 90, "Nothing.", "No module."))));
        assertThat(fake.received().getLast().getCalibrate().getWays()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"NO_SUCH_PROCESS,NO_SUCH_PROCESS", "PROCESS_ENDED,PROCESS_ENDED", "STRIPPED,STRIPPED",
            "NO_PERMISSION,NO_PERMISSION", "UNSUPPORTED,UNSUPPORTED", "BUSY,BUSY", "TOO_MANY,TOO_MANY",
            "NOT_PROBEABLE,NOT_PROBEABLE", "FAILED,FAILED", "CODE_UNSPECIFIED,FAILED", "NO_SUCH_BINARY,NO_SUCH_BINARY",
            "NO_SUCH_FUNCTION,NO_SUCH_FUNCTION", "BAD_REQUEST,BAD_REQUEST"})
    void passesErrorsOnAsTheyAre(Error.Code code, Kind kind) throws Exception {
        fake.refuse(BodyCase.FIND_FUNCTIONS, code, "It is so.", "near", "nearer");
        connect();
        TargetException e = catchThrowableOfType(TargetException.class,
                () -> agent.findFunctions(new FunctionQuery(1, "", "x", 0)));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e).hasMessage("It is so.");
        assertThat(e.suggestions()).containsExactly("near", "nearer");
        assertThat(e.similarNames()).isEqualTo(" Similar names: near, nearer");
    }

    @Test
    void matchesRepliesThatComeInAnotherOrder() throws Exception {
        CompletableFuture<ToAgent> first = new CompletableFuture<>();
        fake.on(BodyCase.LIST_PROCESSES, request -> {
            first.complete(request);
            return null;
        });
        fake.on(BodyCase.CALIBRATE, _ -> FromAgent.newBuilder()
                .setCalibrate(CalibrateReply.newBuilder().setSwitchCostNs(5)));
        connect();
        CompletableFuture<List<ProcessInfo>> processes = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                processes.complete(agent.processes());
            } catch (TargetException | InterruptedException e) {
                processes.completeExceptionally(e);
            }
        });
        int firstId = first.get().getRequestId();
        assertThat(agent.calibrate(false).switchNanos()).isEqualTo(5);
        assertThat(processes).isNotDone();
        fake.send(FromAgent.newBuilder().setRequestId(firstId).setListProcesses(
                ListProcessesReply.newBuilder().addProcesses(Process.newBuilder().setPid(1).setName("init"))));
        assertThat(processes.get()).hasSize(1);
    }

    @Test
    void anAgentThatDiesFailsAllThatWaitsWithItsLastWords() throws Exception {
        CountDownLatch asked = new CountDownLatch(2);
        fake.on(BodyCase.LIST_PROCESSES, _ -> {
            asked.countDown();
            return null;
        });
        connect();
        AtomicReference<TargetException> one = new AtomicReference<>();
        Thread other = Thread.startVirtualThread(() -> one.set(
                catchThrowableOfType(TargetException.class, () -> agent.processes())));
        Thread killer = Thread.startVirtualThread(() -> {
            try {
                asked.await();
                fake.die(128 + 9, "kview-agent: out of memory");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        TargetException two = catchThrowableOfType(TargetException.class, () -> agent.processes());
        other.join();
        killer.join();
        assertThat(two.kind()).isEqualTo(Kind.CONNECTION_LOST);
        assertThat(two).hasMessageContaining("signal 9").hasMessageContaining("kview-agent: out of memory");
        assertThat(one.get()).hasMessage(two.getMessage());
        assertThatThrownBy(() -> agent.processes()).as("and all later ones").hasMessage(two.getMessage());
    }

    @Test
    void whatIsNoFrameEndsTheConnection() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> {
            try {
                fake.sendRaw("Segmentation fault".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            } catch (java.io.IOException e) {
                throw new IllegalStateException(e);
            }
            return null;
        });
        connect();
        assertThatThrownBy(() -> agent.processes()).isInstanceOfSatisfying(TargetException.class,
                e -> assertThat(e.kind()).isEqualTo(Kind.CONNECTION_LOST))
                .hasMessageContaining("can't be understood");
    }

    @Test
    void aReplyOfAnotherKindIsAnError() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setCalibrate(CalibrateReply.newBuilder()));
        connect();
        assertThatThrownBy(() -> agent.processes()).isInstanceOf(TargetException.class)
                .hasMessageContaining("LIST_PROCESSES");
    }

    @Test
    void passesALaunchedProgramsOutputOn() throws Exception {
        fake.on(BodyCase.LAUNCH, _ -> FromAgent.newBuilder().setLaunch(LaunchReply.newBuilder().setPid(77)));
        fake.on(BodyCase.RESUME, request -> {
            int pid = request.getResume().getPid();
            fake.send(FromAgent.newBuilder().setProcessOutput(ProcessOutput.newBuilder().setPid(pid)
                    .setData(com.google.protobuf.ByteString.copyFromUtf8("out"))));
            fake.send(FromAgent.newBuilder().setProcessOutput(ProcessOutput.newBuilder().setPid(pid)
                    .setErrorStream(true).setData(com.google.protobuf.ByteString.copyFromUtf8("err"))));
            fake.send(FromAgent.newBuilder().setProcessExited(ProcessExited.newBuilder().setPid(pid).setStatus(3)));
            return FromAgent.newBuilder().setResume(ResumeReply.newBuilder());
        });
        connect();
        StringBuilder heard = new StringBuilder();
        CountDownLatch exited = new CountDownLatch(1);
        LaunchedProcess process = agent.launch(new LaunchSpec(List.of("prog", "-x"), Map.of("B", "2", "A", "1"), "/tmp"),
                new ProcessListener() {
                    @Override
                    public void output(boolean errorStream, byte[] bytes) {
                        heard.append(errorStream ? "2:" : "1:").append(new String(bytes)).append(' ');
                    }

                    @Override
                    public void exited(boolean signalled, int status) {
                        heard.append(signalled).append(status);
                        exited.countDown();
                    }
                });
        agent.resume(process.pid());
        exited.await();
        assertThat(heard).hasToString("1:out 2:err false3");
        assertThat(fake.received().get(1).getLaunch().getEnvironmentList()).containsExactly("A=1", "B=2");
    }

    @Test
    void startsNoProgramWithRightsThatItsUserHasNot() throws Exception {
        fake.privileged();
        connect();
        assertThatThrownBy(() -> agent.launch(new LaunchSpec(List.of("shop"), Map.of(), ""), null))
                .isInstanceOf(TargetException.class).hasMessageContaining("shop as root");
        assertThat(fake.received()).hasSize(1);
    }

    @Test
    void closingEndsTheAgent() throws Exception {
        connect().close();
        assertThat(fake.awaitExit(java.time.Duration.ofMinutes(1))).hasValue(0);
        assertThatThrownBy(() -> agent.processes()).isInstanceOf(TargetException.class)
                .hasMessageContaining("disconnected");
    }
}
