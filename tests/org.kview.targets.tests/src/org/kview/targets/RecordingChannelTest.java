// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.model.Budget;
import org.kview.model.Distribution;
import org.kview.model.Filter;
import org.kview.model.LatencyInterval;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.Scope;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.InstructionCost;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingEnd.Reason;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingSpec;
import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.TargetException;
import org.kview.testing.FakeAgent;
import org.kview.wire.FrameWriter;
import org.kview.wire.proto.AttachedProbe;
import org.kview.wire.proto.Error;
import org.kview.wire.proto.EventPacket;
import org.kview.wire.proto.FromAgent;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.ListProcessesReply;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.RecordingEnded;
import org.kview.wire.proto.StartRecordingReply;
import org.kview.wire.proto.StopRecordingReply;
import org.kview.wire.proto.ToAgent;
import org.kview.wire.proto.ToAgent.BodyCase;

import com.google.protobuf.ByteString;

@Timeout(300)
class RecordingChannelTest {
    private static final int PACKET_BYTES = 1 << 20;

    private final FakeAgent fake = new FakeAgent();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final List<LatencyInterval> intervals = new ArrayList<>();
    private final CountDownLatch disk = new CountDownLatch(1);
    private final AtomicInteger packets = new AtomicInteger();
    private boolean diskStalls;
    private Agent agent;

    private final RecordingListener listener = new RecordingListener() {
        @Override
        public void started(RecordingStart start) {
            heard.add("started " + start.functions().getFirst().cost().callNanos());
        }

        @Override
        public void interval(LatencyInterval interval) {
            intervals.add(interval);
            heard.add("interval " + interval.endNanos());
        }

        @Override
        public void packet(int cpu, ByteBuffer packet, long events) {
            try {
                if (diskStalls) {
                    disk.await();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            packets.incrementAndGet();
        }

        @Override
        public void ended(RecordingEnd end) {
            heard.add("ended " + end.reason() + " after " + packets + " packets");
        }
    };

    @BeforeEach
    void connect() throws Exception {
        fake.on(BodyCase.START_RECORDING, request -> FromAgent.newBuilder().setStartRecording(StartRecordingReply
                .newBuilder().setFilter(org.kview.wire.proto.Filter.FILTER_IN)
                .addProbes(AttachedProbe.newBuilder().setCallCostNs(1500).setInnerCostNs(600)
                        .setExitKind(org.kview.wire.proto.ExitKind.EXIT_URETPROBE))));
        fake.on(BodyCase.STOP_RECORDING, _ -> ended());
        agent = Agent.connect(fake.start());
    }

    private FromAgent.Builder ended() {
        fake.send(delta(99, true));
        fake.send(FromAgent.newBuilder().setRecordingEnded(
                RecordingEnded.newBuilder().setReason(RecordingEnded.Reason.REQUESTED)));
        return FromAgent.newBuilder().setStopRecording(StopRecordingReply.newBuilder());
    }

    /** Sends messages so quickly that the next one comes before the first has been dealt with. */
    private void sendAtOnce(List<FromAgent> messages) {
        try {
            var bytes = new ByteArrayOutputStream();
            var writer = new FrameWriter(bytes);
            for (FromAgent message : messages) {
                writer.write(message);
            }
            fake.sendRaw(bytes.toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void disconnect() {
        disk.countDown();
        agent.close();
    }

    @Test
    void aRecordingIsToldInItsOrder() throws Exception {
        RecordingStart start = start();
        assertThat(start.filter()).isEqualTo(Filter.IN);
        assertThat(start.functions().getFirst().exit()).isEqualTo(ExitKind.URETPROBE);
        fake.send(delta(10, false));
        fake.send(packet());
        agent.stopRecording();
        assertThat(take(4)).containsExactly("started 1500", "interval 10", "interval 99",
                "ended REQUESTED after 1 packets");
        Distribution wall = intervals.getFirst().functions().getFirst().added().get(Metric.WALL);
        assertThat(wall.count()).isEqualTo(2);
        assertThat(wall.totalNanos()).isEqualTo(70);
        assertThat(wall.bucket(33)).isEqualTo(2);
    }

    @Test
    void aStalledDiskHoldsUpNoInterval() throws Exception {
        diskStalls = true;
        start();
        for (int i = 0; i < 20; i++) {
            fake.send(packet());
        }
        fake.send(delta(10, false));
        assertThat(take(2)).containsExactly("started 1500", "interval 10");
        assertThat(packets).hasValue(0);
    }

    @Test
    void aFullLaneStopsReadingUntilTheRecordingIsToEnd() throws Exception {
        diskStalls = true;
        start();
        AtomicInteger sent = new AtomicInteger();
        Thread sender = Thread.startVirtualThread(() -> {
            for (int i = 0; i < 60; i++) {
                fake.send(packet());
                sent.incrementAndGet();
            }
        });
        while (sent.get() < 32) {
            Thread.sleep(5);
        }
        assertThat(sender.join(Duration.ofMillis(300))).as("the agent could send on and on").isFalse();
        assertThat(sent.get()).isLessThan(40);

        // An agent tells the end after everything else that it had to send.
        fake.on(BodyCase.STOP_RECORDING, _ -> {
            join(sender);
            return ended();
        });
        agent.stopRecording();
        assertThat(take(2)).as("the last figures don't wait for the disk").containsExactly("started 1500",
                "interval 99");
        assertThat(heard).isEmpty();
        disk.countDown();
        assertThat(take(1)).containsExactly("ended REQUESTED after 60 packets");
    }

    @Test
    void aReplyThatComesAgainStartsNothing() throws Exception {
        fake.on(BodyCase.START_RECORDING, request -> {
            FromAgent.Builder reply = FromAgent.newBuilder().setStartRecording(StartRecordingReply.newBuilder()
                    .setFilter(org.kview.wire.proto.Filter.FILTER_IN).addProbes(AttachedProbe.newBuilder()
                            .setCallCostNs(1500).setExitKind(org.kview.wire.proto.ExitKind.EXIT_URETPROBE)))
                    .setRequestId(request.getRequestId());
            sendAtOnce(Collections.nCopies(1000, reply.build()));
            return null;
        });
        start();
        fake.send(delta(10, false));
        assertThat(take(2)).containsExactly("started 1500", "interval 10");
    }

    /** The recording ends by itself just when it is to be stopped: the reply that there is none comes first. */
    @Test
    void anEndBehindTheAnswerIsHeard() throws Exception {
        fake.refuse(BodyCase.STOP_RECORDING, Error.Code.BAD_REQUEST, "Nothing is being recorded.");
        fake.on(BodyCase.LIST_PROCESSES, _ -> FromAgent.newBuilder().setListProcesses(
                ListProcessesReply.getDefaultInstance()));
        start();
        var stopping = new FutureTask<>(() -> {
            agent.stopRecording();
            return null;
        });
        Thread thread = Thread.ofPlatform().start(stopping);
        while (fake.received().stream().noneMatch(ToAgent::hasStopRecording)) {
            Thread.onSpinWait();
        }
        agent.processes(); // when this reply is here, so is the one before
        thread.join(Duration.ofMillis(500)); // gives a wrong implementation time to give up too early
        fake.send(FromAgent.newBuilder().setRecordingEnded(
                RecordingEnded.newBuilder().setReason(RecordingEnded.Reason.OVER_BUDGET)));
        assertThat(take(2)).containsExactly("started 1500", "ended OVER_BUDGET after 0 packets");
        assertThatThrownBy(stopping::get).hasMessageContaining("Nothing is being recorded");
        assertThat(heard).isEmpty();
    }

    @Test
    void anAgentThatDiesEndsTheRecording() throws Exception {
        start();
        fake.send(delta(10, false));
        fake.die(139, "crash");
        assertThat(take(3)).containsExactly("started 1500", "interval 10", "ended CONNECTION_LOST after 0 packets");
    }

    @Test
    void figuresThatContradictThemselvesEndTheConnection() throws Exception {
        start();
        fake.send(FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().addFunctions(FunctionDelta
                .newBuilder().addMetrics(MetricDelta.newBuilder().setCount(3).addBucketIndex(4).addBucketCount(2)))));
        assertThat(take(2)).containsExactly("started 1500", "ended CONNECTION_LOST after 0 packets");
        assertThatThrownBy(() -> agent.processes()).hasMessageContaining("2 of 3 calls");
    }

    @Test
    void figuresBeforeAnyRecordingEndTheConnection() {
        fake.send(delta(1, false));
        assertThatThrownBy(() -> agent.processes()).isInstanceOf(TargetException.class)
                .hasMessageContaining("before a recording was started");
    }

    private RecordingStart start() throws Exception {
        FunctionInfo function = new FunctionInfo("f", new ProbePoint.UserFunction("/bin/x", "f", 0x1000, 0x1000, 10),
                FunctionInfo.Language.C, true, "", new FunctionInfo.Ends(ExitKind.URETPROBE, 0, List.of()),
                new FunctionInfo.Price(InstructionCost.EMULATED, InstructionCost.UNKNOWN, 1500), List.of(), 0);
        return agent.startRecording(new RecordingSpec(List.of(new Scope.Process(5, 0)), List.of(function), true,
                Filter.AUTO, Duration.ZERO, Duration.ZERO, Budget.NONE, false, ProbeWay.AUTO),
                listener);
    }

    private List<String> take(int count) throws InterruptedException {
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(heard.poll(1, TimeUnit.MINUTES));
        }
        return taken;
    }

    private static FromAgent.Builder delta(long endNanos, boolean last) {
        return FromAgent.newBuilder().setHistogramDelta(HistogramDelta.newBuilder().setEndNs(endNanos).setLast(last)
                .addFunctions(FunctionDelta.newBuilder().setCalls(2).addMetrics(MetricDelta.newBuilder().setCount(2)
                        .setTotalNs(70).setMaxNs(35).addBucketIndex(33).addBucketCount(2))));
    }

    private static FromAgent.Builder packet() {
        return FromAgent.newBuilder().setEventPacket(
                EventPacket.newBuilder().setPacket(ByteString.copyFrom(new byte[PACKET_BYTES])));
    }
}
