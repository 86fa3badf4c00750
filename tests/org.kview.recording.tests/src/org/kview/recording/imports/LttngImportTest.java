// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.babeltrace.TraceTrial;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.report.SessionText;

/** Each figure follows from the events that the test writes. */
class LttngImportTest {
    private static final int RUNNING = 0, WAITING = 1;

    /** The traces are written here, and whole. */
    private static final TraceImport.Trial WHOLE = _ -> new TraceTrial(Long.MAX_VALUE, false, "");

    @TempDir
    private Path folder;

    private LatencySnapshot imported(LttngTrace trace, Optional<EventPair> pair) throws Exception {
        Path session = folder.resolve("s.kview");
        ImportResult result = TraceImport.run(new ImportRequest(trace.write(folder.resolve("trace")), session, pair), (_, _) -> { }, WHOLE);
        assertThat(result.whole()).isTrue();
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            return reader.snapshot();
        }
    }

    private List<Call> calls() throws Exception {
        List<Call> calls = new ArrayList<>();
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"));
                CallCursor cursor = new CallCursor(reader.events().getFirst().trace(), true)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                calls.add(call.get());
            }
        }
        return calls;
    }

    private static long micros(FunctionLatency function, Metric metric) {
        return function.distribution(metric).totalNanos() / 1000;
    }

    /** A thread waits, is woken, waits for the CPU, is preempted once, and comes back on another one. */
    @Test
    void timesOfACallFollowFromTheSchedulersEvents() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().switches(0, 900, 4009, WAITING, 4001).enters(0, 1000, 4001, 0xabc0)
                .switches(0, 1100, 4001, WAITING, 0).wakes(1, 1400, 4001).switches(0, 1450, 0, RUNNING, 4001)
                .switches(0, 1500, 4001, RUNNING, 4002).switches(1, 1700, 0, RUNNING, 4001).leaves(1, 1800, 4001, 0xabc0)
                .switches(0, 1900, 4002, WAITING, 0), Optional.empty());
        FunctionLatency function = figures.functions().getFirst();
        assertThat(function.function().name()).isEqualTo("0xabc0");
        assertThat(function.calls()).isEqualTo(1);
        assertThat(micros(function, Metric.WALL)).isEqualTo(800);
        assertThat(micros(function, Metric.ON_CPU)).isEqualTo(100 + 50 + 100);
        assertThat(micros(function, Metric.OTHER)).isEqualTo(300);
        assertThat(micros(function, Metric.RUN_QUEUE)).isEqualTo(50);
        assertThat(micros(function, Metric.PREEMPTED)).isEqualTo(200);
        assertThat(function.function().measured()).containsExactlyInAnyOrder(Metric.WALL, Metric.ON_CPU, Metric.RUN_QUEUE,
                Metric.PREEMPTED, Metric.OTHER);
        assertThat(figures.info().host()).isEqualTo("web-3");
        assertThat(figures.info().pid()).isEqualTo(4000);
        assertThat(figures.info().provenance().origin()).hasValueSatisfying(origin -> {
            assertThat(origin.path()).isEqualTo(folder.resolve("trace").toString());
            assertThat(origin.reader()).startsWith("libbabeltrace2 2.");
        });
        assertThat(figures.info().start()).isEqualTo(Instant.ofEpochSecond(LttngTrace.OFFSET_SECONDS).plusNanos(900_000));
        assertThat(new SessionText(figures).recorded()).contains("imported from");
    }

    /** The events are kept in the layout of Kview's own traces, so all that reads these works. */
    @Test
    void theCallsThemselvesAreInTheSession() throws Exception {
        imported(new LttngTrace().switches(0, 1000, 0, RUNNING, 4001).enters(0, 1000, 4001, 0xa).enters(0, 1010, 4001, 0xb).switches(0, 1100, 4001, WAITING, 4009)
                .wakes(1, 1400, 4001).switches(1, 1450, 4003, RUNNING, 4001).leaves(1, 1500, 4001, 0xb).leaves(1, 1600, 4001, 0xa)
                .switches(1, 1601, 4001, WAITING, 0), Optional.empty());
        List<Call> calls = calls();
        assertThat(calls).hasSize(2);
        Call inner = calls.getFirst();
        assertThat(inner.beginNanos()).isEqualTo(1_010_000);
        assertThat(inner.wallNanos()).isEqualTo(490_000);
        assertThat(inner.nanos(Metric.OTHER)).isEqualTo(300_000);
        assertThat(inner.depth()).isEqualTo(1);
        assertThat(inner.parent()).contains(new Call.Parent(0, 1_000_000));
        assertThat(inner.thread()).isEqualTo("shop-4001");
        assertThat(inner.cpu()).isEqualTo(1);
        assertThat(calls.getLast().wallNanos()).isEqualTo(600_000);
    }

    @Test
    void withoutTheSchedulersEventsOnlyWallClockTimesAreTold() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().enters(0, 10, 1, 0xa).enters(1, 12, 2, 0xa).leaves(0, 15, 1, 0xa)
                .leaves(1, 20, 2, 0xa), Optional.empty());
        FunctionLatency function = figures.functions().getFirst();
        assertThat(function.wall().count()).isEqualTo(2);
        assertThat(micros(function, Metric.WALL)).isEqualTo(5 + 8);
        assertThat(function.function().measured()).isEqualTo(Set.of(Metric.WALL));
        assertThat(figures.info().stateNote()).contains("no events of the scheduler");
    }

    /** Else a call would seem to have been on the CPU for as long as nothing was told. */
    @Test
    void aCallThatTheSchedulersEventsDontCoverHasNoTime() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().enters(0, 10, 1, 0xa).switches(0, 20, 5, WAITING, 1).leaves(0, 30, 1, 0xa)
                .enters(0, 40, 1, 0xa).leaves(0, 45, 1, 0xa).enters(0, 47, 1, 0xa).switches(0, 50, 1, WAITING, 0).leaves(0, 60, 1, 0xa),
                Optional.empty());
        FunctionLatency function = figures.functions().getFirst();
        assertThat(function.calls()).isEqualTo(3);
        assertThat(micros(function, Metric.WALL)).isEqualTo(5);
        assertThat(micros(function, Metric.ON_CPU)).isEqualTo(5);
        assertThat(figures.info().stateNote()).contains("calls that began before the first sched_switch or ended after the last one, which are counted and have no time: 2");
    }

    /** In a container threads have other numbers than in the kernel's events. */
    @Test
    void theSwitchesOfOtherThreadsTellNothing() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().switches(0, 5, 900, WAITING, 901).enters(0, 10, 1, 0xa)
                .leaves(0, 30, 1, 0xa).switches(0, 50, 901, WAITING, 900), Optional.empty());
        assertThat(figures.functions().getFirst().function().measured()).isEqualTo(Set.of(Metric.WALL));
        assertThat(figures.info().stateNote()).contains("are of other threads");
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"))) {
            assertThat(reader.hasEvents()).isFalse();
        }
    }

    @Test
    void aPairOfEventsThatTheUserNamesIsACall() throws Exception {
        LttngTrace trace = new LttngTrace().begins(0, 10, 1, "/cart").begins(1, 11, 2, "/pay").ends(0, 40, 1).ends(1, 61, 2)
                .begins(0, 70, 1, "/cart").ends(0, 80, 1);
        LatencySnapshot figures = imported(trace, Optional.of(new EventPair("shop:begin", "shop:end", Optional.of("url"))));
        assertThat(figures.functions()).extracting(f -> f.function().name() + " " + f.wall().count() + " " + micros(f, Metric.WALL))
                .containsExactly("/cart 2 40", "/pay 1 50");
    }

    @Test
    void whatDoesNotFitTogetherIsCountedAndSaid() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().leaves(0, 5, 1, 0xa).enters(0, 10, 1, 0xa).enters(0, 11, 1, 0xb)
                .enters(0, 12, 1, 0xc).leaves(0, 20, 1, 0xa).enters(0, 30, 1, 0xa), Optional.empty());
        assertThat(figures.functions()).extracting(f -> f.calls() + " " + f.wall().count() + " " + f.unfinished())
                .containsExactly("2 1 1", "1 0 1", "1 0 1");
        assertThat(figures.info().stateNote()).contains("ends that belong to no call that was seen to begin: 1",
                "calls that were left without an event at their end, which are counted and have no time: 2");
    }

    /** LTTng counts them as a packet ends, so they are missing anywhere in it. */
    @Test
    void noCallOfAPacketThatLacksEventsHasATime() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().enters(0, 10, 1, 0xa).leaves(0, 20, 1, 0xa).closes(0)
                .enters(0, 30, 1, 0xa).leaves(0, 40, 1, 0xa).enters(0, 50, 1, 0xa).lacks(0, 17).closes(0).leaves(0, 60, 1, 0xa)
                .enters(0, 70, 1, 0xa).leaves(0, 85, 1, 0xa), Optional.empty());
        FunctionLatency function = figures.functions().getFirst();
        assertThat(function.calls()).isEqualTo(4);
        assertThat(function.wall().count()).isEqualTo(2);
        assertThat(micros(function, Metric.WALL)).isEqualTo(10 + 15);
        assertThat(figures.info().stateNote()).contains("calls that went on while events were missing, which are counted and have no time: 2");
    }

    /** A small number of a container's is another thread's on the host. */
    @Test
    void aCallOnACpuThatAnotherThreadHasHasNoTime() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().switches(0, 5, 900, WAITING, 901).switches(1, 6, 0, RUNNING, 1)
                .enters(0, 10, 1, 0xa).leaves(0, 30, 1, 0xa).enters(1, 40, 1, 0xa).leaves(1, 45, 1, 0xa)
                .switches(0, 50, 901, WAITING, 900), Optional.empty());
        FunctionLatency function = figures.functions().getFirst();
        assertThat(function.calls()).isEqualTo(2);
        assertThat(micros(function, Metric.WALL)).isEqualTo(5);
        assertThat(figures.info().stateNote()).contains("another thread ran by sched_switch").contains("have no time: 1");
    }

    /** The kernel may tell it on the CPU of the woken thread, whatever runs there. */
    @Test
    void whoWokeAThreadIsNotTold() throws Exception {
        imported(new LttngTrace().switches(1, 5, 0, RUNNING, 4009).switches(0, 6, 0, RUNNING, 4001).enters(0, 10, 4001, 0xa)
                .switches(0, 20, 4001, WAITING, 0).wakes(1, 30, 4001).switches(0, 40, 0, RUNNING, 4001).leaves(0, 50, 4001, 0xa)
                .switches(0, 60, 4001, WAITING, 0), Optional.empty());
        assertThat(calls().getFirst().waker()).isEmpty();
    }

    /** Threads are known by their numbers, which other hosts have as well. */
    @Test
    void tracesOfSeveralHostsAreRefused() throws Exception {
        Path traces = folder.resolve("traces");
        new LttngTrace().enters(0, 10, 1, 0xa).leaves(0, 20, 1, 0xa).write(traces.resolve("a"));
        new LttngTrace().enters(0, 10, 1, 0xa).leaves(0, 20, 1, 0xa).write(traces.resolve("b"));
        Path metadata = traces.resolve("b/ust/uid/1000/64-bit/metadata");
        Files.writeString(metadata, Files.readString(metadata).replace("web-3", "web-4"));
        assertThatThrownBy(() -> TraceImport.run(new ImportRequest(traces, folder.resolve("s.kview"), Optional.empty()), (_, _) -> { },
                WHOLE)).isInstanceOf(SessionException.class).hasMessageContaining("several hosts, web-3 and web-4 among them");
    }

    /** A call during which events are missing may have had another end: it gets no time. */
    @Test
    void aCallThatSpansMissingEventsHasNoTime() throws Exception {
        LatencySnapshot figures = imported(new LttngTrace().enters(0, 10, 1, 0xa).leaves(0, 20, 1, 0xa).enters(0, 30, 1, 0xa)
                .loses(0, 17).leaves(0, 40, 1, 0xa).enters(0, 50, 1, 0xa).leaves(0, 60, 1, 0xa), Optional.empty());
        FunctionLatency function = figures.functions().getFirst();
        assertThat(function.calls()).isEqualTo(3);
        assertThat(function.wall().count()).isEqualTo(1);
        assertThat(micros(function, Metric.WALL)).isEqualTo(10);
        assertThat(figures.info().stateNote()).startsWith("Events that are missing in the trace, and with them the calls that they told of: 17");
    }

    @Test
    void aTraceWithoutCallsSaysWhatToName() throws Exception {
        Path trace = new LttngTrace().begins(0, 10, 1, "/cart").ends(0, 20, 1).write(folder.resolve("trace"));
        Path session = folder.resolve("s.kview");
        assertThatThrownBy(() -> TraceImport.run(new ImportRequest(trace, session, Optional.empty()), (_, _) -> { }, WHOLE))
                .isInstanceOf(SessionException.class).hasMessageContaining("--entry EVENT --exit EVENT: it has shop:begin, shop:end");
        assertThatThrownBy(() -> TraceImport.run(new ImportRequest(trace, session, Optional.of(new EventPair("shop:begin", "shop:fin",
                Optional.empty()))), (_, _) -> { }, WHOLE)).hasMessageContaining("begin with 'shop:begin' and end with 'shop:fin'");
        assertThatThrownBy(() -> TraceImport.run(new ImportRequest(trace, session, Optional.of(new EventPair("shop:begin", "shop:end",
                Optional.of("path")))), (_, _) -> { }, WHOLE)).hasMessageContaining("no field 'path'");
        assertThat(Files.exists(session.resolve("session.json"))).isFalse();
    }
}
