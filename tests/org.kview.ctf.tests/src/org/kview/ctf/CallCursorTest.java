// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.TraceEvent.CallEntry;
import org.kview.ctf.TraceEvent.CallExit;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.TraceFindings;
import org.kview.model.Metric;

/** Calls made of events, recorded ones and such as are written byte by byte. */
class CallCursorTest {
    private static final int TID = 77;
    private static final int PARSE = 0;
    private static final int STORE = 1;
    private static final int PREEMPTED = 3;
    private static final int BLOCK_IO = 4;
    private static final int LOCK = 5;

    @TempDir
    Path folder;

    private final TraceFixture.Packet packet = new TraceFixture.Packet(0, 0, 0);
    private TraceFindings findings;

    private void entry(long nanos, int tid, int function, int depth) {
        packet.event(0, nanos).putInt(tid).putInt(function).putShort((short) depth);
    }

    /** @param causes a cause's number and its time, in turns */
    private void exit(long nanos, int tid, int function, int depth, long begin, long wall, long onCpu, long... causes) {
        ByteBuffer event = packet.event(1, nanos).putInt(tid).putInt(function).putShort((short) depth).putLong(begin).putLong(wall)
                .putLong(onCpu).put((byte) (causes.length / 2));
        for (int i = 0; i < causes.length; i += 2) {
            event.put((byte) causes[i]).putLong(causes[i + 1]);
        }
    }

    /** The thread is away, and woken by another one. */
    private void waits(long outNanos, long wakeNanos, long inNanos, int wakerTid, String waker) {
        packet.event(2, outNanos).putInt(TID).put((byte) LOCK).putInt(-1);
        packet.event(3, wakeNanos).putInt(TID).putInt(wakerTid).put((byte) waker.length()).put(name(waker));
        packet.event(4, inNanos).putInt(TID).putLong(inNanos - outNanos).putLong(inNanos - wakeNanos);
    }

    private void thread(long nanos, int tid, String name) {
        packet.event(6, nanos).putInt(tid).putInt(4711).put((byte) name.length()).put(name(name));
    }

    private static byte[] name(String text) {
        return ByteBuffer.allocate(16).put(text.getBytes()).array();
    }

    private List<Call> calls(boolean whole) throws Exception {
        return calls(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packet.close())), whole);
    }

    private List<Call> calls(EventTrace trace, boolean whole) throws Exception {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = new CallCursor(trace, whole)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                calls.add(call.get());
            }
            findings = cursor.findings();
        }
        return calls;
    }

    @Test
    void aRecordedTraceHasACallForEachExit() throws Exception {
        EventTrace trace = EventTrace.open(TraceFixture.recorded(folder));
        List<TraceEvent> events = TraceFixture.read(trace);
        List<CallExit> exits = events.stream().filter(CallExit.class::isInstance).map(CallExit.class::cast).toList();
        List<Call> calls = calls(trace, true);
        assertThat(calls).hasSameSizeAs(exits);
        for (int i = 0; i < calls.size(); i++) {
            CallExit exit = exits.get(i);
            Call call = calls.get(i);
            assertThat(List.of(call.beginNanos(), call.endNanos(), call.tid(), call.function(), call.depth(), call.wallNanos(),
                    call.onCpuNanos())).isEqualTo(List.of(exit.beginNanos(), exit.nanos(), exit.tid(), exit.function(),
                            exit.depth(), exit.wallNanos(), exit.onCpuNanos()));
            assertThat(call.causes()).isEqualTo(exit.causes());
            assertThat(call.startCpu()).isPresent();
            assertThat(call.thread()).isNotEmpty();
            assertThat(call.parent().isPresent()).isEqualTo(call.depth() > 0);
        }
        long entries = events.stream().filter(CallEntry.class::isInstance).count();
        assertThat(findings).isEqualTo(new TraceFindings(calls.size(), entries - calls.size(), 0, 0, 0, List.of(), 0, 0, false));
        // Who encloses whom is seen by time as well.
        Map<Call.Parent, Call> byBegin = new HashMap<>();
        calls.forEach(call -> byBegin.put(new Call.Parent(call.function(), call.beginNanos()), call));
        List<Call> inner = calls.stream().filter(call -> call.parent().filter(byBegin::containsKey).isPresent()).toList();
        assertThat(inner).hasSizeGreaterThan(100).allSatisfy(call -> {
            Call outer = byBegin.get(call.parent().orElseThrow());
            assertThat(outer.tid()).isEqualTo(call.tid());
            assertThat(outer.depth()).isEqualTo(call.depth() - 1);
            assertThat(outer.beginNanos()).isLessThan(call.beginNanos());
            assertThat(outer.endNanos()).isGreaterThan(call.endNanos());
        });
        assertThat(calls).anyMatch(call -> call.waker().isPresent() && call.mainPart() == Metric.LOCK);
    }

    @Test
    void noCallComesThatBeganBeforeWhatIsSettled() throws Exception {
        long settled = Long.MIN_VALUE;
        try (CallCursor cursor = new CallCursor(EventTrace.open(TraceFixture.recorded(folder)), true)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                assertThat(call.get().beginNanos()).isGreaterThanOrEqualTo(settled);
                assertThat(cursor.settledNanos()).isGreaterThanOrEqualTo(settled);
                settled = cursor.settledNanos();
            }
        }
        assertThat(settled).isGreaterThan(0);
    }

    @Test
    void theWakerIsThatOfTheLongestWaitAlsoOfCallsAround() throws Exception {
        thread(10, TID, "worker");
        entry(10, TID, PARSE, 0);
        waits(20, 25, 26, 5, "short");
        entry(30, TID, STORE, 1);
        // Long in the queue, but woken soon.
        waits(40, 42, 400, 6, "queued");
        waits(410, 450, 451, 7, "longest");
        exit(500, TID, STORE, 1, 30, 470, 71, LOCK, 399);
        waits(510, 512, 513, 8, "last");
        exit(600, TID, PARSE, 0, 10, 590, 180, LOCK, 10, PREEMPTED, 400);
        entry(610, TID, STORE, 0);
        exit(620, TID, STORE, 0, 610, 10, 10);
        List<Call> calls = calls(true);
        assertThat(calls).extracting(Call::waker).containsExactly(Optional.of(new Call.Waker(7, "longest")),
                Optional.of(new Call.Waker(7, "longest")), Optional.empty());
        assertThat(calls).extracting(Call::parent).containsExactly(Optional.of(new Call.Parent(PARSE, 10)), Optional.empty(),
                Optional.empty());
        assertThat(calls).extracting(Call::mainPart).containsExactly(Metric.LOCK, Metric.PREEMPTED, Metric.ON_CPU);
        assertThat(calls).extracting(Call::thread).containsOnly("worker");
        assertThat(calls.get(1).nanos(Metric.LOCK)).isEqualTo(10);
        assertThat(calls.get(1).nanos(Metric.SLEEP)).isZero();
    }

    /** As in a verdict, both waits for a CPU are one part. */
    @Test
    void waitingForACpuIsOnePart() throws Exception {
        exit(100, TID, PARSE, 0, 10, 90, 0, 2, 25, PREEMPTED, 20, BLOCK_IO, 40);
        exit(200, TID, PARSE, 0, 110, 85, 5, 2, 20, PREEMPTED, 20, BLOCK_IO, 40);
        assertThat(calls(true)).extracting(Call::mainPart).containsExactly(Metric.RUN_QUEUE, Metric.BLOCK_IO);
    }

    @Test
    void callsThatAreLeftWithoutAReturnEncloseNothingMore() throws Exception {
        entry(10, TID, PARSE, 0);
        entry(20, TID, STORE, 1);
        entry(30, TID, PARSE, 2);
        // Both inner ones were left by a jump.
        entry(40, TID, PARSE, 1);
        exit(50, TID, PARSE, 1, 40, 10, 10);
        exit(60, TID, PARSE, 0, 10, 50, 50);
        // It ends with one open, and its number goes to another thread.
        entry(70, TID, STORE, 0);
        thread(72, TID, "first");
        packet.event(5, 80).putInt(TID);
        entry(90, TID, STORE, 1);
        exit(95, TID, STORE, 1, 90, 5, 5);
        List<Call> calls = calls(true);
        assertThat(calls).extracting(Call::parent).containsExactly(Optional.of(new Call.Parent(PARSE, 10)), Optional.empty(),
                Optional.empty());
        assertThat(calls.getLast().thread()).isEmpty();
        assertThat(findings.withoutEnd()).isEqualTo(3);
    }

    /** A thread that switches stacks returns from the outer call first. */
    @Test
    void callsMayEndInAnyOrder() throws Exception {
        entry(10, TID, PARSE, 0);
        entry(20, TID, STORE, 1);
        exit(30, TID, PARSE, 0, 10, 20, 20);
        exit(40, TID, STORE, 1, 20, 20, 20);
        List<Call> calls = calls(true);
        assertThat(calls).hasSize(2).allMatch(call -> call.startCpu().equals(OptionalInt.of(0)));
        assertThat(findings.withoutEnd()).isZero();
        // What goes on when the other has returned was on another stack: nobody knows who called it.
        assertThat(calls).extracting(Call::parent).containsOnly(Optional.empty());
    }

    @Test
    void whereEventsAreMissingNothingIsGuessed() throws Exception {
        entry(10, TID, PARSE, 0);
        entry(20, TID, STORE, 1);
        waits(30, 35, 36, 5, "other");
        exit(40, TID, STORE, 1, 20, 20, 14, LOCK, 6);
        List<Call> calls = calls(false);
        assertThat(calls).singleElement().satisfies(call -> {
            assertThat(call.parent()).isEmpty();
            assertThat(call.waker()).isEmpty();
            assertThat(call.startCpu()).hasValue(0);
        });
        assertThat(findings.withoutEnd()).isZero();
    }

    @Test
    void anExitWithoutItsEntryHasItsTimesAndNoMore() throws Exception {
        entry(10, TID, PARSE, 0);
        exit(40, TID, STORE, 0, 20, 20, 20);
        assertThat(calls(true)).singleElement().satisfies(call -> {
            assertThat(call.startCpu()).isEmpty();
            assertThat(call.wallNanos()).isEqualTo(20);
        });
    }

    @Test
    void lossesWithinTheTraceAreCounted() throws Exception {
        entry(10, TID, PARSE, 0);
        TraceFixture.Packet later = new TraceFixture.Packet(0, 3, 9);
        later.event(0, 20).putInt(TID).putInt(STORE).putShort((short) 1);
        later.event(1, 30).putInt(TID).putInt(STORE).putShort((short) 1).putLong(20).putLong(10).putLong(10).put((byte) 0);
        byte[] broken = later.close();
        List<Call> calls = calls(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packet.close(), broken,
                new byte[] {1, 2, 3})), true);
        assertThat(calls).singleElement().satisfies(call -> assertThat(call.parent()).isEmpty());
        assertThat(findings.lostEvents()).isEqualTo(9);
        assertThat(findings.lostPackets()).isEqualTo(2);
        assertThat(findings.damage()).containsExactly("cpu_0 ends in a broken packet: its last 3 bytes are left out");
    }

    @Test
    void causesOfANewerVersionAreToldApart() throws Exception {
        exit(40, TID, STORE, 0, 20, 60, 10, LOCK, 20, 99, 25, LOCK, 5);
        assertThat(calls(true)).singleElement().satisfies(call -> {
            assertThat(call.nanos(Metric.LOCK)).isEqualTo(25);
            assertThat(call.causes()).hasSize(1);
            assertThat(call.unknownNanos()).isEqualTo(25);
        });
        assertThat(findings.unknownCauses()).isEqualTo(1);
    }

    /** The agent writes CPU by CPU, and the name before the event of a thread that it comes to first. */
    @Test
    void aNameThatComesLaterIsThatOfTheFirstCallsToo() throws Exception {
        exit(20, TID, PARSE, 0, 10, 10, 10);
        exit(30, 78, PARSE, 0, 25, 5, 5);
        packet.event(5, 40).putInt(78);
        // Its number goes to two other threads.
        exit(60, 78, STORE, 0, 50, 10, 10);
        packet.event(5, 80).putInt(78);
        exit(120, 78, STORE, 0, 100, 20, 20);
        exit(130, TID, PARSE, 0, 125, 5, 5);
        TraceFixture.write(folder, TraceFixture.metadata(), 0, packet.close());
        TraceFixture.Packet other = new TraceFixture.Packet(1, 0, 0);
        other.event(6, 70).putInt(78).putInt(4711).put((byte) 6).put(name("second"));
        other.event(6, 90).putInt(TID).putInt(4711).put((byte) 6).put(name("worker"));
        List<Call> calls = calls(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 1, other.close())), true);
        assertThat(calls).extracting(Call::thread).containsExactly("worker", "", "second", "", "worker");
        assertThat(findings.unnamed()).isEqualTo(2);
    }

    /** Made-up threads take no memory, whatever is told of them. */
    @Test
    void threadsWithoutCallsAreNotKept() throws Exception {
        byte[][] packets = new byte[20][];
        for (int i = 0; i < packets.length; i++) {
            TraceFixture.Packet each = new TraceFixture.Packet(0, i, 0);
            for (int at = 0; at < 30_000; at++) {
                int nanos = i * 30_000 + at;
                each.event(2, nanos).putInt(nanos).put((byte) LOCK).putInt(-1);
            }
            if (i == packets.length - 1) {
                each.event(1, 1_000_000).putInt(TID).putInt(STORE).putShort((short) 0).putLong(20).putLong(10).putLong(10).put((byte) 0);
            }
            packets[i] = each.close();
        }
        EventTrace trace = EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packets));
        packets = null;
        try (CallCursor cursor = new CallCursor(trace, true)) {
            long before = usedBytes();
            assertThat(cursor.next()).isPresent();
            assertThat(usedBytes() - before).isLessThan(20 << 20);
            assertThat(cursor.findings().forgot()).isFalse();
        }
    }

    private static long usedBytes() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @Test
    void thatNamesWereGivenUpIsTold() throws Exception {
        byte[][] packets = new byte[11][];
        for (int i = 0; i < packets.length; i++) {
            TraceFixture.Packet each = new TraceFixture.Packet(0, i, 0);
            for (int at = 0; at < 20_000; at++) {
                int nanos = 1 + i * 20_000 + at;
                each.event(6, nanos).putInt(nanos).putInt(4711).put((byte) 1).put(name("a"));
            }
            if (i == packets.length - 1) {
                each.event(1, 1_000_000).putInt(1).putInt(STORE).putShort((short) 0).putLong(20).putLong(10).putLong(10).put((byte) 0);
                each.event(1, 1_000_001).putInt(220_000).putInt(STORE).putShort((short) 0).putLong(20).putLong(10).putLong(10)
                        .put((byte) 0);
            }
            packets[i] = each.close();
        }
        List<Call> calls = calls(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packets)), true);
        assertThat(calls).extracting(Call::thread).containsExactly("", "a");
        assertThat(findings.forgot()).isTrue();
        assertThat(findings.unnamed()).isEqualTo(1);
    }

    /** Nobody's threads are so deep or so many: what a made-up trace says of them takes no memory. */
    @Test
    void noDepthIsToldForCertainThatNoThreadHas() throws Exception {
        for (int depth = 1000; depth < 1030; depth++) {
            entry(depth, TID, PARSE, depth);
        }
        exit(2000, TID, PARSE, 1029, 1029, 1, 1);
        assertThat(calls(true)).singleElement().satisfies(call -> assertThat(call.startCpu()).isEmpty());
    }
}
