// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Budget;
import org.kview.model.Filter;
import org.kview.model.LatencyInterval;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.Scope;
import org.kview.targets.channel.Connection;
import org.kview.targets.channel.LinkOptions;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;
import org.kview.testing.FakeAgent;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.HelloReply;
import org.kview.wire.proto.ListProcessesRequest;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

import com.google.protobuf.ByteString;

/** Whoever ends a link, and whenever: a recording that was started hears of its end exactly once. */
@Timeout(300)
class LinkEndTest {
    private static final TargetException WHY = new TargetException(Kind.CONNECTION_LOST, "The link is gone.");

    private final FakeAgent fake = new FakeAgent();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private Agent agent;

    private final RecordingListener listener = new RecordingListener() {
        @Override
        public void started(RecordingStart start) {
            heard.add("started");
        }

        @Override
        public void interval(LatencyInterval interval) {
            heard.add("interval");
        }

        @Override
        public void packet(int cpu, ByteBuffer packet, long events) {
            heard.add("packet");
        }

        @Override
        public void ended(RecordingEnd end) {
            heard.add("ended " + end.reason());
        }
    };

    @AfterEach
    void disconnect() {
        if (agent != null) {
            agent.close();
        }
    }

    /** One thread is about to tell the end. Another one sees that the end was told, and finishes the lane. */
    @Test
    void anEndThatTwoTellIsHeard() throws Exception {
        var full = new CountDownLatch(1);
        var lane = new Lane("lane", 10, _ -> { });
        lane.put(20, () -> await(full));
        var channel = new RecordingChannel(listener, lane, _ -> { }, _ -> { });
        Thread first = Thread.ofPlatform().start(() -> channel.lost(WHY));
        awaitHeldUp(first);
        channel.lost(WHY);
        lane.finish();
        full.countDown();
        first.join();
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
        assertThat(heard).isEmpty();
    }

    /** The reply that starts a recording comes after the connection has ended: nothing was started. */
    @Test
    void aRecordingThatComesTooLateDoesNotStart() throws Exception {
        try (var lane = new Lane("lane", 10, _ -> { })) {
            var slot = new RecordingSlot(lane);
            slot.gone(WHY);
            assertThatThrownBy(() -> slot.begin(new RecordingChannel(listener, lane, _ -> { }, _ -> { }), nothing()))
                    .isInstanceOf(TargetException.class).hasMessage(WHY.getMessage());
            lane.awaitEmpty();
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void aRecordingThatBeganInTimeHearsOfItsEndOnce() throws Exception {
        var slot = new RecordingSlot(new Lane("lane", 10, _ -> { }));
        slot.begin(new RecordingChannel(listener, new Lane("lane", 10, _ -> { }), _ -> { }, _ -> { }), nothing());
        slot.gone(WHY);
        slot.gone(WHY);
        assertThat(take()).isEqualTo("started");
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
        assertThat(heard).isEmpty();
    }

    private static RecordingStart nothing() {
        return new RecordingStart(1, 0, Filter.IN, "", 0, List.of(), "", "", "", Optional.empty(), List.of());
    }

    /** The connection ends while the reply is being dealt with: the caller and the listener hear the same. */
    @Test
    void aReplyThatIsBeingTakenIsTaken() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder());
        var taken = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        try (Connection connection = connection()) {
            var value = request(connection, Duration.ofMinutes(1), taken, go);
            await(taken);
            connection.fail(WHY);
            go.countDown();
            assertThat(value.get(1, TimeUnit.MINUTES)).isEqualTo("taken");
        }
    }

    @Test
    void aReplyThatIsBeingTakenWhenTimeIsUpIsTaken() throws Exception {
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder());
        try (Connection connection = connection()) {
            var go = new CountDownLatch(1);
            var taken = new CountDownLatch(1);
            var value = request(connection, Duration.ofSeconds(3), taken, go);
            // On a busy machine the reply may come when time is up: then once more.
            while (!taken.await(10, TimeUnit.MILLISECONDS)) {
                if (value.isDone() && taken.getCount() > 0) {
                    taken = new CountDownLatch(1);
                    value = request(connection, Duration.ofSeconds(3), taken, go);
                }
            }
            var held = value;
            assertThatThrownBy(() -> held.get(4, TimeUnit.SECONDS))
                    .as("told that there was no reply while it is being taken")
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            go.countDown();
            assertThat(held.get(1, TimeUnit.MINUTES)).isEqualTo("taken");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.ArithmeticException", "java.lang.StackOverflowError"})
    void aReaderThatFailsEndsTheRecording(String mistake) throws Exception {
        answerStart(ByteString.EMPTY);
        var failing = new Ways.FailingTransport(fake.start());
        agent = Agent.connect(failing);
        start();
        failing.failure = (Throwable) Class.forName(mistake).getConstructor(String.class).newInstance("a mistake");
        fake.send(FromAgent.newBuilder().setSequence(0).setPong(org.kview.wire.proto.Pong.newBuilder().setId(1)));
        assertThat(take()).isEqualTo("started");
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
        assertThat(catchThrowableOfType(TargetException.class, () -> agent.processes())).hasMessageContaining("mistake");
    }

    @Test
    void aReopeningThatFailsEndsTheRecording() throws Exception {
        connectResumable(() -> {
            throw new IllegalStateException("a mistake");
        });
        start();
        fake.close();
        assertThat(take()).isEqualTo("started");
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
    }

    @Test
    void aListenerOfTheLinkThatFailsKeepsNobodyFromComingBack() throws Exception {
        var reopened = new CountDownLatch(1);
        connectResumable(() -> {
            reopened.countDown();
            throw new TargetException(Kind.NOT_REACHED, "The host is away; wait");
        });
        start();
        agent.listen(_ -> {
            throw new IllegalStateException("a mistake of a view");
        });
        fake.close();
        assertThat(reopened.await(1, TimeUnit.MINUTES)).isTrue();
    }

    /** The grace time is a minute, but whoever asks for the end does not wait for it. */
    @Test
    void whoWantsAnEndDoesNotWaitForALostLink() throws Exception {
        var reopening = new CountDownLatch(1);
        connectResumable(() -> {
            reopening.countDown();
            throw new TargetException(Kind.NOT_REACHED, "The host is away; wait");
        });
        start();
        fake.close();
        await(reopening);
        agent.endWhereLost();
        assertThat(take()).isEqualTo("started");
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
        assertThatThrownBy(agent::stopRecording).hasMessageContaining("is lost").hasMessageContaining("was not waited for")
                .hasMessageContaining("ends by itself within 120 s");
    }

    @Test
    void whoWantsAnEndDoesNotWaitForALinkThatGetsLostThen() throws Exception {
        connectResumable(() -> {
            throw new TargetException(Kind.NOT_REACHED, "The host is away; wait");
        });
        start();
        agent.endWhereLost();
        assertThat(take()).isEqualTo("started");
        assertThat(heard).as("the link is there, and goes on").isEmpty();
        fake.close();
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
    }

    /** The link is given up during an attempt to take it up again: the new transport is turned away. */
    @Test
    void aLinkThatWasGivenUpDoesNotComeBack() throws Exception {
        var reopening = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var second = new FakeAgent();
        second.on(BodyCase.REJOIN, _ -> FromAgent.newBuilder().setRejoin(
                org.kview.wire.proto.RejoinReply.getDefaultInstance()));
        connectResumable(() -> {
            reopening.countDown();
            await(go);
            return new Ways.Killed(second.start(), ended);
        });
        start();
        fake.close();
        await(reopening);
        agent.close();
        assertThat(take()).isEqualTo("started");
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
        go.countDown();
        assertThat(ended.await(1, TimeUnit.MINUTES)).as("the second way to the agent is closed").isTrue();
        while (second.received().stream().noneMatch(ToAgent::hasGoodbye)) {
            Thread.sleep(1); // without a goodbye its agent would wait for the client once more
        }
    }

    /** The agent says that there is nothing to stop, and never said how its recording ended. */
    @Test
    void aRecordingThatWasStoppedEnds() throws Exception {
        answerStart(ByteString.EMPTY);
        fake.on(BodyCase.STOP_RECORDING, _ -> FromAgent.newBuilder().setStopRecording(
                StopRecordingReply.getDefaultInstance()));
        agent = Agent.connect(fake.start());
        start();
        agent.stopRecording();
        assertThat(take()).isEqualTo("started");
        assertThat(take()).isEqualTo("ended CONNECTION_LOST");
    }

    private Connection connection() {
        return new Connection(fake.start(), LinkOptions.local(), new Connection.Receiver() {
            @Override
            public void receive(FromAgent message) {
            }

            @Override
            public void lost(TargetException why) {
            }
        });
    }

    /** Sends a request, and holds its reply up while it is being dealt with. */
    private static FutureTask<String> request(Connection connection, Duration timeout, CountDownLatch taken,
            CountDownLatch go) {
        var task = new FutureTask<>(() -> connection.request(
                ToAgent.newBuilder().setListProcesses(ListProcessesRequest.getDefaultInstance()), "answer", timeout,
                _ -> {
                    taken.countDown();
                    await(go);
                    return "taken";
                }));
        Thread.startVirtualThread(task);
        return task;
    }

    private void connectResumable(LinkOptions.Reopen reopen) throws Exception {
        fake.on(BodyCase.HELLO, _ -> FromAgent.newBuilder().setHello(HelloReply.newBuilder().setProtocolVersion(1)
                .setLink(true)));
        answerStart(ByteString.copyFromUtf8("token"));
        agent = Agent.connect(new Ways.Lasting(fake.start()), new LinkOptions(Duration.ofSeconds(1),
                Optional.of(Duration.ofMinutes(1)), Optional.of(reopen)));
    }

    private void answerStart(ByteString token) {
        fake.on(BodyCase.START_RECORDING, _ -> FromAgent.newBuilder().setStartRecording(StartRecordingReply.newBuilder()
                .setResumeToken(token).addProbes(AttachedProbe.getDefaultInstance())));
    }

    private void start() throws Exception {
        FunctionInfo function = new FunctionInfo("f", new ProbePoint.UserFunction("/bin/x", "f", 0x1000, 0x1000, 10),
                FunctionInfo.Language.C, true, "", new FunctionInfo.Ends(ExitKind.URETPROBE, 0, List.of()),
                new FunctionInfo.Price(InstructionCost.EMULATED, InstructionCost.UNKNOWN, 1500), List.of(), 0);
        agent.startRecording(new RecordingSpec(List.of(new Scope.Process(5, 0)), List.of(function), false, Filter.AUTO,
                Duration.ZERO, Duration.ofMinutes(1), Budget.NONE, false, ProbeWay.AUTO), listener);
    }

    private String take() throws InterruptedException {
        return heard.poll(1, TimeUnit.MINUTES);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until the thread waits for something, or has ended. */
    private static void awaitHeldUp(Thread thread) throws InterruptedException {
        while (thread.getState() == Thread.State.RUNNABLE || thread.getState() == Thread.State.NEW) {
            Thread.sleep(1);
        }
    }
}
