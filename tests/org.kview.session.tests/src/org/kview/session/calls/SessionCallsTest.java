// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ctf.EventTrace;
import org.kview.ctf.PacketHeader;
import org.kview.ctf.calls.Call;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.report.TableStyle;
import org.kview.session.store.CallStores;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Golden;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** The calls of a real recording, and of what becomes of it. */
class SessionCallsTest {
    private static final int MANY = 100_000;

    @TempDir
    Path temp;

    /** The demo was recorded by an agent that wrote no names of threads. */
    private static final String UNNAMED = " calls have no thread name, so comparisons take an empty text: agents before 0.3 wrote no"
            + " names, and a thread may end before its name is read.";

    private List<String> findings = List.of();

    private List<String> tell(Path path, int keptRows, String filter, String sort, int top, CallForm form) throws Exception {
        try (SessionReader session = SessionReader.open(path)) {
            return tell(session, path, keptRows, filter, sort, top, form);
        }
    }

    private List<String> tell(SessionReader session, Path path, int keptRows, String filter, String sort, int top, CallForm form)
            throws Exception {
        List<String> lines = new ArrayList<>();
        CallQuery query = new CallQuery(CallFilter.parse(filter), Optional.empty(), CallOrder.parse(sort),
                top == 0 ? OptionalInt.empty() : OptionalInt.of(top));
        SessionCalls calls = SessionCalls.of(session, path, CallStores.none(), keptRows);
        calls.tell(query, form, line -> line.isEmpty() || lines.add(line), _ -> { });
        findings = calls.findings();
        return lines;
    }

    private List<JsonNode> json(Path path, int keptRows, String filter, String sort, int top) throws Exception {
        List<JsonNode> rows = new ArrayList<>();
        for (String line : tell(path, keptRows, filter, sort, top, CallForm.json())) {
            rows.add(new ObjectMapper().readTree(line));
        }
        return rows;
    }

    /** Counts, sums, maxima and every bucket: each call is told once, with what the histograms were told of it. */
    @Test
    void itsCallsAreThoseThatTheReportCounts() throws Exception {
        Path demo = Demo.in(temp);
        List<JsonNode> rows = json(demo, MANY, "wall >= 0", "wall", 0);
        assertThat(findings).singleElement().asString().endsWith(UNNAMED);
        try (SessionReader session = SessionReader.open(demo)) {
            assertThat(session.snapshot().functions()).hasSize(4);
            for (FunctionLatency latency : session.snapshot().functions()) {
                List<JsonNode> own = rows.stream().filter(row -> row.get("function").asText().equals(latency.function().name()))
                        .toList();
                assertSame(latency, Metric.WALL, own.stream().mapToLong(row -> row.get("wall_ns").asLong()).toArray());
                assertSame(latency, Metric.ON_CPU, own.stream().mapToLong(row -> row.get("on_cpu_ns").asLong()).toArray());
                for (Metric cause : Metric.CAUSES) {
                    assertSame(latency, cause, own.stream().filter(row -> row.get("off_cpu_ns").has(cause.id()))
                            .mapToLong(row -> row.get("off_cpu_ns").get(cause.id()).asLong()).toArray());
                }
            }
            assertThat(rows).hasSize((int) session.snapshot().functions().stream().mapToLong(f -> f.wall().count()).sum());
        }
    }

    private static void assertSame(FunctionLatency latency, Metric metric, long[] nanos) {
        Distribution.Builder told = new Distribution.Builder();
        Arrays.stream(nanos).forEach(told::add);
        assertThat(told.build()).as(latency.function().name() + " " + metric).isEqualTo(latency.distribution(metric));
    }

    @Test
    void theTableIsAsKept() throws Exception {
        Golden.assertSame(getClass(), "demo-calls.txt", String.join("", tell(Demo.in(temp), MANY, "wall >= 0", "wall", 12,
                CallForm.table(TableStyle.PLAIN))));
    }

    @Test
    void csvIsAsKept() throws Exception {
        Golden.assertSame(getClass(), "demo-calls.csv", String.join("", tell(Demo.in(temp), MANY, "lock > 20ms", "start", 0,
                CallForm.csv())));
    }

    @Test
    void jsonIsAsKept() throws Exception {
        Golden.assertSame(getClass(), "demo-calls.jsonl", String.join("", tell(Demo.in(temp), MANY, "lock > 20ms", "start", 0,
                CallForm.json())));
    }

    @Test
    void aFilterTakesThoseOfWhichItIsTrue() throws Exception {
        Path demo = Demo.in(temp);
        List<JsonNode> all = json(demo, MANY, "wall >= 0", "start", 0);
        List<JsonNode> some = json(demo, MANY, "wall > 10ms && cause == lock", "start", 0);
        assertThat(some).hasSizeGreaterThan(10).isEqualTo(all.stream().filter(row -> row.get("wall_ns").asLong() > 10_000_000
                && row.get("cause").asText().equals("lock")).toList());
        assertThat(json(demo, MANY, "wall > 1000s", "wall", 0)).isEmpty();
        assertThat(tell(demo, MANY, "wall > 1000s", "wall", 0, CallForm.table(TableStyle.PLAIN))).singleElement().asString()
                .startsWith("time UTC");
        assertThat(findings).singleElement().asString().endsWith(UNNAMED);
    }

    /** Whether calls fit in memory changes nothing but the time that sorting takes. */
    @Tag("slow")
    @Test
    void anyOrderIsTheSameOutOfMemory() throws Exception {
        Path demo = Demo.unpackedIn(temp);
        // Opened once for all orders: to unpack and open it took a fifth of this test.
        try (SessionReader session = SessionReader.open(demo)) {
            for (CallColumn column : CallColumn.columns()) {
                for (String direction : List.of(":asc", ":desc")) {
                    String order = column.name() + direction;
                    List<String> kept = tell(session, demo, MANY, "wall >= 0", order, 0, CallForm.csv());
                    assertThat(kept).hasSizeGreaterThan(400);
                    assertThat(tell(session, demo, 50, "wall >= 0", order, 0, CallForm.csv())).as(order).isEqualTo(kept);
                    for (int keptRows : List.of(MANY, 50)) {
                        assertThat(tell(session, demo, keptRows, "wall >= 0", order, 70, CallForm.csv()))
                                .isEqualTo(kept.subList(0, 71));
                    }
                }
            }
        }
    }

    @Test
    void byStartTheyComeWhileTheTraceIsRead() throws Exception {
        Path demo = Demo.in(temp);
        List<JsonNode> rows = json(demo, MANY, "wall >= 0", "start", 0);
        assertThat(rows).isSortedAccordingTo(Comparator.comparingLong(row -> row.get("start_ns").asLong()));
        long[] read = {0};
        List<String> lines = new ArrayList<>();
        try (SessionReader session = SessionReader.open(demo)) {
            SessionCalls.of(session, demo).tell(new CallQuery(CallFilter.ALL, Optional.of("fetch_*"), CallOrder.parse("start"),
                    OptionalInt.of(3)), CallForm.json(), line -> line.isEmpty() || lines.add(line), calls -> read[0] = calls);
        }
        assertThat(lines).hasSize(3).allMatch(line -> line.contains("\"fetch_rates\""));
    }

    private static CallRow row(CallHost host, String thread, long wallNanos) {
        return new CallRow(host, new Call(1, 2, OptionalInt.empty(), 0, new Call.Caller(1, thread), 0, 0, Optional.empty(),
                new Call.Times(wallNanos, wallNanos, List.of(), 0), Optional.empty()));
    }

    /** However the process ends. */
    @Test
    void theTemporaryFileHasNoNameWhileItIsUsed() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("spill"));
        Path demo = Demo.in(temp);
        List<Long> sorted = new ArrayList<>();
        try (SessionReader session = SessionReader.open(demo)) {
            CallHost host = new CallHost(0, session.events().getFirst());
            try (CallSorter sorter = new CallSorter(CallOrder.parse("wall").comparator(), List.of(host), 2, folder)) {
                for (long wall = 1; wall <= 7; wall++) {
                    sorter.add(row(host, "", wall));
                    assertThat(folder).isEmptyDirectory();
                }
                sorter.drain(row -> sorted.add(row.call().wallNanos()));
            }
        }
        assertThat(sorted).containsExactly(7L, 6L, 5L, 4L, 3L, 2L, 1L);
    }

    @Test
    void whatIsSortedWhereThereIsNoFolderIsRefusedWithASentence() throws Exception {
        Path demo = Demo.in(temp);
        try (SessionReader session = SessionReader.open(demo)) {
            CallHost host = new CallHost(0, session.events().getFirst());
            try (CallSorter sorter = new CallSorter(CallOrder.parse("wall").comparator(), List.of(host), 1, temp.resolve("none"))) {
                assertThatThrownBy(() -> sorter.add(row(host, "", 1))).isInstanceOf(SessionException.class)
                        .hasMessageContaining("does not exist").hasMessageContaining("--top N");
            }
        }
    }

    @Test
    void withoutEventsASentenceSaysWhatToDo() throws Exception {
        Path path = temp.resolve("a.kview");
        try (SessionWriter writer = SessionWriter.create(path, SampleRecording.INFO, SampleRecording.functions(), Optional.empty())) {
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        assertThatThrownBy(() -> tell(path, MANY, "wall >= 0", "wall", 0, CallForm.csv())).isInstanceOf(SessionException.class)
                .hasMessageEndingWith("was recorded without events, so it has no single calls: record again with --events");
    }

    @Test
    void aFunctionThatNoneHasIsRefusedWithThoseThereAre() throws Exception {
        Path demo = Demo.in(temp);
        try (SessionReader session = SessionReader.open(demo)) {
            CallQuery query = new CallQuery(CallFilter.ALL, Optional.of("Price_*"), CallOrder.parse("wall"), OptionalInt.empty());
            assertThatThrownBy(() -> SessionCalls.of(session, demo).tell(query, CallForm.csv(), _ -> true, _ -> { }))
                    .isInstanceOf(SessionException.class).hasMessageContaining("matches 'Price_*'; it measured ")
                    .hasMessageContaining("price_basket");
        }
    }

    @Test
    void whatWasCutOffIsToldInNumbers() throws Exception {
        Path session = Demo.unpackedIn(temp);
        List<String> whole = tell(session, MANY, "wall >= 0", "wall", 0, CallForm.csv());
        assertThat(findings).singleElement().asString().endsWith(UNNAMED);
        Path stream = session.resolve("trace/cpu_0");
        ByteBuffer packets = ByteBuffer.wrap(Files.readAllBytes(stream));
        int first = (int) PacketHeader.parse(packets).orElseThrow().packetBytes();
        Files.write(stream, Arrays.copyOf(packets.array(), first + 100));
        List<JsonNode> rest = json(session, MANY, "wall >= 0", "start", 0);
        assertThat(rest).hasSizeBetween(20, whole.size() - 2).isSortedAccordingTo(
                Comparator.comparingLong(row -> row.get("start_ns").asLong()));
        int missing = whole.size() - 1 - rest.size();
        assertThat(findings).anyMatch(sentence -> sentence.startsWith("trace/cpu_0 is damaged: "))
                .contains(missing + " of the " + (whole.size() - 1) + " calls that ended are not in the trace, so they are not"
                        + " listed; the report counts them.",
                        "As events are missing, which call encloses another one and who woke a thread is not certain: parent and"
                                + " waker are left empty.");
        assertThat(rest).noneMatch(row -> row.has("parent") || row.has("waker"));
    }

    /** A real trace in a session that says how many events it could not keep. */
    @Test
    void eventsThatWereDroppedAreToldOf() throws Exception {
        Path path = temp.resolve("lossy.kview");
        try (SessionReader demo = SessionReader.open(Demo.in(temp))) {
            Path trace = demo.trace().orElseThrow();
            try (SessionWriter writer = SessionWriter.create(path, SampleRecording.INFO, SampleRecording.functions(),
                    Optional.of(Files.readString(trace.resolve(EventTrace.METADATA))))) {
                ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(trace.resolve(EventTrace.STREAM_PREFIX + 0)));
                while (in.hasRemaining()) {
                    int bytes = (int) PacketHeader.parse(in).orElseThrow().packetBytes();
                    writer.appendPacket(0, in.slice(in.position(), bytes), 1);
                    in.position(in.position() + bytes);
                }
                writer.append(Recorded.interval(0, 1_000_000_000L, List.of(), new Losses(7, 0, 0, 0, 0), true));
                writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
            }
        }
        assertThat(tell(path, MANY, "wall >= 0", "start", 0, CallForm.csv())).hasSizeGreaterThan(100);
        assertThat(findings).contains("7 events were lost and are not in the trace; histograms are complete.")
                .anyMatch(sentence -> sentence.startsWith("As events are missing"));
        // A bit within a packet, of which its checksum tells.
        Path stream = path.resolve("trace/cpu_0");
        byte[] bytes = Files.readAllBytes(stream);
        bytes[bytes.length / 2] ^= 0x40;
        Files.write(stream, bytes);
        tell(path, MANY, "wall >= 0", "start", 0, CallForm.csv());
        assertThat(findings).anyMatch(sentence -> sentence.startsWith("trace/cpu_0 is damaged: 1 of its "));
    }

    /** For people beside the output, whatever its form; for programs in each row that is concerned. */
    @Test
    void whatHasToBeKnownOfAFunctionIsToldWithItsCalls() throws Exception {
        Path marked = Demo.markedIn(temp);
        String note = "price_basket: its time is only that until it goes on to settle.";
        List<JsonNode> rows = json(marked, MANY, "wall >= 0", "wall", 0);
        assertThat(findings).containsOnlyOnce(note).last().isEqualTo(note);
        assertThat(rows).allSatisfy(row -> assertThat(row.path("marks").toString()).as(row.get("function").asText())
                .isEqualTo(row.get("function").asText().equals("price_basket") ? "[\"until it goes on to settle\"]" : ""));
        assertThat(rows).anyMatch(row -> row.has("marks")).anyMatch(row -> !row.has("marks"));
        // A stranger reads the others by their columns.
        for (CallForm form : List.of(CallForm.csv(), CallForm.table(TableStyle.PLAIN))) {
            assertThat(String.join("", tell(marked, 50, "function == \"price_basket\"", "start", 3, form))).doesNotContain("settle");
            assertThat(findings).contains(note);
        }
        tell(marked, MANY, "function == \"flush_cache\"", "wall", 0, CallForm.csv());
        assertThat(findings).as("none of its calls is told").doesNotContain(note);
    }

    @Test
    void whichHostsFunctionItIsIsTold() throws Exception {
        Path session = Demo.twoHostsIn(temp);
        Path marked = Demo.markedIn(temp);
        String json = Files.readString(marked.resolve("session.json")).replace("\"target\" : \"local\"", "\"target\" : \"web-2\"");
        Files.writeString(session.resolve("hosts/2-web-2/session.json"), json);
        List<JsonNode> rows = json(session, MANY, "wall >= 0", "wall", 0);
        assertThat(findings).filteredOn(sentence -> sentence.contains("settle"))
                .containsExactly("web-2: price_basket: its time is only that until it goes on to settle.");
        assertThat(rows.stream().filter(row -> row.has("marks")).map(row -> row.get("target").asText() + " "
                + row.get("function").asText()).distinct()).containsExactly("web-2 price_basket");
    }

    @Test
    void aHostWhoseTraceIsBeyondUseIsMissed() throws Exception {
        Path session = Demo.twoHostsIn(temp);
        List<String> both = tell(session, MANY, "wall >= 0", "wall", 0, CallForm.table(TableStyle.PLAIN));
        assertThat(both.getFirst()).startsWith("target  time UTC");
        int calls = (both.size() - 1) / 2;
        Files.delete(session.resolve("hosts/2-web-2/trace/metadata"));
        List<String> one = tell(session, MANY, "wall >= 0", "wall", 0, CallForm.table(TableStyle.PLAIN));
        assertThat(one).hasSize(1 + calls);
        assertThat(one.getFirst()).startsWith("target  time UTC");
        assertThat(findings).anyMatch(sentence -> sentence.endsWith(": None of its " + calls
                + " calls is listed, as its trace can't be read; the report counts them."));
    }

    @Test
    void aSessionOfWhichNoEventIsLeftIsRefused() throws Exception {
        Path session = Demo.unpackedIn(temp);
        Files.delete(session.resolve("trace/metadata"));
        assertThatThrownBy(() -> tell(session, MANY, "wall >= 0", "wall", 0, CallForm.csv())).isInstanceOf(SessionException.class)
                .hasMessageMatching("None of the \\d+ calls of .*demo.kview can be listed: no events are left that can be read. "
                        + "trace/metadata is missing: the trace can't be read. 'kview report' shows what was counted of them");
    }

    /** A made-up name would be in each row. */
    @Test
    void aNameIsNotTakenAtAnyLength() {
        assertThat(CallHost.shown("a".repeat(50_000))).hasSize(10_001).endsWith("…");
    }

    @Test
    void aTraceThatIsNoneIsRefused() throws Exception {
        Path path = temp.resolve("b.kview");
        SampleRecording.record(path);
        assertThatThrownBy(() -> tell(path, MANY, "wall >= 0", "wall", 0, CallForm.csv())).isInstanceOf(SessionException.class)
                .hasMessageEndingWith("it is not a trace that Kview recorded");
    }

    /** Names from a host can't be commands to a spreadsheet or a terminal, and stay whole in JSON. */
    @Test
    void namesAreHarmless() throws Exception {
        try (SessionReader session = SessionReader.open(Demo.in(temp))) {
            CallHost host = new CallHost(0, session.events().getFirst());
            CallRow row = row(host, "=a\u001b[1m\"\\,\n", 1);
            assertThat(CallForm.csv().row(row)).contains(",\"'=a\uFFFD[1m\"\"\\,\uFFFD\",").endsWith("\r\n").hasLineCount(1);
            String json = CallForm.json().row(row);
            assertThat(json).doesNotContain("\u001b").hasLineCount(1);
            assertThat(new ObjectMapper().readTree(json).get("thread").asText()).isEqualTo("=a\u001b[1m\"\\,\n");
            CallForm table = CallForm.table(new TableStyle(80, false, false));
            assertThat(table.header(List.of(host), false) + table.row(row)).doesNotContain("\u001b").hasLineCount(2)
                    .matches(text -> text.chars().allMatch(c -> c < 0x7f));
        }
    }

    @Test
    void exactTimesAreDecimals() {
        assertThat(Decimals.micros(41_234_567)).isEqualTo("41234.567");
        assertThat(Decimals.micros(7)).isEqualTo("0.007");
        assertThat(Decimals.seconds(-5)).isEqualTo("-0.000000005");
        assertThat(Decimals.seconds(Long.MIN_VALUE)).isEqualTo("-9223372036.854775808");
        assertThat(MomentText.iso().of(-1)).isEqualTo("1969-12-31T23:59:59.999999999Z");
        assertThat(MomentText.ofDay().of(0)).isEqualTo("00:00:00.000000000");
    }
}
