// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.ThreadTurn;
import org.kview.model.Metric;

/** What threads do between their switches: of a recorded trace, and of such as are written byte by byte. */
class ThreadTurnTest {
    private static final int TID = 77;
    private static final int LOCK = 5;
    private static final int PREEMPTED = 3;
    private static final int PAGE_FAULT = 8;
    private static final int NEWER = 99;

    @TempDir
    Path folder;

    private final TraceFixture.Packet packet = new TraceFixture.Packet(0, 0, 0);
    private final List<Call> calls = new ArrayList<>();

    private void enter(long nanos) {
        packet.event(0, nanos).putInt(TID).putInt(0).putShort((short) 0);
    }

    private void leave(long nanos, int cause) {
        packet.event(2, nanos).putInt(TID).put((byte) cause).putInt(-1);
    }

    private void wake(long nanos, int waker) {
        packet.event(3, nanos).putInt(TID).putInt(waker).put((byte) 4).put(ByteBuffer.allocate(16).put("main".getBytes()).array());
    }

    private void come(long nanos, long out, long woken) {
        packet.event(4, nanos).putInt(TID).putLong(nanos - out).putLong(nanos - woken);
    }

    private List<ThreadTurn> turns(byte[]... streams) throws Exception {
        Path trace = folder;
        for (int cpu = 0; cpu < streams.length; cpu++) {
            trace = TraceFixture.write(folder, TraceFixture.metadata(), cpu, streams[cpu]);
        }
        return turns(EventTrace.open(trace));
    }

    private List<ThreadTurn> turns(EventTrace trace) throws Exception {
        return turns(trace, true);
    }

    private List<ThreadTurn> turns(EventTrace trace, boolean whole) throws Exception {
        List<ThreadTurn> turns = new ArrayList<>();
        try (CallCursor cursor = CallCursor.ahead(trace, whole, turns::add)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                calls.add(call.get());
            }
        }
        return turns;
    }

    private static ThreadTurn run(long begin, long out) {
        return new ThreadTurn(TID, begin, 0, out, Metric.ON_CPU, out, out, Optional.empty());
    }

    /** The causes of a call are sums of what its thread was in meanwhile. */
    @Test
    void statesOfARecordedTraceSumUpToWhatItsCallsWaited() throws Exception {
        Map<Long, List<ThreadTurn>> byThread = turns(EventTrace.open(TraceFixture.recorded(folder))).stream()
                .collect(Collectors.groupingBy(ThreadTurn::tid));
        byThread.forEach((tid, turns) -> {
            for (int i = 1; i < turns.size(); i++) {
                assertThat(turns.get(i).beginNanos()).as("none over another, " + tid).isGreaterThanOrEqualTo(turns.get(i - 1).endNanos());
            }
        });
        List<Call> outer = calls.stream().filter(call -> call.depth() == 0).toList();
        long same = outer.stream().filter(call -> waits(byThread.get(call.tid()), call).equals(waits(call))).count();
        // Where a thread is taken off its CPU within a probe, that is no call's time.
        assertThat(same).isGreaterThan(outer.size() * 9L / 10).isGreaterThan(100);
        assertThat(byThread.values().stream().flatMap(List::stream)).anyMatch(turn -> turn.waker().isPresent()
                && byThread.containsKey(turn.waker().get().tid()) && turn.cause() == Metric.LOCK);
    }

    private static Map<Metric, Long> waits(List<ThreadTurn> turns, Call call) {
        Map<Metric, Long> waits = new EnumMap<>(Metric.class);
        for (ThreadTurn turn : turns) {
            if (turn.endNanos() > call.beginNanos() && turn.endNanos() < call.endNanos()) {
                add(waits, turn.cause(), turn.wokenNanos() - turn.outNanos());
                add(waits, Metric.RUN_QUEUE, turn.endNanos() - turn.wokenNanos());
            }
        }
        return waits;
    }

    private static Map<Metric, Long> waits(Call call) {
        Map<Metric, Long> waits = new EnumMap<>(Metric.class);
        Metric.CAUSES.forEach(cause -> add(waits, cause, call.nanos(cause)));
        return waits;
    }

    private static void add(Map<Metric, Long> waits, Metric cause, long nanos) {
        if (nanos > 0) {
            waits.merge(cause, nanos, Long::sum);
        }
    }

    @Test
    void aTurnIsARunAWaitAndAQueue() throws Exception {
        enter(1_000);
        leave(1_400, LOCK);
        wake(2_000, 4);
        come(2_300, 1_400, 2_000);
        leave(2_500, PREEMPTED);
        // It had stopped before that was told.
        come(2_900, 2_450, 2_450);
        enter(3_000);
        assertThat(turns(packet.close())).containsExactly(
                new ThreadTurn(TID, 1_000, 0, 1_400, Metric.LOCK, 2_000, 2_300, Optional.of(new Call.Waker(4, "main"))),
                new ThreadTurn(TID, 2_300, 0, 2_450, Metric.PREEMPTED, 2_900, 2_900, Optional.empty()), run(2_900, 3_000));
    }

    /** Of what is not known nothing is told, and neither of what came behind it. */
    @Test
    void whatWasNotReportedIsNotTold() throws Exception {
        enter(1_000);
        // It was seen to run until 1 000: nobody saw it leave.
        come(2_000, 1_500, 1_800);
        leave(2_200, LOCK);
        // Nobody saw it come and leave again.
        come(2_600, 2_500, 2_550);
        leave(2_700, NEWER);
        come(2_900, 2_700, 2_800);
        leave(3_000, LOCK);
        // Of several wake-ups at other times than the one that counted none tells who that was.
        wake(3_100, 4);
        wake(3_150, 5);
        come(3_300, 3_000, 3_200);
        enter(3_300);
        assertThat(turns(packet.close())).containsExactly(run(2_000, 2_200), run(2_600, 2_700),
                new ThreadTurn(TID, 2_900, 0, 3_000, Metric.LOCK, 3_200, 3_300, Optional.empty()));
    }

    /** In a kernel view that time comes from the scheduler, and differs a little from that of the event. */
    @Test
    void theOnlyWakeUpOfAWaitIsTheOneThatEndedIt() throws Exception {
        enter(1_000);
        leave(1_400, LOCK);
        wake(2_000, 4);
        come(2_300, 1_400, 2_010);
        enter(2_500);
        assertThat(turns(packet.close())).containsExactly(
                new ThreadTurn(TID, 1_000, 0, 1_400, Metric.LOCK, 2_010, 2_300, Optional.of(new Call.Waker(4, "main"))), run(2_300, 2_500));
    }

    /** What a thread waits for within a probe is queued for all of its time by the agent's event, as it is no call's. */
    @Test
    void aWaitWithinAProbeEndsWithItsWakeUp() throws Exception {
        enter(1_000);
        leave(1_400, PAGE_FAULT);
        wake(1_500, 5);
        wake(2_000, 4);
        come(2_300, 1_400, 1_400);
        leave(2_500, PAGE_FAULT);
        come(2_900, 2_500, 2_500);
        enter(3_000);
        assertThat(turns(packet.close())).containsExactly(
                new ThreadTurn(TID, 1_000, 0, 1_400, Metric.PAGE_FAULT, 2_000, 2_300, Optional.of(new Call.Waker(4, "main"))),
                new ThreadTurn(TID, 2_300, 0, 2_500, Metric.PAGE_FAULT, 2_900, 2_900, Optional.empty()), run(2_900, 3_000));
    }

    /** The events of a CPU are not there: it may have run on that one, and another one may have woken it. */
    @Test
    void ofATraceThatIsNotWholeIsToldWhatItsSwitchesConfirm() throws Exception {
        enter(1_000);
        leave(1_400, LOCK);
        wake(2_000, 4);
        come(2_300, 1_400, 2_000);
        leave(2_500, LOCK);
        wake(2_600, 4);
        come(2_900, 2_500, 2_650);
        leave(3_000, LOCK);
        wake(3_100, 4);
        packet.event(5, 9_000).putInt(78);
        assertThat(turns(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packet.close())), false)).containsExactly(
                new ThreadTurn(TID, 1_000, 0, 1_400, Metric.LOCK, 2_000, 2_300, Optional.empty()),
                new ThreadTurn(TID, 2_300, 0, 2_500, Metric.LOCK, 2_650, 2_900, Optional.empty()), run(2_900, 3_000));
    }

    @Test
    void whoWaitsAtTheEndWaitsUntilThen() throws Exception {
        enter(1_000);
        leave(1_400, LOCK);
        packet.event(5, 9_000).putInt(78);
        assertThat(turns(packet.close())).containsExactly(
                new ThreadTurn(TID, 1_000, 0, 1_400, Metric.LOCK, 9_000, 9_000, Optional.empty()));
    }

    /** What came last on each CPU may be missing: it may have come back. Who woke whom up to then is known. */
    @Test
    void ofARecordingThatWasBrokenOffNoWaitUntilItsEndIsTold() throws Exception {
        enter(1_000);
        leave(1_400, LOCK);
        wake(2_000, 4);
        come(2_300, 1_400, 2_000);
        leave(2_500, LOCK);
        packet.event(5, 9_000).putInt(78);
        assertThat(turns(EventTrace.open(TraceFixture.write(folder, TraceFixture.metadata(), 0, packet.close())).withoutEnd()))
                .containsExactly(new ThreadTurn(TID, 1_000, 0, 1_400, Metric.LOCK, 2_000, 2_300, Optional.of(new Call.Waker(4, "main"))),
                        run(2_300, 2_500));
    }

    @Test
    void aThreadThatEndsRanUntilThen() throws Exception {
        enter(1_000);
        packet.event(5, 1_700).putInt(TID);
        assertThat(turns(packet.close())).containsExactly(run(1_000, 1_700));
    }

    /** It may have been on the CPU whose events are missing. */
    @Test
    void whatSpansMissingEventsIsNotTold() throws Exception {
        enter(1_000);
        leave(1_400, LOCK);
        come(5_000, 1_400, 5_000);
        leave(5_200, LOCK);
        come(5_500, 5_200, 5_500);
        TraceFixture.Packet other = new TraceFixture.Packet(1, 0, 0);
        other.event(5, 500).putInt(78);
        TraceFixture.Packet later = new TraceFixture.Packet(1, 1, 7);
        later.event(5, 2_000).putInt(78);
        byte[] one = other.close();
        byte[] two = later.close();
        assertThat(turns(packet.close(), ByteBuffer.allocate(one.length + two.length).put(one).put(two).array())).containsExactly(
                new ThreadTurn(TID, 5_000, 0, 5_200, Metric.LOCK, 5_500, 5_500, Optional.empty()));
    }
}
