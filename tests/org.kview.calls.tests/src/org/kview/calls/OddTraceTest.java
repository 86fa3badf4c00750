// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventPacket;
import org.kview.ctf.EventTrace;
import org.kview.ctf.TraceDescription;
import org.kview.ctf.calls.Call;
import org.kview.model.Metric;

/** Stores of traces that are unlike any other: all calls are in them, and what is missing is said. */
class OddTraceTest {
    private static final UUID TRACE = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);
    private static final int PIXELS = 1000;
    private static final int CONTENT_BITS_AT = 40;
    private static final int PACKET_BITS_AT = 48;

    @TempDir
    Path folder;

    private final EventPacket[] packets = {new EventPacket(TRACE, 0), new EventPacket(TRACE, 1)};

    private Path stream(int cpu) {
        return folder.resolve(EventTrace.STREAM_PREFIX + cpu);
    }

    private void write(int cpu, byte... packet) throws IOException {
        Files.write(stream(cpu), packet, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private byte[] taken(int cpu) {
        ByteBuffer packet = packets[cpu].take();
        byte[] bytes = new byte[packet.remaining()];
        packet.get(bytes);
        return bytes;
    }

    private void end(int cpu) throws IOException {
        if (!packets[cpu].isEmpty()) {
            write(cpu, taken(cpu));
        }
    }

    private void enter(int cpu, long nanos, long tid, int depth) throws IOException {
        packets[cpu].callEntry(nanos, tid, depth, depth);
        if (packets[cpu].isFull()) {
            end(cpu);
        }
    }

    private void exit(int cpu, long begin, long end, long tid, int depth) throws IOException {
        long[] times = new long[Metric.values().length];
        times[Metric.WALL.ordinal()] = Math.max(0, end - begin);
        times[Metric.ON_CPU.ordinal()] = Math.max(0, end - begin);
        packets[cpu].callExit(end, tid, depth, depth, begin, times);
        if (packets[cpu].isFull()) {
            end(cpu);
        }
    }

    private void call(int cpu, long begin, long end, long tid) throws IOException {
        enter(cpu, begin, tid, 0);
        exit(cpu, begin, end, tid, 0);
    }

    private Recording recording(String metadata) throws Exception {
        end(0);
        end(1);
        Files.writeString(folder.resolve(EventTrace.METADATA), metadata);
        return Recording.of(EventTrace.open(folder), true);
    }

    private static String metadata() {
        return new TraceDescription(TRACE, "vm", 1, 0, List.of("outer", "inner")).metadata();
    }

    /** It has the calls that the trace has, and each picture of all time counts each of them once. */
    private CallStore stored(Recording recording) throws Exception {
        Path file = folder.resolve("store");
        StoreBuilder.build(recording.trace(), true, file, "key", _ -> true);
        CallStore store = CallStore.open(file, "key");
        store.verify(_ -> true);
        assertThat(store.calls()).isEqualTo(recording.calls().size());
        for (int row = 0; row < store.calls(); row++) {
            assertThat(store.call(row)).isEqualTo(recording.calls().get(row));
        }
        assertThat(store.findings()).isEqualTo(recording.findings());
        long begin = store.least(CallField.END);
        long end = store.most(CallField.END) + 1;
        long[][] counts = store.pyramid().heatMap(begin, end, PIXELS, Optional.empty(), () -> true).counts();
        assertThat(counts.length).isBetween(1, PIXELS);
        assertThat(Arrays.stream(counts).flatMapToLong(Arrays::stream).sum()).isEqualTo(store.calls());
        return store;
    }

    @Test
    void tenThousandThreads() throws Exception {
        int threads = 10_000;
        long now = SECOND;
        for (int round = 0; round < 3; round++) {
            for (int tid = 1; tid <= threads; tid++, now += 1_000) {
                if (round == 0) {
                    packets[tid % 2].thread(now, tid, 1, "t-" + tid);
                }
                call(tid % 2, now, now + 700, tid);
                packets[tid % 2].switchOut(now + 800, tid, Metric.LOCK, -1);
                packets[tid % 2].switchIn(now + 900, tid, 100, 50);
            }
        }
        Recording recording = recording(metadata());
        assertThat(recording.findings().damages()).isZero();
        try (CallStore store = stored(recording)) {
            assertThat(store.calls()).isEqualTo(3 * threads);
            assertThat(store.threads()).hasSize(threads);
            assertThat(store.text(store.threads().get((long) threads))).isEqualTo("t-" + threads);
            assertThat(new CallQueries(store).count(new CallBox(CallBox.Range.ALL, CallBox.Range.ALL, Optional.empty(), Optional.of(Set.of(4711L)),
                    Optional.empty()))).isEqualTo(3);
            assertThat(store.states().picture(SECOND, now, 1 << 20, Optional.empty(), () -> true).isPartial()).as("said").isTrue();
        }
    }

    @Test
    void aCallOfHoursAroundShortOnes() throws Exception {
        int inner = 5_000;
        enter(0, SECOND, 7, 0);
        for (int i = 0; i < inner; i++) {
            long at = 2 * SECOND + i * (5 * HOUR / inner);
            enter(0, at, 7, 1);
            exit(0, at, at + 500, 7, 1);
            call(1, at, at + 300, 8);
        }
        exit(0, SECOND, 6 * HOUR, 7, 0);
        Recording recording = recording(metadata());
        try (CallStore store = stored(recording)) {
            CallQueries queries = new CallQueries(store);
            long[] slowest = queries.slowest(CallBox.ALL, 2, () -> true);
            assertThat(store.call(slowest[0]).wallNanos()).isEqualTo(6 * HOUR - SECOND);
            assertThat(store.call(slowest[1]).wallNanos()).isEqualTo(500);
            assertThat(queries.percentiles(CallBox.ALL, 50, 100)).containsExactly(500, 6 * HOUR - SECOND);
            assertThat(queries.below(slowest[0])).hasSize(inner);
        }
    }

    /** Forwards by a month, and on one CPU by an hour more than on the other. */
    @Test
    void clocksThatStepForwards() throws Exception {
        int calls = 3_000;
        for (int i = 0; i < calls; i++) {
            long step = i < calls / 3 ? 0 : 720 * HOUR;
            call(0, SECOND + i * 1_000L + step, SECOND + i * 1_000L + 700 + step, 7);
            call(1, SECOND + i * 1_000L + step + HOUR, SECOND + i * 1_000L + 700 + step + HOUR, 8);
        }
        Recording recording = recording(metadata());
        assertThat(recording.findings().damages()).isZero();
        try (CallStore store = stored(recording)) {
            assertThat(store.calls()).isEqualTo(2 * calls);
            assertThat(store.most(CallField.END) - store.least(CallField.END)).isGreaterThan(720 * HOUR);
            assertThat(new CallQueries(store).percentiles(CallBox.ALL, 100)).containsExactly(700);
        }
    }

    /** What comes with times that were there before can't be put in order: it is left out, packet by packet, which is said. Then all goes on. */
    @Test
    void clocksThatStepBack() throws Exception {
        for (int i = 0; i < 30; i++) {
            long step = i < 10 || i >= 20 ? 0 : -SECOND / 2;
            call(0, SECOND + i * 1_000L + step, SECOND + i * 1_000L + 700 + step, 7);
            if (i % 5 == 4) {
                end(0);
            }
            call(1, SECOND + i * 1_000L, SECOND + i * 1_000L + 700, 8);
        }
        Recording recording = recording(metadata());
        try (CallStore store = stored(recording)) {
            assertThat(store.calls()).isEqualTo(30 + 20);
            assertThat(store.findings().damages()).isEqualTo(2);
            assertThat(store.findings().damage()).allSatisfy(problem -> assertThat(problem).contains("of cpu_0").contains("its times are before"));
        }
    }

    /** Likewise where packets stand in another order, or twice. That costs no other packet. */
    @Test
    void packetsThatAreOutOfOrder() throws Exception {
        byte[][] made = new byte[6][];
        for (int i = 0; i < made.length; i++) {
            call(0, SECOND + i * 1_000L, SECOND + i * 1_000L + 700, 7);
            made[i] = taken(0);
        }
        for (int i : new int[] {0, 2, 1, 3, 3, 4, 5}) {
            write(0, made[i]);
        }
        Recording recording = recording(metadata());
        try (CallStore store = stored(recording)) {
            assertThat(store.calls()).isEqualTo(5);
            assertThat(store.findings().damages()).isEqualTo(2);
            assertThat(store.findings().lostPackets()).as("the second one was not where it should be").isEqualTo(1);
        }
    }

    @Test
    void twoThousandKindsOfEvents() throws Exception {
        int kinds = 2_000;
        StringBuilder metadata = new StringBuilder(metadata());
        for (int i = 0; i < kinds; i++) {
            metadata.append("event { name = \"other:").append(i).append("\"; id = ").append(100 + i)
                    .append("; stream_id = 0; fields := struct { integer { size = 32; align = 8; signed = false; } value; }; };\n");
        }
        for (int round = 0; round < 20; round++) {
            long now = SECOND + round * 10_000L;
            call(0, now, now + 700, 7);
            write(0, withOthers(taken(0), now + 700, kinds));
        }
        Recording recording = recording(metadata.toString());
        assertThat(recording.findings().damages()).isZero();
        try (CallStore store = stored(recording)) {
            assertThat(store.calls()).isEqualTo(20);
            assertThat(recording.calls().stream().map(Call::parent)).as("nothing is missing").allMatch(Optional::isEmpty);
        }
    }

    /** With an event of each of these kinds behind its own ones, at the same time as the last of them. */
    private static byte[] withOthers(byte[] packet, long nanos, int kinds) {
        ByteBuffer more = ByteBuffer.allocate(packet.length + kinds * 2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).put(packet);
        for (int i = 0; i < kinds; i++) {
            more.putInt(100 + i).putLong(nanos).putInt(i);
        }
        more.putLong(CONTENT_BITS_AT, more.capacity() * 8L).putLong(PACKET_BITS_AT, more.capacity() * 8L);
        return more.array();
    }
}
