// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.babeltrace.TraceTrial;
import org.kview.ctf.EventTrace;
import org.kview.ctf.PacketHeader;
import org.kview.ctf.calls.Call;
import org.kview.ctf.calls.CallCursor;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.SessionInfo;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;

/** A trace that the agent recorded, once read by Kview's own reader, and once imported through libbabeltrace2. */
class OwnImportTest {
    private static final Path RECORDED = Path.of(System.getProperty("kview.recorded-trace"));

    @TempDir
    private Path folder;

    private static List<Call> calls(EventTrace trace) throws Exception {
        List<Call> calls = new ArrayList<>();
        try (CallCursor cursor = new CallCursor(trace, true)) {
            for (Optional<Call> call = cursor.next(); call.isPresent(); call = cursor.next()) {
                calls.add(call.get());
            }
        }
        return calls;
    }

    private static Map<Long, Map<Metric, Distribution>> figures(List<Call> calls) {
        Map<Long, Map<Metric, Distribution.Builder>> builders = new TreeMap<>();
        for (Call call : calls) {
            Map<Metric, Distribution.Builder> function = builders.computeIfAbsent(call.function(), _ -> new EnumMap<>(Metric.class));
            function.computeIfAbsent(Metric.WALL, _ -> new Distribution.Builder()).add(call.wallNanos());
            function.computeIfAbsent(Metric.ON_CPU, _ -> new Distribution.Builder()).add(call.onCpuNanos());
            Metric.CAUSES.stream().filter(cause -> call.nanos(cause) > 0).forEach(cause -> function.computeIfAbsent(cause,
                    _ -> new Distribution.Builder()).add(call.nanos(cause)));
        }
        Map<Long, Map<Metric, Distribution>> figures = new TreeMap<>();
        builders.forEach((function, metrics) -> {
            Map<Metric, Distribution> built = new EnumMap<>(Metric.class);
            metrics.forEach((metric, builder) -> built.put(metric, builder.build()));
            figures.put(function, built);
        });
        return figures;
    }

    private ImportResult imported(Path trace) throws Exception {
        return TraceImport.run(new ImportRequest(trace, folder.resolve("s.kview"), Optional.empty()), (_, _) -> { });
    }

    @Test
    void figuresAndCallsAreThoseOfTheTrace() throws Exception {
        EventTrace original = EventTrace.open(RECORDED);
        List<Call> calls = calls(original);
        assertThat(imported(RECORDED).whole()).isTrue();
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"))) {
            LatencySnapshot snapshot = reader.snapshot();
            assertThat(snapshot.problems()).isEmpty();
            Map<Long, Map<Metric, Distribution>> read = new TreeMap<>();
            for (FunctionLatency function : snapshot.functions()) {
                int id = function.function().id();
                assertThat(function.function().name()).isEqualTo(original.layout().functionLabel(id));
                assertThat(function.function().mechanism()).isEqualTo(Mechanism.IMPORTED);
                read.put((long) id, function.distributions());
            }
            assertThat(read).isEqualTo(figures(calls));
            SessionReader.HostEvents events = reader.events().getFirst();
            assertThat(events.whole()).isTrue();
            assertThat(calls(events.trace())).hasSizeGreaterThan(1000).isEqualTo(calls);
            assertThat(events.trace().layout().realTimeOffsetNanos()).isEqualTo(original.layout().realTimeOffsetNanos());
            assertThat(snapshot.info().state()).isEqualTo(SessionInfo.State.STOPPED);
            assertThat(snapshot.info().start().toString()).startsWith("20");
        }
    }

    /** The session's own trace is one that libbabeltrace2 reads, too. */
    @Test
    void whatWasImportedCanBeImportedAgain() throws Exception {
        TraceImport.Trial whole = _ -> new TraceTrial(Long.MAX_VALUE, false, "");
        Path again = folder.resolve("again.kview");
        TraceImport.run(new ImportRequest(RECORDED, folder.resolve("s.kview"), Optional.empty()), (_, _) -> { }, whole);
        assertThat(TraceImport.run(new ImportRequest(folder.resolve("s.kview/trace"), again, Optional.empty()), (_, _) -> { }, whole)
                .whole()).isTrue();
        try (SessionReader first = SessionReader.open(folder.resolve("s.kview")); SessionReader second = SessionReader.open(again)) {
            assertThat(calls(second.events().getFirst().trace())).isEqualTo(calls(first.events().getFirst().trace()));
        }
    }

    /** What was read before the damage stays, and the session says what the library found. */
    @Test
    void aDamagedTraceIsImportedUpToThere() throws Exception {
        Path trace = copy();
        byte[] stream = Files.readAllBytes(RECORDED.resolve("cpu_0"));
        int second = (int) PacketHeader.parse(java.nio.ByteBuffer.wrap(stream)).orElseThrow().packetBytes();
        // An event of a kind that the metadata does not describe.
        stream[second + PacketHeader.HEADER_BYTES] = 99;
        Files.write(trace.resolve("cpu_0"), stream);
        ImportResult result = imported(trace);
        assertThat(result.whole()).isFalse();
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"))) {
            SessionInfo info = reader.snapshot().info();
            assertThat(info.state()).isEqualTo(SessionInfo.State.FAILED);
            assertThat(info.stateNote()).startsWith("The trace is damaged and was imported up to there: ");
            List<Call> read = calls(reader.events().getFirst().trace());
            List<Call> all = calls(EventTrace.open(RECORDED));
            assertThat(read).hasSizeBetween(100, all.size() - 1).isEqualTo(all.subList(0, read.size()));
        }
    }

    /** The library ends the process that opens such a trace: not this one. */
    @Test
    void aTraceThatEndsTheLibraryIsRefused() throws Exception {
        Path trace = copy();
        byte[] stream = Files.readAllBytes(RECORDED.resolve("cpu_0"));
        int contentSizeEnd = 4 + 16 + 4 + 8 + 8 + 8 - 1;
        stream[contentSizeEnd] = (byte) 0x80;
        Files.write(trace.resolve("cpu_0"), stream);
        assertThatThrownBy(() -> imported(trace)).isInstanceOf(SessionException.class).hasMessageContaining("can't be opened")
                .hasMessageContaining("damaged");
    }

    @Test
    void aSessionThatIsThereAndATraceThatIsNotAreRefused() throws Exception {
        assertThatThrownBy(() -> imported(folder.resolve("nowhere"))).isInstanceOf(SessionException.class)
                .hasMessageContaining("nowhere");
        Files.createDirectories(folder.resolve("s.kview"));
        Files.writeString(folder.resolve("s.kview/notes"), "mine");
        assertThatThrownBy(() -> imported(RECORDED)).isInstanceOf(SessionException.class).hasMessageContaining("exists already");
    }

    private Path copy() throws IOException {
        Path trace = Files.createDirectories(folder.resolve("trace"));
        for (String file : Arrays.asList("metadata", "cpu_0", "cpu_1")) {
            Files.copy(RECORDED.resolve(file), trace.resolve(file));
        }
        return trace;
    }
}
