// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.CallFates;
import org.kview.model.Descriptor;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.LockHolder;
import org.kview.model.Losses;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.ProgramPlace;
import org.kview.model.SessionInfo;
import org.kview.model.Wait;
import org.kview.model.WaitCall;
import org.kview.model.WaitPlace;
import org.kview.model.Waits;
import org.kview.model.Waker;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** For what calls waited, and who woke them, from the recorder to the reports. */
class WaitsInReportsTest {
    private static final Waits WAITS = new Waits(List.of(
            new Wait(Metric.LOCK, new Waker(Waker.Kind.THREAD, 11, 10, "worker"), 4096, "cache_lock", 6_000, 2),
            new Wait(Metric.LOCK, Waker.of(Waker.Kind.OTHERS), 0, "", 60, 1),
            new Wait(Metric.SLEEP, Waker.of(Waker.Kind.INTERRUPT), 0, "", 5, 1,
                    new WaitPlace(WaitPlace.Kind.STACK, List.of("do_nap", "hrtimer_nanosleep", ""), 1)),
            new Wait(Metric.SLEEP, Waker.of(Waker.Kind.UNKNOWN), 0, "", 4, 1, WaitPlace.of(WaitPlace.Kind.HIDDEN)),
            new Wait(Metric.SLEEP, Waker.of(Waker.Kind.UNKNOWN), 0, "", 3, 1, WaitPlace.of(WaitPlace.Kind.OTHERS)),
            network(new WaitCall("recvfrom", Optional.of(new Descriptor(8, Descriptor.Kind.TCP, "", "10.0.0.1:80", "10.0.0.2:4711", 0, true, -1,
                    Descriptor.Watched.NONE)), false)),
            network(new WaitCall("epoll_wait", Optional.of(new Descriptor(5, Descriptor.Kind.EPOLL, "", "", "", 0, false, 77,
                    new Descriptor.Watched(1, 2, 3, 4, 5, true))), false)),
            network(new WaitCall("read", Optional.of(new Descriptor(6, Descriptor.Kind.UNIX, "", "/run/a", "@b", 812, false, 78,
                    Descriptor.Watched.NONE)), false)),
            network(new WaitCall("read", Optional.of(new Descriptor(7, Descriptor.Kind.FILE, "/tmp/a", "", "", 0, false, 79,
                    Descriptor.Watched.NONE)), false)),
            network(new WaitCall("write", Optional.empty(), true)), network(new WaitCall("poll", Optional.empty(), false)),
            new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), 0, "", 2, 1, WaitPlace.UNKNOWN, WaitCall.NONE,
                    Optional.of(new LockHolder(12, 10, "holder", "flush")), new ProgramPlace(List.of("lock", "find", "handle"), true, false)),
            new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), 0, "", 1, 1, WaitPlace.UNKNOWN, WaitCall.NONE,
                    Optional.of(new LockHolder(13, 10, "", "")), new ProgramPlace(List.of(), false, true))));

    private static Wait network(WaitCall call) {
        return new Wait(Metric.NETWORK, Waker.of(Waker.Kind.INTERRUPT), 0, "", 1, 1, WaitPlace.UNKNOWN, call);
    }

    private static final String INTERRUPT = "\"cause\":\"network\",\"waker\":\"interrupt\",\"count\":1,\"total_ns\":1,\"system_call\":";

    @TempDir
    private Path folder;

    private Path recorded() throws Exception {
        return recorded(Waits.Told.YES);
    }

    private Path recorded(Waits.Told told) throws Exception {
        Path session = folder.resolve("s.kview");
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO,
                SessionInfo.State.RECORDING, "");
        ProbedFunction function = new ProbedFunction(0, "handle", new ProbePoint.UserFunction("/bin/shop", "handle", 1, 1, 1),
                Mechanism.TRAP, ProbedFunction.ALL_METRICS, ProbedFunction.Ends.of(ProbedFunction.ExitKind.RETURN_SITES),
                new ProbedFunction.Cost(100, 900), 0, told);
        Distribution wall = new Distribution.Builder().add(8_000).build();
        Map<Metric, Distribution> times = Map.of(Metric.WALL, wall, Metric.ON_CPU, new Distribution.Builder().add(1_935).build(),
                Metric.LOCK, new Distribution.Builder().add(6_060).build(), Metric.SLEEP, new Distribution.Builder().add(5).build());
        try (SessionWriter writer = SessionWriter.create(session, info, List.of(function), Optional.empty())) {
            writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, List.of(new FunctionInterval(0, 2, 0, 1,
                    Optional.of(CallFates.NONE.with(WAITS)), times)), Losses.NONE, ProcessShare.UNKNOWN, true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return session;
    }

    private static LatencySnapshot read(Path session) throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    @Test
    void whatTheRecorderKnewTheReaderKnows() throws Exception {
        LatencySnapshot read = read(recorded());
        assertThat(read.problems()).isEmpty();
        assertThat(read.functions().getFirst().knownFates().waits()).isEqualTo(WAITS);
    }

    @Test
    void everyReportTellsThem() throws Exception {
        LatencySnapshot read = read(recorded());
        String table = TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, true)).replaceAll("\\s+", " ");
        for (String sentence : List.of("% of its time, for cache_lock, woken by thread 11 (worker) of process 10",
                "waits: lock, woken by thread 11 (worker) of process 10: 6.00 µs in 2 waits, others, which were too many to be told"
                        + " apart: 60 ns in 1 wait, a wake-up that was not seen: 3 ns in 2 waits; locks: cache_lock: 6.00 µs in 2 waits; held by thread 12 (holder)"
                        + " of process 10, in flush: 2 ns in 1 wait, thread 13 of process 10: 1 ns in 1 wait; in the program at lock ← find ← handle: 2 ns"
                        + " in 1 wait, places that were too many to be told apart: 1 ns in 1 wait",
                "waits: sleep, woken by a wake-up that was not seen: 7 ns in 2 waits, an interrupt or timer: 5 ns in 1 wait; in"
                        + " hrtimer_nanosleep: 5 ns in 1 wait, places that were too many to be told apart: 3 ns in 1 wait; calls without a"
                        + " time waited as well",
                "; system calls: recvfrom of TCP to 10.0.0.2:4711 (descriptor 8): 1 ns in 1 wait, epoll_wait of 1 socket, 2 pipes, 3"
                        + " eventfds, 4 timerfds, 5 others and more (epoll, descriptor 5): 1 ns in 1 wait",
                "user, so where in it some of them waited was not told")) {
            assertThat(table).contains(sentence);
            assertThat(HtmlReport.of(read)).contains(sentence);
        }
        JsonNode waits = new ObjectMapper().readTree(JsonReport.of(read)).at("/functions/0/waits");
        assertThat(waits.toString()).isEqualTo("[{\"cause\":\"lock\",\"waker\":\"thread\",\"tid\":11,\"pid\":10,\"name\":\"worker\","
                + "\"lock_address\":4096,\"lock\":\"cache_lock\",\"count\":2,\"total_ns\":6000},"
                + "{\"cause\":\"lock\",\"waker\":\"others\",\"count\":1,\"total_ns\":60},"
                + "{\"cause\":\"sleep\",\"waker\":\"interrupt\",\"count\":1,\"total_ns\":5,\"place\":\"stack\","
                + "\"kernel_function\":\"hrtimer_nanosleep\",\"kernel_stack\":[\"do_nap\",\"hrtimer_nanosleep\",\"\"]},"
                + "{\"cause\":\"sleep\",\"waker\":\"unknown\",\"count\":1,\"total_ns\":4,\"place\":\"hidden\"},"
                + "{\"cause\":\"sleep\",\"waker\":\"unknown\",\"count\":1,\"total_ns\":3,\"place\":\"others\"},"
                + "{" + INTERRUPT + "\"recvfrom\",\"descriptor\":{\"number\":8,\"kind\":\"tcp\",\"inode\":18446744073709551615,"
                + "\"local\":\"10.0.0.1:80\",\"peer\":\"10.0.0.2:4711\",\"listens\":true}},"
                + "{" + INTERRUPT + "\"epoll_wait\",\"descriptor\":{\"number\":5,\"kind\":\"epoll\",\"inode\":77,\"watched\":{\"sockets\":1,"
                + "\"pipes\":2,\"eventfds\":3,\"timerfds\":4,\"others\":5,\"more\":true}}},"
                + "{" + INTERRUPT + "\"read\",\"descriptor\":{\"number\":6,\"kind\":\"unix\",\"inode\":78,\"local\":\"/run/a\",\"peer\":\"@b\","
                + "\"peer_pid\":812}},"
                + "{" + INTERRUPT + "\"read\",\"descriptor\":{\"number\":7,\"kind\":\"file\",\"inode\":79,\"name\":\"/tmp/a\"}},"
                + "{" + INTERRUPT + "\"write\",\"descriptor_of_many\":true},"
                + "{" + INTERRUPT + "\"poll\"},"
                + "{\"cause\":\"lock\",\"waker\":\"unknown\",\"holder\":{\"tid\":12,\"pid\":10,\"name\":\"holder\",\"function\":\"flush\"},"
                + "\"count\":1,\"total_ns\":2,\"program_stack\":[\"lock\",\"find\",\"handle\"],\"program_stack_whole\":true},"
                + "{\"cause\":\"lock\",\"waker\":\"unknown\",\"holder\":{\"tid\":13,\"pid\":10},\"count\":1,\"total_ns\":1,"
                + "\"program_stack_of_many\":true}]");
    }

    /** So that whoever finds none knows whether there were none. */
    @Test
    void whetherTheyAreToldIsKept() throws Exception {
        for (Waits.Told told : Waits.Told.values()) {
            Path session = recorded(told);
            LatencySnapshot read = read(session);
            assertThat(read.functions().getFirst().function().waits()).isEqualTo(told);
            assertThat(new ObjectMapper().readTree(JsonReport.of(read)).at("/functions/0/waits_told").asText())
                    .isEqualTo(told == Waits.Told.UNKNOWN ? "" : Boolean.toString(told == Waits.Told.YES));
            Files.move(session, folder.resolve(told + ".kview"));
        }
    }

    /** Of a newer version: a cause, and kinds of wakers and places, that are not known here. */
    @Test
    void whatIsNotKnownLosesNothingElse() throws Exception {
        Path session = recorded();
        Path file = session.resolve("session.json");
        Files.writeString(file, Files.readString(file).replaceFirst("\"cause\"( ?): ?\"sleep\"", "\"cause\":\"dream\"")
                .replaceFirst("\"place\"( ?): ?\"hidden\"", "\"place\":\"cloud\"").replaceFirst("\"place\"( ?): ?\"others\"", "\"place\":\"stack\"")
                .replaceFirst("\"waker\"( ?): ?\"others\"", "\"waker\":\"star\"").replaceFirst("\"kind\"( ?): ?\"tcp\"", "\"kind\":\"tachyon\""));
        Waits waits = read(session).functions().getFirst().knownFates().waits();
        assertThat(waits.all().get(4).call().text()).isEqualTo("recvfrom of to 10.0.0.2:4711 (descriptor 8)");
        assertThat(waits.all().subList(5, 10)).isEqualTo(WAITS.all().subList(6, 11));
        assertThat(waits.all().subList(0, 4)).containsExactly(WAITS.all().getFirst(), new Wait(Metric.LOCK, Waker.of(Waker.Kind.UNKNOWN), 0, "", 60, 1),
                new Wait(Metric.SLEEP, Waker.of(Waker.Kind.UNKNOWN), 0, "", 4, 1), new Wait(Metric.SLEEP, Waker.of(Waker.Kind.UNKNOWN), 0, "", 3, 1));
    }
}
