// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.model.Budget;
import org.kview.model.CallSplits;
import org.kview.model.Scope;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.FindFunctionsReply;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.Function;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.Probe;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StartRecordingRequest;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent.BodyCase;

/** A trial: what is asked of the agent, and what its counts become. */
@Timeout(300)
class CostTrialTest {
    private static final int PID = 42;
    private static final long BEGIN = 7_000_000_000L;
    private static final long SECOND = 1_000_000_000L;

    private final FakeAgent fake = new FakeAgent();
    private final CompletableFuture<StartRecordingRequest> asked = new CompletableFuture<>();
    private Agent agent;

    @AfterEach
    void disconnect() {
        if (agent != null) {
            agent.close();
        }
    }

    static FunctionInfo function(String name) {
        FakeAgent one = new FakeAgent();
        one.on(BodyCase.FIND_FUNCTIONS, _ -> FromAgent.newBuilder().setFindFunctions(FindFunctionsReply.newBuilder()
                .setBinary("/bin/shop").setTotalMatches(1).addFunctions(Function.newBuilder().setName(name).setSymbol(name)
                        .setBinary("/bin/shop").setFileOffset(64).setProbeable(true))));
        try (Agent told = Agent.connect(one.start())) {
            return told.findFunctions(new FunctionQuery(PID, "shop", name, 1)).functions().getFirst();
        } catch (TargetException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FunctionDelta.Builder counted(int id, long calls, long passed, long costNanos) {
        return FunctionDelta.newBuilder().setFunctionId(id).setCalls(calls).setPassedSites(passed).setCostNs(costNanos);
    }

    private static FromAgent.Builder delta(long endNanos, long cpuNanos, FunctionDelta.Builder... functions) {
        HistogramDelta.Builder delta = HistogramDelta.newBuilder().setBeginNs(BEGIN).setEndNs(endNanos)
                .setProcessCpuNs(cpuNanos).setLast(true);
        List.of(functions).forEach(delta::addFunctions);
        return FromAgent.newBuilder().setHistogramDelta(delta);
    }

    private static FromAgent.Builder ended(RecordingEnded.Reason reason, String message, long endNanos) {
        return FromAgent.newBuilder().setRecordingEnded(RecordingEnded.newBuilder().setReason(reason).setMessage(message)
                .setEndNs(endNanos));
    }

    /** An agent whose recording ends as soon as it began, or when it is stopped. */
    private void agent(boolean atOnce, FromAgent.Builder... messages) throws Exception {
        fake.on(BodyCase.START_RECORDING, request -> {
            asked.complete(request.getStartRecording());
            fake.send(FromAgent.newBuilder().setRequestId(request.getRequestId()).setStartRecording(StartRecordingReply
                    .newBuilder().setStartNs(BEGIN).addProbes(AttachedProbe.newBuilder().setFunctionId(0))
                    .addProbes(AttachedProbe.newBuilder().setFunctionId(1).setSplit(true))));
            if (atOnce) {
                List.of(messages).forEach(fake::send);
            }
            return null;
        });
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            if (atOnce) {
                return FromAgent.newBuilder().setError(Error.newBuilder().setCode(Error.Code.BAD_REQUEST)
                        .setMessage("Nothing is being recorded."));
            }
            List.of(messages).forEach(fake::send);
            return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
        });
        agent = Agent.connect(fake.start());
    }

    private CostForecast run(Budget budget) throws Exception {
        return new CostTrial().run(agent, new Scope.Process(PID, 0), List.of(function("f"), function("g")), budget, true);
    }

    /** A call whose figures are split costs more. */
    @Test
    void whatIsSplitIsTriedSo() throws Exception {
        agent(false, delta(BEGIN + SECOND, SECOND), ended(RecordingEnded.Reason.REQUESTED, "", BEGIN + SECOND));
        new CostTrial().run(agent, new Scope.Process(PID, 0), List.of(function("f"), function("g")), Budget.DEFAULT, false, Map.of(),
                CallSplits.parse("g: arg1"));
        assertThat(asked.join().getProbesList()).extracting(Probe::hasSplit).containsExactly(false, true);
    }

    @Test
    void countsBecomeRates() throws Exception {
        FromAgent.Builder counts = delta(BEGIN + 2 * SECOND, SECOND, counted(0, 500, 80, 20_000_000), counted(1, 3, 0, 50_000_000));
        counts.getHistogramDeltaBuilder().setProbesCostNs(80_000_000);
        agent(false, counts, ended(RecordingEnded.Reason.REQUESTED, "", BEGIN + 2 * SECOND));
        CostForecast forecast = run(new Budget(30_000));
        assertThat(forecast.seconds()).isEqualTo(2);
        assertThat(forecast.cpuSeconds()).isEqualTo(0.5);
        assertThat(forecast.prices()).extracting(p -> p.function().name()).containsExactly("g", "f");
        assertThat(forecast.prices().getLast().calls()).isEqualTo(250);
        assertThat(forecast.prices().getLast().passes()).isEqualTo(40);
        assertThat(forecast.beside()).isEqualTo(0.005, Offset.offset(1e-9));
        assertThat(forecast.share()).isEqualTo(0.08, Offset.offset(1e-9));
        StartRecordingRequest request = asked.join();
        assertThat(request.getBudgetPpm()).isEqualTo(30_000);
        assertThat(request.getEvents()).isFalse();
        assertThat(request.getForceReturnProbes()).isTrue();
        assertThat(request.getPid()).isEqualTo(PID);
    }

    @Test
    void aTrialHasABudgetWhereTheRecordingHasNone() throws Exception {
        agent(false, delta(BEGIN + SECOND, SECOND), ended(RecordingEnded.Reason.REQUESTED, "", BEGIN + SECOND));
        run(Budget.NONE);
        assertThat(asked.join().getBudgetPpm()).isEqualTo(200_000);
    }

    @Test
    void probesThatCameOffEarlyAreCountedUntilThen() throws Exception {
        agent(true, delta(BEGIN + SECOND / 10, SECOND / 10, counted(0, 1000, 0, 90_000_000)
                .setProbesOffNs(BEGIN + SECOND / 10).setProbesOff("They were too dear."), counted(1, 1, 0, 10)),
                ended(RecordingEnded.Reason.OVER_BUDGET, "Too dear.", BEGIN + SECOND / 2));
        CostForecast forecast = run(Budget.DEFAULT);
        CostForecast.Price dearest = forecast.prices().getFirst();
        assertThat(dearest.calls()).isEqualTo(10_000, Offset.offset(1e-6));
        assertThat(dearest.cost()).isEqualTo(0.9, Offset.offset(1e-9));
        assertThat(dearest.gaveWay()).isTrue();
        assertThat(forecast.comeOff(Budget.DEFAULT)).containsExactly(dearest);
    }

    @Test
    void whatFailsIsSaid() throws Exception {
        agent(true, ended(RecordingEnded.Reason.FAILED, "The ring buffer broke.", BEGIN));
        assertThatThrownBy(() -> run(Budget.DEFAULT)).isInstanceOf(TargetException.class).hasMessage("The ring buffer broke.");
    }

    @Test
    void whatWasCountedUntilItBrokeOffIsAForecast() throws Exception {
        fake.on(BodyCase.START_RECORDING, request -> {
            fake.send(FromAgent.newBuilder().setRequestId(request.getRequestId()).setStartRecording(StartRecordingReply
                    .newBuilder().setStartNs(BEGIN).addProbes(AttachedProbe.newBuilder().setFunctionId(0))
                    .addProbes(AttachedProbe.newBuilder().setFunctionId(1))));
            fake.send(delta(BEGIN + SECOND / 2, SECOND / 2, counted(0, 500, 0, 50_000_000)));
            return null;
        });
        fake.on(BodyCase.STOP_RECORDING, _ -> FromAgent.newBuilder().setError(Error.newBuilder()
                .setCode(Error.Code.BAD_REQUEST).setMessage("Nothing is being recorded.")));
        agent = Agent.connect(fake.start());
        CostForecast forecast = run(Budget.DEFAULT);
        assertThat(forecast.seconds()).isEqualTo(0.5);
        assertThat(forecast.calls()).isEqualTo(1000);
        assertThat(forecast.share()).isEqualTo(0.1, Offset.offset(1e-9));
    }

    @Test
    void whatCannotBeAttachedIsSaid() throws Exception {
        fake.refuse(BodyCase.START_RECORDING, Error.Code.NO_PERMISSION, "Be root.");
        agent = Agent.connect(fake.start());
        assertThatThrownBy(() -> run(Budget.DEFAULT)).hasMessage("Be root.");
    }

    @Test
    void aCancelledTrialIsDetached() throws Exception {
        agent(false, delta(BEGIN + SECOND, SECOND), ended(RecordingEnded.Reason.REQUESTED, "", BEGIN + SECOND));
        CostTrial trial = new CostTrial();
        trial.cancel();
        trial.run(agent, new Scope.Process(PID, 0), List.of(function("f"), function("g")), Budget.DEFAULT, false);
        assertThat(fake.received()).anyMatch(request -> request.getBodyCase() == BodyCase.STOP_RECORDING);
    }
}
