// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.chart.ChartTheme;
import org.kview.chart.Ink;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.testing.Golden;
import org.kview.testing.Recorded;
import org.w3c.dom.Document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

class ReportTest {
    private static final LatencySnapshot WHOLE = SampleRecording.snapshot(Losses.NONE, List.of());
    private static final LatencySnapshot LOSSY = SampleRecording.snapshot(new Losses(412, 1, 2, 3, 4),
            List.of("trace/cpu_1 is damaged: 1 of its 3 packets are lost."));

    private static JsonNode json(LatencySnapshot snapshot) throws IOException {
        return new ObjectMapper().readTree(JsonReport.of(snapshot));
    }

    private static Document parsed(String html) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
    }

    /** As if latency.hlog were gone. */
    private static LatencySnapshot withoutBuckets(LatencySnapshot snapshot) {
        List<FunctionLatency> functions = snapshot.functions().stream().map(f -> {
            Map<Metric, Distribution> totals = new EnumMap<>(Metric.class);
            f.distributions().forEach((metric, d) -> totals.put(metric, new Distribution.Builder()
                    .addTotals(d.count(), d.totalNanos(), d.maxNanos()).build()));
            return new FunctionLatency(f.function(), f.calls(), f.abandoned(), f.unfinished(), totals);
        }).toList();
        return new LatencySnapshot(snapshot.info(), functions, snapshot.losses(), snapshot.overhead(),
                List.of("latency.hlog is missing."));
    }

    private static LatencySnapshot named(String... names) {
        List<FunctionLatency> functions = new ArrayList<>();
        for (String name : names) {
            FunctionLatency f = WHOLE.functions().get(0);
            functions.add(new FunctionLatency(SampleRecording.functions().get(0), f.calls(), 0, 0, f.distributions()));
            int id = functions.size() - 1;
            ProbedFunction probed = Recorded.function(id, name, name, "/bin/" + id, 0, 0, 0,
                    ProbedFunction.ExitKind.UNKNOWN, 0, 0);
            functions.set(id, new FunctionLatency(probed, f.calls(), 0, 0, f.distributions()));
        }
        return new LatencySnapshot(WHOLE.info(), functions, Losses.NONE, Recorded.overhead(0, false), List.of());
    }

    @Test
    void jsonIsAsKept() throws IOException {
        Golden.assertSame(getClass(), "sample.json", JsonReport.of(WHOLE));
    }

    @Test
    void csvIsAsKept() throws IOException {
        Golden.assertSame(getClass(), "sample.csv", CsvReport.of(WHOLE));
    }

    @Test
    void tableIsAsKept() throws IOException {
        Golden.assertSame(getClass(), "sample.txt", TableReport.of(WHOLE, TableStyle.PLAIN));
        Golden.assertSame(getClass(), "lossy.txt", TableReport.of(LOSSY, new TableStyle(100, false, false)));
    }

    @Test
    void pageIsAsKept() throws IOException {
        Golden.assertSame(getClass(), "sample.html", HtmlReport.of(WHOLE));
    }

    @Test
    void jsonHasEveryCauseAndTimesThatAddUp() throws IOException {
        JsonNode report = json(WHOLE);
        assertThat(report.get("schema").textValue()).isEqualTo("kview-report/1");
        assertThat(report.has("problems")).isFalse();
        for (JsonNode function : report.get("functions")) {
            JsonNode causes = function.get("off_cpu");
            assertThat(names(causes)).containsExactly("run_queue", "preempted", "block_io", "lock", "sleep", "network",
                    "page_fault", "steal", "throttled", "stopped", "other");
            long sum = function.get("on_cpu").get("total_ns").longValue();
            for (JsonNode cause : causes) {
                assertThat(names(cause)).containsExactly("count", "total_ns", "mean_ns", "p50_ns", "p90_ns", "p99_ns",
                        "max_ns");
                sum += cause.get("total_ns").longValue();
            }
            assertThat(function.get("wall").get("total_ns").longValue()).isEqualTo(sum);
        }
        assertThat(report.get("functions").get(0).get("off_cpu").get("sleep").get("count").longValue()).isZero();
        assertThat(names(report.get("losses"))).contains("events_dropped", "missed_returns", "depth_overflows",
                "healed_switches");
    }

    private static List<String> names(JsonNode node) {
        List<String> names = new ArrayList<>();
        for (Iterator<String> i = node.fieldNames(); i.hasNext();) {
            names.add(i.next());
        }
        return names;
    }

    @Test
    void percentilesThatWereLostAreNeverANumber() throws IOException {
        LatencySnapshot lost = withoutBuckets(WHOLE);
        JsonNode wall = json(lost).get("functions").get(0).get("wall");
        assertThat(wall.get("p50_ns").isNull()).isTrue();
        assertThat(wall.get("p99_ns").isNull()).isTrue();
        assertThat(wall.get("mean_ns").longValue()).isPositive();
        assertThat(wall.get("max_ns").longValue()).isPositive();
        assertThat(json(lost).get("problems").get(0).textValue()).isEqualTo("latency.hlog is missing.");
        assertThat(json(lost).get("functions").get(0).get("off_cpu").get("sleep").get("p50_ns").longValue()).isZero();
        assertThat(CsvReport.of(lost).lines().skip(1).findFirst().orElseThrow()).contains(",,,,");
        assertThat(TableReport.of(lost, TableStyle.PLAIN)).contains("        ?");
        assertThat(HtmlReport.of(lost)).contains("<td class=\"n\">?</td>", "The distribution is lost");
    }

    @Test
    void lossesAndProblemsComeFirst() {
        List<String> sentences = List.of("trace/cpu_1 is damaged", "412 events were lost", "1 return was not reported",
                "2 calls were nested too deep", "4 calls were not measured");
        String table = TableReport.of(LOSSY, TableStyle.PLAIN);
        String page = HtmlReport.of(LOSSY);
        for (String sentence : sentences) {
            assertThat(table.indexOf(sentence)).isBetween(0, table.indexOf("Function"));
            assertThat(page.indexOf(sentence)).isBetween(0, page.indexOf("<table"));
        }
        assertThat(TableReport.of(WHOLE, TableStyle.PLAIN)).doesNotContain("!!");
    }

    @Test
    void aRecordingThatDidNotEndWellSaysSo() {
        SessionInfo i = WHOLE.info();
        for (State state : State.values()) {
            SessionInfo info = Recorded.info(i.target(), i.host(), i.kernel(), i.pid(), i.command(), i.filter(),
                    i.filterNote(), i.start(), i.duration(), state, state == State.FAILED ? "The host went away." : "");
            String table = TableReport.of(new LatencySnapshot(info, WHOLE.functions(), Losses.NONE, WHOLE.overhead(),
                    List.of()), TableStyle.PLAIN);
            assertThat(table.contains("!!")).isEqualTo(state == State.FAILED || state == State.RECORDING);
            assertThat(table.contains("The host went away.")).isEqualTo(state == State.FAILED);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 100, 120, 140})
    void theTableFitsItsTerminal(int width) {
        for (boolean colour : new boolean[] {false, true}) {
            for (String line : TableReport.of(LOSSY, new TableStyle(width, colour, true)).split("\n")) {
                String visible = line.replaceAll("\u001b\\[[0-9;]*m", "");
                assertThat(visible.length()).isLessThanOrEqualTo(Math.max(width, TableStyle.LEAST_WIDTH));
            }
        }
        assertThat(TableReport.of(LOSSY, new TableStyle(width, false, false))).matches("[\\x00-\\x7f]*");
    }

    @Test
    void thoseThatTookMostTimeComeFirst() {
        String table = TableReport.of(WHOLE, TableStyle.PLAIN);
        assertThat(table.indexOf("flush_cache")).isLessThan(table.indexOf("price_basket"));
    }

    @Test
    void namesFromBinariesCantSteerWhatShowsThem() throws Exception {
        String hostile = "f<script>alert(1)</script>\u001b[2J\u202e\"'&\r\n\u0000";
        LatencySnapshot snapshot = named(hostile, "=HYPERLINK(\"http://x\")", "a,b\"c\"");
        String html = HtmlReport.of(snapshot);
        Document page = parsed(html);
        assertThat(page.getElementsByTagName("script").getLength()).isZero();
        assertThat(html).contains("default-src 'none'").doesNotContain("http-equiv=\"refresh\"");
        assertThat(html.replace("http://www.w3.org/2000/svg", "").replace("http://x", "")).doesNotContain("://");
        for (boolean colour : new boolean[] {false, true}) {
            String table = TableReport.of(snapshot, new TableStyle(100, colour, true));
            assertThat(table).doesNotContain("\u001b[2J", "\u202e", "\u0000", "\r");
        }
        List<String> csv = CsvReport.of(snapshot).lines().toList();
        assertThat(CsvReport.of(snapshot)).contains("\"'=HYPERLINK(\"\"http://x\"\")\"", "\"a,b\"\"c\"\"\"");
        assertThat(csv).anyMatch(line -> line.startsWith("\"a,b"));
    }

    /** 46 ms on a CPU, 34 preempted, 20 in the run queue: 54 % of both waits, and 46 %. */
    @Test
    void partsAreNotListedOnceMoreBesideTheVerdictThatTellsThem() {
        Map<Metric, Distribution> parts = new EnumMap<>(Metric.class);
        Map.of(Metric.WALL, 100_000_000, Metric.ON_CPU, 46_000_000, Metric.PREEMPTED, 34_000_000,
                Metric.RUN_QUEUE, 20_000_000).forEach((metric, nanos) ->
                        parts.put(metric, new Distribution.Builder().add(nanos).build()));
        LatencySnapshot contended = new LatencySnapshot(WHOLE.info(), List.of(new FunctionLatency(
                SampleRecording.functions().getFirst(), 1, 0, 0, parts)), Losses.NONE, WHOLE.overhead(), List.of());
        assertThat(TableReport.of(contended, TableStyle.PLAIN).lines())
                .contains("    competes for a CPU: 54 % of its time  ·  on-CPU 46 %");
    }

    @Test
    void sameNamesAreToldApart() {
        String table = TableReport.of(named("f", "f", "g"), TableStyle.PLAIN);
        assertThat(table).contains("f (/bin/0)", "f (/bin/1)").doesNotContain("g (/bin");
    }

    @Test
    void aPageOfManyFunctionsStaysReasonable() throws Exception {
        String[] names = new String[400];
        for (int i = 0; i < names.length; i++) {
            names[i] = "function_" + i;
        }
        String html = HtmlReport.of(named(names));
        assertThat(html.length()).isLessThan(5_000_000);
        Document page = parsed(html);
        assertThat(page.getElementsByTagName("section").getLength()).isEqualTo(50);
        assertThat(html).contains("function_399", "Pictures of the 50 functions");
    }

    private static int heightWithNeverCalled(int number) throws Exception {
        List<FunctionLatency> functions = new java.util.ArrayList<>(WHOLE.functions());
        for (int i = 0; i < number; i++) {
            ProbedFunction never = Recorded.function(100 + i, "never_" + i, "never_" + i, "/bin/x", 1, 1, 1,
                    ProbedFunction.ExitKind.UNKNOWN, 0, 0);
            functions.add(new FunctionLatency(never, 0, 0, 0, Map.of()));
        }
        LatencySnapshot snapshot = new LatencySnapshot(WHOLE.info(), functions, WHOLE.losses(), WHOLE.overhead(), List.of());
        return ImageIO.read(new ByteArrayInputStream(PictureReport.png(snapshot, ChartTheme.LIGHT))).getHeight();
    }

    @Test
    void aPictureHasOneLineForAllThatWereNeverCalled() throws Exception {
        int none = heightWithNeverCalled(0);
        int one = heightWithNeverCalled(1);
        assertThat(one).isGreaterThan(none);
        assertThat(heightWithNeverCalled(25)).isEqualTo(one);
    }

    @Test
    void picturesAreDrawnInBothThemes() throws Exception {
        for (ChartTheme theme : ChartTheme.values()) {
            for (LatencySnapshot snapshot : List.of(WHOLE, LOSSY, withoutBuckets(WHOLE), named())) {
                var image = ImageIO.read(new ByteArrayInputStream(PictureReport.png(snapshot, theme)));
                assertThat(image.getWidth()).isEqualTo(2800);
                assertThat(image.getRGB(1, 1) & 0xFFFFFF)
                        .isEqualTo(theme.rgb(Ink.Tone.BACKGROUND));
                assertThat(image.getHeight()).isBetween(200, 3000);
            }
        }
    }

    @Test
    void nothingRecordedIsAReportToo() throws Exception {
        LatencySnapshot nothing = new LatencySnapshot(WHOLE.info(), SampleRecording.functions().stream()
                .map(f -> new FunctionLatency(f, 0, 0, 0, Map.of())).toList(), Losses.NONE, Recorded.overhead(0, false),
                List.of());
        assertThat(TableReport.of(nothing, TableStyle.PLAIN)).contains("never called",
                "No probed function was called, so no call cost more than without probes.")
                .doesNotContain("cost is not known", "time within a call");
        assertThat(TableReport.of(nothing, TableStyle.PLAIN).replaceAll("\\s+", " "))
                .containsSubsequence("They may have begun before the recording", "their calls may also be inlined");
        assertThat(TableReport.of(nothing, TableStyle.PLAIN)).contains("4 functions were never called: price_basket, ",
                "(--all lists them)");
        assertThat(TableReport.of(nothing, TableStyle.PLAIN, true)).contains("price_basket", "    never called")
                .doesNotContain("--all");
        assertThat(HtmlReport.of(nothing)).contains("never called");
        assertThat(json(nothing).get("functions").get(0).get("verdict").get("text").textValue())
                .isEqualTo("never called");
        assertThat(CsvReport.of(nothing).lines()).hasSize(5);
    }

    /** Its calls may be among what is lost. */
    @Test
    void whatProbesCostIsNotKnownWhereCallsMayBeLost() {
        List<FunctionLatency> none = List.of(new FunctionLatency(SampleRecording.functions().getFirst(), 0, 0, 0, Map.of()));
        Overhead measured = Recorded.overhead(0, true);
        SessionInfo i = WHOLE.info();
        SessionInfo unended = Recorded.info(i.target(), i.host(), i.kernel(), i.pid(), i.command(), i.filter(),
                i.filterNote(), i.start(), i.duration(), State.RECORDING, "");
        for (LatencySnapshot lossy : List.of(
                new LatencySnapshot(WHOLE.info(), none, Losses.NONE, measured, List.of("latency.hlog is missing.")),
                new LatencySnapshot(WHOLE.info(), none, new Losses(0, 0, 0, 0, 0, 0, 0, 1), measured, List.of()),
                new LatencySnapshot(unended, none, Losses.NONE, measured, List.of()))) {
            assertThat(TableReport.of(lossy, TableStyle.PLAIN)).contains("What the probes cost is not known.")
                    .doesNotContain("No probed function was called");
        }
    }
}
