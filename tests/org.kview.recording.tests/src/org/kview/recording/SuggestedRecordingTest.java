// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.targets.Agent;
import org.kview.targets.values.LaunchSpec;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.Binary;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.Metric;
import org.kview.wire.proto.Process;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.SurveyFunction;
import org.kview.wire.proto.SurveyQuality;
import org.kview.wire.proto.SurveyReply;
import org.kview.wire.proto.SurveyThread;
import org.kview.wire.proto.SurveyTime;
import org.kview.wire.proto.ToAgent.BodyCase;

/** A recording of the functions that a survey chooses. */
@Timeout(300)
class SuggestedRecordingTest {
    private static final int PID = 42;
    private static final long SECOND = 1_000_000_000L;
    private static final List<String> NAMES = List.of("main", "price_total", "price_all", "price_odd");

    @TempDir
    private Path folder;

    private final FakeAgent fake = new FakeAgent();
    private final Queue<StartRecordingRequest> started = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<SurveyChoice> chosen = new CompletableFuture<>();
    private Agent agent;

    /** main never returns, and calls the others, in which the time is. */
    static SurveyReply.Builder survey() {
        SurveyReply.Builder reply = SurveyReply.newBuilder().setBeginNs(10).setEndNs(10 + 3 * SECOND)
                .setProcess(Process.newBuilder().setPid(PID).addArguments("/bin/shop")).addFiles(Binary.newBuilder().setPath("/bin/shop"))
                .addParents(0).addNodeFunctions(0).addParents(0).addNodeFunctions(0)
                .addThreads(SurveyThread.newBuilder().setTid(PID).setOnCpuNs(2 * SECOND).addCauses(Metric.LOCK).addWaitedNs(SECOND))
                .setQuality(SurveyQuality.newBuilder().setStacks(3).setCompleteStacks(3));
        for (int i = 0; i < NAMES.size(); i++) {
            reply.addFunctions(SurveyFunction.newBuilder().setName(NAMES.get(i)).setSymbol(NAMES.get(i)).setFile(1));
            if (i > 0) {
                reply.addParents(1).addNodeFunctions(i).addTimes(SurveyTime.newBuilder().setNode(i + 1).setTid(PID).setTimeNs(SECOND)
                        .setMetric(i == 1 ? Metric.LOCK : Metric.ON_CPU).setStacks(1));
            }
        }
        return reply;
    }

    /** @param costs what the probes of the functions cost, each second of the trial, by name */
    private Recorder recorder(Map<String, Long> costs) throws Exception {
        return recorder(costs, 0);
    }

    /** @param all what they and the context switches cost; 0: not told */
    private Recorder recorder(Map<String, Long> costs, long all) throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(ListProcessesReply.newBuilder()
                .addProcesses(Process.newBuilder().setPid(PID).addArguments("/bin/shop"))));
        fake.on(BodyCase.FIND_FUNCTIONS, RecorderTest::functions);
        fake.on(BodyCase.SURVEY, _ -> FromAgent.newBuilder().setSurvey(survey()));
        fake.on(BodyCase.START_RECORDING, request -> {
            started.add(request.getStartRecording());
            return RecorderTest.started(request);
        });
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            HistogramDelta.Builder delta = HistogramDelta.newBuilder().setBeginNs(1000).setEndNs(1000 + SECOND).setProcessCpuNs(SECOND)
                    .setProbesCostNs(all).setLast(true);
            StartRecordingRequest last = started.stream().reduce((_, b) -> b).orElseThrow();
            last.getProbesList().forEach(probe -> delta.addFunctions(FunctionDelta.newBuilder().setFunctionId(probe.getFunctionId())
                    .setCalls(7).setCostNs(costs.getOrDefault(probe.getSymbol(), 0L))));
            fake.send(FromAgent.newBuilder().setHistogramDelta(delta));
            fake.send(FromAgent.newBuilder().setRecordingEnded(RecordingEnded.newBuilder()
                    .setReason(RecordingEnded.Reason.REQUESTED).setEndNs(1000 + SECOND)));
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

    private RecordingRequest request(boolean trial) {
        return new RecordingRequest(List.of(), List.of(), folder.resolve("s.kview"), new RecordingOptions.Builder().trial(trial)
                .survey(Optional.of(Duration.ofSeconds(3))).build());
    }

    private final RecordingObserver observer = new RecordingObserver() {
        @Override
        public void chosen(SurveyChoice choice) {
            chosen.complete(choice);
        }
    };

    @Test
    void whatASurveySuggestsAndTheBudgetAllowsIsMeasuredAndTheSurveyKept() throws Exception {
        Recording recording = recorder(Map.of("price_all", SECOND / 2, "price_total", SECOND / 100))
                .start(new ScopeSpec.Attach(PID), request(true), observer);
        recording.stop();
        LatencySnapshot kept = RecorderTest.read(recording.await().folder());
        assertThat(kept.functions()).extracting(f -> f.function().name()).containsExactly("price_total");
        assertThat(kept.survey().orElseThrow().suggested()).extracting(f -> f.name()).containsExactlyInAnyOrder("price_total",
                "price_all", "price_odd");
        assertThat(started).hasSize(2);
        assertThat(started.peek().getProbesList()).extracting(p -> p.getSymbol()).containsExactlyInAnyOrder("price_total", "price_all");
        Map<String, SurveyChoice.Choice> choices = chosen.join().choices().stream()
                .collect(java.util.stream.Collectors.toMap(one -> one.time().name(), one -> one));
        assertThat(choices.get("price_total").isMeasured()).isTrue();
        assertThat(choices.get("price_total").price().orElseThrow().calls()).isEqualTo(7);
        assertThat(choices.get("price_all").why()).isEqualTo("its probes would take 50 % of the process's CPU time, which with what else it would pay "
                + "is more than the budget of 5 %; --probe-way jump costs far less where jumps can be put");
        assertThat(choices.get("price_odd").why()).contains("It jumps about");
    }

    /** As nginx's deflate, which was 6 % of a worker. */
    @Test
    void ofWhatIsALittleBeyondTheBudgetItIsSaidWhichOneAllowsIt() throws Exception {
        Recorder recorder = recorder(Map.of("price_all", 6 * SECOND / 100, "price_total", SECOND / 100));
        Recording recording = recorder.start(new ScopeSpec.Attach(PID), request(true), observer);
        recording.stop();
        assertThat(RecorderTest.read(recording.await().folder()).functions()).extracting(f -> f.function().name()).containsExactly("price_total");
        SurveyChoice.Choice first = chosen.join().choices().stream().filter(one -> one.time().name().equals("price_all")).findFirst().orElseThrow();
        assertThat(first.why()).isEqualTo("its probes would take 6 % of the process's CPU time, which with what else it would pay is more than"
                + " the budget of 5 %; --budget 9% allows it, or --probe-way jump, which costs far less where jumps can be put");
        assertThat(chosen.join().choices()).extracting(chosen.join()::name).first().asString().endsWith(", to which the survey points first");
        assertThat(chosen.join().choices()).extracting(chosen.join()::name).last().asString().doesNotContain("first");
    }

    /** Functions that are static in their files may have one name, and an agent finds all of them by it. */
    private List<SurveyChoice.Choice> choicesOfOneName(boolean tellsAddresses) throws Exception {
        Recorder recorder = recorder(Map.of());
        FindFunctionsReply.Builder found = FindFunctionsReply.newBuilder().setBinary("/bin/shop").setTotalMatches(3);
        SurveyReply.Builder survey = survey();
        for (int i = 1; i < NAMES.size(); i++) {
            found.addFunctions(Function.newBuilder().setName("init").setSymbol("init").setBinary("/bin/shop")
                    .setAddress(0x1000 * i).setFileOffset(0x1000 * i).setProbeable(true));
            survey.setFunctions(i, survey.getFunctions(i).toBuilder().setName("init").setSymbol("init")
                    .setAddress(tellsAddresses ? 0x1000 * i : 0));
        }
        fake.on(BodyCase.FIND_FUNCTIONS, _ -> FromAgent.newBuilder().setFindFunctions(found));
        fake.on(BodyCase.SURVEY, _ -> FromAgent.newBuilder().setSurvey(survey));
        if (tellsAddresses) {
            Recording recording = recorder.start(new ScopeSpec.Attach(PID), request(false), observer);
            recording.stop();
            assertThat(RecorderTest.read(recording.await().folder()).functions()).hasSize(3);
        } else {
            assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(false), observer))
                    .hasMessageContaining("None of the functions");
        }
        return chosen.join().choices();
    }

    @Test
    void ofFunctionsWithOneNameEachHasItsOwnTime() throws Exception {
        assertThat(choicesOfOneName(true)).extracting(choice -> choice.function().orElseThrow().point().address(),
                choice -> choice.time().onCpuNanos()).containsExactlyInAnyOrder(tuple(0x1000L, 0L), tuple(0x2000L, SECOND),
                        tuple(0x3000L, SECOND));
    }

    /** None is measured with the figures of another, and none is missing. */
    @Test
    void anOlderAgentsFunctionsWithOneNameAreLeftOutAndItIsSaidWhy() throws Exception {
        assertThat(choicesOfOneName(false)).hasSize(3).allSatisfy(choice -> {
            assertThat(choice.function()).isEmpty();
            assertThat(choice.why()).isEqualTo("3 functions have this name, and this agent does not say which of them it is");
        });
    }

    /** Of several with one name, the one that the survey saw can't be probed: that is why, and not that it is gone. */
    @Test
    void whyOneOfSeveralCannotBeProbedIsSaid() throws Exception {
        Recorder recorder = recorder(Map.of());
        SurveyReply.Builder survey = survey();
        for (int i = 1; i < NAMES.size(); i++) {
            survey.setFunctions(i, survey.getFunctions(i).toBuilder().setAddress(0x1000));
        }
        fake.on(BodyCase.SURVEY, _ -> FromAgent.newBuilder().setSurvey(survey));
        fake.on(BodyCase.FIND_FUNCTIONS, request -> {
            Function.Builder same = Function.newBuilder().setName("f").setSymbol(request.getFindFunctions().getPattern())
                    .setBinary("/bin/shop");
            return FromAgent.newBuilder().setFindFunctions(FindFunctionsReply.newBuilder().setBinary("/bin/shop").setTotalMatches(2)
                    .addFunctions(same.clone().setAddress(0x2000).setFileOffset(0x2000).setProbeable(true))
                    .addFunctions(same.clone().setAddress(0x1000).setFileOffset(0x1000).setReason("It is too short.")));
        });
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(false), observer))
                .hasMessageContaining("None of the functions");
        assertThat(chosen.join().choices()).hasSize(3).extracting(SurveyChoice.Choice::why).containsOnly("It is too short.");
    }

    /** The agent does say which one it is: the file has its address twice. */
    @Test
    void whyWhatHasTwoEntriesAtOneAddressCannotBeProbedIsSaid() throws Exception {
        Recorder recorder = recorder(Map.of());
        SurveyReply.Builder survey = survey();
        for (int i = 1; i < NAMES.size(); i++) {
            survey.setFunctions(i, survey.getFunctions(i).toBuilder().setAddress(0x1000));
        }
        fake.on(BodyCase.SURVEY, _ -> FromAgent.newBuilder().setSurvey(survey));
        fake.on(BodyCase.FIND_FUNCTIONS, request -> {
            Function.Builder same = Function.newBuilder().setName("f").setSymbol(request.getFindFunctions().getPattern())
                    .setBinary("/bin/shop").setAddress(0x1000).setReason("It is too short.");
            return FromAgent.newBuilder().setFindFunctions(FindFunctionsReply.newBuilder().setBinary("/bin/shop").setTotalMatches(3)
                    .addFunctions(same.clone().setFileOffset(0x1000)).addFunctions(same.clone().setFileOffset(0x1800))
                    .addFunctions(same.clone().setAddress(0x2000).setFileOffset(0x2000).setReason("").setProbeable(true)));
        });
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(false), observer))
                .hasMessageContaining("None of the functions");
        assertThat(chosen.join().choices()).hasSize(3).extracting(SurveyChoice.Choice::why).containsOnly("It is too short.");
    }

    @Test
    void whatIsFoundByTheNameAndIsAnotherFunctionIsLeftOut() throws Exception {
        Recorder recorder = recorder(Map.of());
        fake.on(BodyCase.FIND_FUNCTIONS, request -> {
            FromAgent.Builder reply = RecorderTest.functions(request);
            reply.getFindFunctionsBuilder().getFunctionsBuilder(0).setSymbol("not_" + request.getFindFunctions().getPattern());
            return reply;
        });
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(false), observer))
                .hasMessageContaining("None of the functions");
        assertThat(chosen.join().choices()).hasSize(3).extracting(SurveyChoice.Choice::why).first().asString()
                .contains("another function of that name");
    }

    @Test
    void withoutATrialAllThatCanBeProbedIsMeasured() throws Exception {
        Recording recording = recorder(Map.of()).start(new ScopeSpec.Attach(PID), request(false), observer);
        recording.stop();
        assertThat(RecorderTest.read(recording.await().folder()).functions()).extracting(f -> f.function().name())
                .containsExactlyInAnyOrder("price_total", "price_all");
        assertThat(chosen.join().forecast()).isEmpty();
        assertThat(started).hasSize(1);
    }

    /** As of a server's process that mostly waits for its clients. */
    @Test
    void whereContextSwitchesAloneExceedTheBudgetThatIsTheReason() throws Exception {
        Recorder recorder = recorder(Map.of("price_all", SECOND / 100, "price_total", SECOND / 100), SECOND / 10);
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(true), observer))
                .hasMessageContaining("within the budget of 5 %, as its context switches alone take longer by 8 % of its CPU time: give");
        assertThat(chosen.join().choices()).filteredOn(choice -> choice.price().isPresent()).extracting(SurveyChoice.Choice::why)
                .containsOnly("its context switches alone take longer by 8 % of its CPU time");
    }

    @Test
    void whereNothingFitsTheBudgetNothingIsRecorded() throws Exception {
        Recorder recorder = recorder(Map.of("price_all", SECOND / 2, "price_total", SECOND / 3));
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(true), observer))
                .isInstanceOf(TargetException.class).hasMessageContainingAll("within the budget of 5 %", "--probe-way jump");
        assertThat(folder.resolve("s.kview")).doesNotExist();
        assertThat(chosen.join().functions()).isEmpty();
    }

    @Test
    void aProcessThatIsToBeStartedCannotBeSurveyed() throws Exception {
        Recorder recorder = recorder(Map.of());
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Launch(new LaunchSpec(List.of("shop"), Map.of(), "")), request(true),
                observer)).hasMessageContaining("runs already");
    }

    @Test
    void whatTheAgentRefusesIsSaid() throws Exception {
        Recorder recorder = recorder(Map.of());
        fake.on(BodyCase.SURVEY, _ -> FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.NO_PERMISSION)
                .setMessage("It may not be surveyed.")));
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(true), observer))
                .hasMessageContaining("It may not be surveyed.");
        assertThat(folder.resolve("s.kview")).doesNotExist();
        fake.on(BodyCase.SURVEY, _ -> FromAgent.newBuilder().setSurvey(survey().clearTimes()));
        assertThatThrownBy(() -> recorder.start(new ScopeSpec.Attach(PID), request(true), observer))
                .hasMessageContaining("no function that is worth measuring");
    }
}
