// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.CallFates;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.Impossible;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.model.Verdict;
import org.kview.session.SampleRecording;
import org.kview.session.json.ValuesJson;
import org.kview.session.read.SessionReader;
import org.kview.session.repair.SalvagedSession;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;

/** Hits of tracepoints are told as what they are: how many, how often, and the time between, and never as times of calls. */
class TracepointsTest {
    private static final ProbePoint.Tracepoint SWITCH = new ProbePoint.Tracepoint("sched", "sched_switch");
    private static final int HITS = 1;
    /** Outside quotes. */
    private static final String COMMA = ",(?=([^\"]*\"[^\"]*\")*[^\"]*$)";

    @TempDir
    Path temp;

    private Path session;
    private LatencySnapshot written;

    /** A function that was called twice, and a tracepoint that three hits of two threads came to, so that one has a time before it. */
    @BeforeEach
    void record() throws Exception {
        record(List.of(function(0), tracepoint(HITS)));
    }

    private static ProbedFunction function(int id) {
        return ProbedFunction.of(id, "pay", new ProbePoint.UserFunction("/usr/bin/shop", "pay", 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS);
    }

    private static ProbedFunction tracepoint(int id) {
        return ProbedFunction.of(id, SWITCH.label(), SWITCH, Mechanism.TRACEPOINT, ProbedFunction.OF_HITS);
    }

    private void record(List<ProbedFunction> functions) throws Exception {
        session = temp.resolve("hits" + functions.size() + ".kview");
        Distribution calls = new Distribution.Builder().add(3_000_000).add(5_000_000).build();
        Distribution between = new Distribution.Builder().add(70_000_000).build();
        List<FunctionInterval> figures = new ArrayList<>();
        for (ProbedFunction function : functions) {
            CallFates fates = Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 900, Optional.empty());
            figures.add(function.countsHits() ? new FunctionInterval(function.id(), 3, 0, 0, Optional.of(fates), Map.of(Metric.BETWEEN, between))
                    : new FunctionInterval(function.id(), 2, 0, 0, Optional.of(fates), Map.of(Metric.WALL, calls, Metric.ON_CPU, calls)));
        }
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, functions, Optional.empty())) {
            writer.append(new LatencyInterval(0, 500_000_000, figures, Losses.NONE, new ProcessShare(2400, 1_000_000_000), true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
    }

    private LatencySnapshot read() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    private FunctionLatency hits() throws Exception {
        return read().functions().get(HITS);
    }

    private static List<String> lines(String text) {
        return Arrays.stream(text.split("\\R")).map(String::stripTrailing).toList();
    }

    /** A hit counts as halfway between two prices: that is no exact figure of what was paid. */
    @Test
    void whatTheirProbesTookIsSaidToBeAnEstimate() throws Exception {
        ProbedFunction priced = new ProbedFunction(HITS, SWITCH.label(), SWITCH, Mechanism.TRACEPOINT, ProbedFunction.OF_HITS,
                ProbedFunction.Ends.UNKNOWN, new ProbedFunction.Cost(0, 800), 0);
        record(List.of(function(0)));
        assertThat(TableReport.of(read(), TableStyle.PLAIN)).contains("The probes took 0.0 % of the 1.00 s").doesNotContain("an estimate");
        record(List.of(function(0), priced, function(2)));
        assertThat(TableReport.of(read(), TableStyle.PLAIN)).contains("The probes took about 0.0 % of the 1.00 s",
                "That is an estimate: a hit or call counts as");
    }

    @Test
    void theyComeBackAsTheyWere() throws Exception {
        assertThat(read().problems()).isEmpty();
        assertThat(read().functions()).isEqualTo(written.functions());
        assertThat(hits().calls()).isEqualTo(3);
        assertThat(hits().between().count()).isEqualTo(1);
        assertThat(hits().wall().isEmpty()).isTrue();
    }

    /** One that takes them for calls would say that these do not add up. */
    @Test
    void onlyANewerReaderOpensThem() throws Exception {
        assertThat(ValuesJson.MAPPER.readTree(session.resolve("session.json").toFile()).get("schema").asText()).isEqualTo("kview-session/3");
        record(List.of(function(0)));
        assertThat(ValuesJson.MAPPER.readTree(session.resolve("session.json").toFile()).get("schema").asText()).isEqualTo("kview-session/1");
    }

    @Test
    void theLogAloneTellsThem() throws Exception {
        Files.delete(session.resolve("session.json"));
        FunctionLatency salvaged = SalvagedSession.read(session).functions().get(HITS);
        assertThat(salvaged.function().point()).isEqualTo(SWITCH);
        assertThat(salvaged.function().countsHits()).isTrue();
        assertThat(salvaged.calls()).as("those with a time before them, at least").isEqualTo(1);
    }

    /** As the first version recorded it that could. */
    @Test
    void aKeptRecordingOpens() throws Exception {
        session = temp.resolve("tracepoints.kview.zip");
        try (InputStream in = TracepointsTest.class.getResourceAsStream("data/tracepoints.kview.zip")) {
            Files.copy(in, session);
        }
        assertThat(read().problems()).isEmpty();
        assertThat(read().functions()).extracting(f -> f.function().name(), FunctionLatency::calls, f -> f.between().count(), f -> f.wall().count())
                .containsExactly(tuple("tracepoint:syscalls:sys_enter_write", 4000L, 3999L, 0L), tuple("tracepoint:task:task_rename", 0L, 0L, 0L),
                        tuple("syscall:write", 4000L, 0L, 4000L));
        assertThat(TableReport.of(read(), TableStyle.PLAIN)).contains("tracepoint:task:task_rename was never hit.");
    }

    /** They neither are unfinished nor can they contradict each other. */
    @Test
    void nothingIsMadeOfThemThatIsSaidOfCalls() throws Exception {
        assertThat(hits().unaccountedCalls()).isZero();
        assertThat(Impossible.mark(hits())).isEmpty();
        assertThat(Verdict.of(hits()).share()).isZero();
        assertThat(Verdict.of(hits()).text()).isEqualTo("time between a thread's hits: p50 70.0 ms, p99 70.0 ms");
        assertThat(FunctionNotes.of(hits())).isEmpty();
        assertThat(RecordingNotes.of(read())).isEmpty();
    }

    @Test
    void theTableHasLinesOfTheirOwn() throws Exception {
        List<String> table = lines(TableReport.of(read(), TableStyle.PLAIN));
        int head = table.indexOf(table.stream().filter(line -> line.startsWith("Tracepoint")).findFirst().orElseThrow());
        assertThat(table.get(head)).matches("Tracepoint +Hits +Hits/s +Between +p50 +p99 +max");
        assertThat(table.get(head + 1)).matches("tracepoint:sched:sched_switch +3 +6.00 +70.0 ms +70.0 ms +70.0 ms");
        assertThat(table.stream().filter(line -> line.startsWith("pay")).findFirst()).get().asString().contains("3.01 ms", "5.00 ms");
        assertThat(table.stream().takeWhile(line -> !line.startsWith("Tracepoint"))).noneMatch(line -> line.contains("sched_switch"));
        assertThat(String.join(" ", table)).contains("a thread's first hit has none before it");
    }

    @Test
    void thereNeedBeNothingElse() throws Exception {
        record(List.of(tracepoint(0)));
        String table = TableReport.of(read(), TableStyle.PLAIN);
        assertThat(table).doesNotContain("Function ", "Wall p50", "No function", "of all threads, with what else").contains("Hits/s");
        assertThat(HtmlReport.of(read())).doesNotContain("Wall p50").contains("Time between a thread's hits");
    }

    @Test
    void programsGetThemByNamesOfTheirOwn() throws Exception {
        JsonNode function = ValuesJson.MAPPER.readTree(JsonReport.of(read())).get("functions").get(HITS);
        assertThat(function.get("point").toString())
                .isEqualTo("{\"kind\":\"tracepoint\",\"category\":\"sched\",\"name\":\"sched_switch\"}");
        assertThat(function.get("measured").toString()).isEqualTo("[\"between\"]");
        assertThat(function.get("calls").asInt()).isEqualTo(3);
        assertThat(function.get("hits_per_s").asDouble()).isEqualTo(6);
        assertThat(function.get("between").get("count").asInt()).isEqualTo(1);
        assertThat(function.get("between").get("max_ns").asLong()).isEqualTo(70_000_000);
        assertThat(function.get("wall").isNull()).isTrue();
        assertThat(function.get("on_cpu").isNull()).isTrue();
        assertThat(function.get("off_cpu")).allMatch(JsonNode::isNull);
        JsonNode pay = ValuesJson.MAPPER.readTree(JsonReport.of(read())).get("functions").get(0);
        assertThat(pay.has("between") || pay.has("hits_per_s")).isFalse();
    }

    @Test
    void spreadsheetsHaveThemInTheLastColumns() throws Exception {
        List<String> csv = lines(CsvReport.of(read()));
        List<String> names = List.of(csv.getFirst().split(COMMA, -1));
        List<String> fields = List.of(csv.get(1 + HITS).split(COMMA, -1));
        assertThat(fields).hasSameSizeAs(names);
        assertThat(names.indexOf("hits_per_s")).isEqualTo(names.indexOf("host") + 1);
        assertThat(fields.get(names.indexOf("calls"))).isEqualTo("3");
        assertThat(fields.get(names.indexOf("wall_count"))).isEmpty();
        assertThat(fields.get(names.indexOf("hits_per_s"))).isEqualTo("6.0");
        assertThat(fields.get(names.indexOf("between_max_ns"))).isEqualTo("70000000");
        assertThat(csv.get(1).split(COMMA, -1)[names.indexOf("hits_per_s")]).isEmpty();
    }

    private static ProbedFunction staticProbe(int id) {
        ProbePoint.Usdt point = new ProbePoint.Usdt("/usr/bin/shop", "orders", "begin");
        return ProbedFunction.of(id, point.label(), point, Mechanism.TRAP, ProbedFunction.OF_HITS);
    }

    @Test
    void staticProbesAreToldByTheirOwnWord() throws Exception {
        record(List.of(staticProbe(0)));
        LatencySnapshot read = read();
        assertThat(read.functions().getFirst().function()).isEqualTo(staticProbe(0));
        assertThat(TableReport.of(read, TableStyle.PLAIN)).containsPattern("Static probe +Hits").containsPattern("usdt:shop:orders:begin +3 ")
                .contains("Of static probes hits").doesNotContain("racepoint");
        assertThat(HtmlReport.of(read)).contains(">Static probe<").doesNotContain("racepoint");
        Files.delete(session.resolve("session.json"));
        FunctionLatency salvaged = SalvagedSession.read(session).functions().getFirst();
        assertThat(salvaged.function().point()).isEqualTo(new ProbePoint.Usdt("shop", "orders", "begin"));
        assertThat(salvaged.calls()).isEqualTo(1);
    }

    @Test
    void pairsOfRequestsThatOverlapAreTold() throws Exception {
        String doubt = "if requests overlap on one thread";
        assertThat(RecordingNotes.of(pair(3, 4))).filteredOn(note -> note.contains(doubt)).singleElement().asString()
                .startsWith("Of pairs of static probes 3 begins were given up");
        assertThat(RecordingNotes.of(pair(3, 0))).noneMatch(note -> note.contains(doubt));
        assertThat(RecordingNotes.of(pair(0, 4))).noneMatch(note -> note.contains(doubt));
    }

    private static LatencySnapshot pair(long givenUp, long endsWithoutBegin) {
        ProbePoint.Usdt point = new ProbePoint.Usdt("/bin/shop", "shop", "begin..end");
        return new LatencySnapshot(Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO, SessionInfo.State.STOPPED, ""),
                List.of(new FunctionLatency(ProbedFunction.of(0, point.label(), point, Mechanism.TRAP, ProbedFunction.ALL_METRICS), givenUp, givenUp, 0, Map.of())),
                new Losses(0, 0, 0, 0, 0, endsWithoutBegin, 0, 0), Recorded.overhead(0, true), List.of());
    }

    @Test
    void bothKindsShareATable() throws Exception {
        record(List.of(function(0), staticProbe(1), tracepoint(2)));
        assertThat(TableReport.of(read(), TableStyle.PLAIN)).containsPattern("Point +Hits").contains("Of static probes", "Of tracepoints");
    }

    @Test
    void hostsAreAddedUp() throws Exception {
        LatencySnapshot both = MergedHosts.of(List.of(read(), read()));
        assertThat(both.functions().get(HITS).function().countsHits()).isTrue();
        assertThat(both.functions().get(HITS).calls()).isEqualTo(6);
        assertThat(TableReport.of(both, TableStyle.PLAIN)).containsPattern("sched_switch +6 ").containsPattern("local +3 +6.00 ");
    }

    /** After that nobody knows how many there were. */
    @Test
    void theRateIsThatOfTheTimeInWhichTheyWereCounted() throws Exception {
        var off = new CallFates.ProbesOff(1, "They took 9 %.", Optional.of(Duration.ofMillis(100)), 0.09);
        FunctionLatency early = new FunctionLatency(tracepoint(0), 3, 0, 0,
                Optional.of(Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 0, Optional.of(off))), Map.of());
        assertThat(Hits.perSecond(early, Duration.ofSeconds(1))).hasValue(30);
    }

    @Test
    void thoseWithoutATimeBeforeThemAreTold() throws Exception {
        FunctionLatency crowded = new FunctionLatency(tracepoint(0), 9, 0, 0,
                Optional.of(Recorded.fates(new LostCalls(0, 4, 0, 0, 0), 0, 0, 0, 0, 0, 0, Optional.empty())), Map.of());
        assertThat(FunctionNotes.of(crowded)).singleElement().asString().startsWith("4 of the hits have no time between them");
    }
}
