// SPDX-License-Identifier: EPL-2.0
package org.kview.session.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.calls.CallCursor;
import org.kview.ctf.calls.ThreadTurn;
import org.kview.model.CallFates;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.Quantity;
import org.kview.model.SessionInfo;
import org.kview.model.Waits;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallForm;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.CallQuery;
import org.kview.session.calls.SessionCalls;
import org.kview.session.parquet.DuckDb;
import org.kview.session.read.SessionReader;
import org.kview.session.write.HostsFolder;
import org.kview.session.write.SessionWriter;

/** A real recording's tables, read by DuckDB. */
class ParquetExportTest {
    /** Of a path, in bytes. */
    private static final int MOST_PATH = 4095;

    @TempDir
    private Path temp;
    private DuckDb duckDb;
    private List<String> findings;

    @BeforeEach
    void open() throws Exception {
        duckDb = new DuckDb();
    }

    @AfterEach
    void close() throws Exception {
        duckDb.close();
    }

    private Path nested(String name) throws Exception {
        Path session = temp.resolve(name);
        try (InputStream in = SampleRecording.class.getResourceAsStream("pprof/data/nested.kview.zip"); ZipInputStream zip = new ZipInputStream(in)) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                if (!entry.isDirectory()) {
                    Path file = session.resolve(entry.getName().substring(entry.getName().indexOf('/') + 1));
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
        return session;
    }

    private LatencySnapshot export(Path session) throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            findings = ParquetExport.write(reader, temp.resolve("tables"), _ -> { });
            return reader.snapshot();
        }
    }

    private String table(String name) {
        return "read_parquet('" + temp + "/tables/" + name + "/**/*.parquet', hive_types_autocast = false)";
    }

    /** Each call, with all that the list of calls tells of it. */
    private void assertCallsAreThoseOfTheList(Path path) throws Exception {
        Path csv = temp.resolve("calls.csv");
        List<String> lines = new ArrayList<>();
        try (SessionReader session = SessionReader.open(path)) {
            SessionCalls.of(session, path).tell(new CallQuery(CallFilter.ALL, Optional.empty(), CallOrder.parse("wall"), OptionalInt.empty()),
                    CallForm.csv(), lines::add, _ -> { });
        }
        Files.writeString(csv, String.join("", lines));
        String inCsv = "read_csv('" + csv + "', header = true, all_varchar = true, nullstr = '')";
        List<Object> names = duckDb.rows("DESCRIBE SELECT * FROM " + inCsv).stream().map(List::getFirst).toList();
        assertThat(names).contains("host", "function", "wall_ns", "waker");
        List<String> columns = names.stream().filter(name -> !name.equals("time")).map(name -> name + "::VARCHAR").toList();
        String listed = "SELECT " + String.join(", ", columns) + ", epoch_us(time::TIMESTAMPTZ) FROM " + inCsv;
        String stored = "SELECT " + String.join(", ", columns) + ", epoch_us(time) FROM " + table("calls");
        assertThat(duckDb.rows("(" + listed + ") EXCEPT ALL (" + stored + ")")).isEmpty();
        assertThat(duckDb.rows("(" + stored + ") EXCEPT ALL (" + listed + ")")).isEmpty();
        assertThat((Long) duckDb.value("SELECT count(*) FROM " + table("calls"))).isGreaterThan(100);
    }

    @Test
    void callsAreThoseOfTheList() throws Exception {
        Path session = nested("s.kview");
        LatencySnapshot figures = export(session);
        assertCallsAreThoseOfTheList(session);
        assertThat(duckDb.rows("SELECT DISTINCT function, function_name, kind, binary_path, symbol FROM " + table("calls") + " ORDER BY ALL"))
                .isEqualTo(figures.functions().stream().filter(f -> f.wall().count() > 0).map(FunctionLatency::function)
                        .map(f -> List.<Object>of(f.name(), f.name(), f.point().kind(), f.point().binary(), f.point().symbol()))
                        .sorted((a, b) -> a.toString().compareTo(b.toString())).toList());
        assertThat((String) duckDb.value("SELECT DISTINCT decode(value) FROM parquet_kv_metadata('" + temp
                + "/tables/*/**/*.parquet') WHERE decode(key) = 'kview.notes'")).isEqualTo(String.join("\n", findings));
    }

    @Test
    void callsOfSeveralHostsSayWhichOneTheyAreOf() throws Exception {
        Path session = Files.createDirectory(temp.resolve("two.kview"));
        for (Path part : HostsFolder.create(session, List.of("web-1", "web-2")).values()) {
            Path one = nested("one.kview");
            Files.deleteIfExists(part);
            Files.move(one, part);
        }
        LatencySnapshot figures = export(session);
        assertThat(figures.hosts()).hasSize(2);
        assertCallsAreThoseOfTheList(session);
        assertHistogramsAddUp(figures);
    }

    @Test
    void switchesAreWhatThreadsDid() throws Exception {
        Path session = nested("s.kview");
        export(session);
        List<List<Object>> turns = new ArrayList<>();
        try (SessionReader reader = SessionReader.open(session)) {
            var events = reader.events().getFirst();
            long start = events.figures().info().start().getEpochSecond() * 1_000_000_000L + events.figures().info().start().getNano()
                    - events.trace().layout().realTimeOffsetNanos();
            try (CallCursor cursor = CallCursor.ahead(events.trace(), events.whole(), turn -> turns.add(row(turn, start)))) {
                while (cursor.next().isPresent()) {
                    // What is told meanwhile is of interest.
                }
            }
        }
        assertThat(turns).hasSizeGreaterThan(100);
        assertThat(duckDb.rows("SELECT tid, start_ns, ran_ns, cpu, cause, waited_ns, queued_ns, end_ns, waker_tid, waker FROM " + table("switches")))
                .containsExactlyInAnyOrderElementsOf(turns);
    }

    private static List<Object> row(ThreadTurn turn, long start) {
        List<Object> row = new ArrayList<>(List.of(turn.tid(), turn.beginNanos() - start, turn.outNanos() - turn.beginNanos(),
                (long) turn.cpu()));
        row.add(turn.cause() == Metric.ON_CPU ? null : turn.cause().id());
        row.addAll(List.of(turn.wokenNanos() - turn.outNanos(), turn.endNanos() - turn.wokenNanos(), turn.endNanos() - start));
        row.add(turn.waker().map(waker -> (Object) waker.tid()).orElse(null));
        row.add(turn.waker().map(waker -> waker.name()).orElse(null));
        return row;
    }

    /** Of each function and metric, all buckets. */
    private void assertHistogramsAddUp(LatencySnapshot figures) throws Exception {
        List<List<Object>> expected = new ArrayList<>();
        for (FunctionLatency latency : figures.functions()) {
            for (Metric metric : Metric.OF_CALLS) {
                Distribution distribution = latency.distribution(metric);
                for (int i = 0; i < distribution.bucketLimit(); i++) {
                    if (distribution.bucket(i) > 0) {
                        expected.add(List.of(latency.function().name(), metric.id(), LatencyBuckets.lowNanos(i),
                                LatencyBuckets.lowNanos(i) + LatencyBuckets.widthNanos(i) - 1, distribution.bucket(i)));
                    }
                }
            }
        }
        assertThat(expected).hasSizeGreaterThan(10);
        assertThat(duckDb.rows("SELECT function, metric, least_ns, most_ns, sum(count)::BIGINT FROM " + table("histograms")
                + " GROUP BY ALL")).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void histogramsAddUpToTheFigures() throws Exception {
        assertHistogramsAddUp(export(nested("s.kview")));
    }

    @Test
    void withoutEventsThereAreHistogramsAlone() throws Exception {
        Path session = temp.resolve("s.kview");
        SampleRecording recording = new SampleRecording(SampleRecording.functions());
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, SampleRecording.functions(), Optional.empty())) {
            writer.append(recording.interval(20));
            writer.append(recording.interval(20));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        assertHistogramsAddUp(export(session));
        // Two intervals of half a second.
        assertThat(duckDb.rows("SELECT DISTINCT end_ns, epoch_us(time) FROM " + table("histograms") + " ORDER BY 1")).isEqualTo(
                Stream.of(500, 1000).map(ms -> List.<Object>of(ms * 1_000_000L, SampleRecording.INFO.start().toEpochMilli() * 1000 + ms * 1000)).toList());
        assertThat(findings).anySatisfy(sentence -> assertThat(sentence).contains("recorded without events"));
        assertThat(temp.resolve("tables")).isDirectoryContaining("glob:**histograms").isDirectoryNotContaining("glob:**calls")
                .isDirectoryNotContaining("glob:**switches");
    }

    /** What no call took is measured, and none. */
    @Test
    void whatWasCountedBesideTimeIsATable() throws Exception {
        Path session = temp.resolve("s.kview");
        Quantity read = new Quantity("io_read_bytes", "read", Quantity.Unit.BYTES), device = new Quantity("io_device_ns", "device", Quantity.Unit.NANOSECONDS, "requests");
        ProbedFunction load = new ProbedFunction(0, "load", new ProbePoint.UserFunction("/bin/shop", "load", 1, 1, 1), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", "", List.of(read, device));
        Distribution times = new Distribution.Builder().add(1000).add(2000).add(3000).build();
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, List.of(load), Optional.empty())) {
            writer.append(new LatencyInterval(0, 500_000_000L, List.of(new FunctionInterval(0, 3, 0, 0, Optional.of(CallFates.NONE),
                    Map.of(Metric.WALL, times, Metric.ON_CPU, times), List.of(), Map.of("io_read_bytes", new Distribution.Builder().add(4096).add(1 << 20).build()))),
                    Losses.NONE, ProcessShare.UNKNOWN, true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        export(session);
        assertThat(duckDb.rows("SELECT function, timed_calls, quantity, unit, \"of\", count, total, max FROM " + table("quantities"))).containsExactlyInAnyOrder(
                List.of("load", 3L, "io_read_bytes", "bytes", "calls", 2L, 4096L + (1 << 20), 1L << 20),
                List.of("load", 3L, "io_device_ns", "nanoseconds", "requests", 0L, 0L, 0L));
        assertThat(duckDb.rows("SELECT quantity FROM " + table("quantities") + " WHERE p50 IS NULL")).isEqualTo(List.of(List.of("io_device_ns")));
    }

    /** What is missing is said, and the calls are there. */
    @Test
    void aMissingLogIsTold() throws Exception {
        Path session = nested("s.kview");
        Files.delete(session.resolve("latency.hlog"));
        export(session);
        assertCallsAreThoseOfTheList(session);
        assertThat(findings).anySatisfy(sentence -> assertThat(sentence).startsWith("The histograms are not whole: ").contains("latency.hlog"));
    }

    @Test
    void aFolderThatHoldsSomethingIsLeftAlone() throws Exception {
        Path session = nested("s.kview");
        Path mine = temp.resolve("tables/mine");
        Files.createDirectories(mine);
        assertThatThrownBy(() -> export(session)).isInstanceOf(SessionException.class).hasMessageContaining("is not empty");
        assertThat(mine).exists();
    }

    /** The folder can be made, and its files can't, as their paths are too long. */
    @Test
    void whatCantBeWrittenLeavesNothing() throws Exception {
        Path session = nested("s.kview");
        Path parent = temp;
        while (parent.toString().length() < MOST_PATH - 250) {
            parent = parent.resolve("p".repeat(200));
        }
        Path tables = parent.resolve("t".repeat(MOST_PATH - 20 - parent.toString().length() - 1));
        try (SessionReader reader = SessionReader.open(session)) {
            assertThatThrownBy(() -> ParquetExport.write(reader, tables, _ -> { })).isInstanceOf(SessionException.class)
                    .hasMessageContaining("can't be exported to " + tables);
        }
        assertThat(parent).isEmptyDirectory();
    }
}
