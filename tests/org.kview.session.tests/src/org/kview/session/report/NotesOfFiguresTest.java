// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.imageio.ImageIO;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.chart.ChartTheme;
import org.kview.model.Budget;
import org.kview.model.CallFates;
import org.kview.model.Distribution;
import org.kview.model.FailedCalls;
import org.kview.model.ForkedChildren;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.ProcessShare;
import org.kview.model.ProgramEnd;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** All that has to be said beside figures, from the recorder to the reports. */
class NotesOfFiguresTest {
    private static final LostCalls LOST = new LostCalls(1, 2, 3, 4, 5);
    private static final CallFates FATES = new CallFates(LOST, 2, 1, new CallFates.ProbesCost(5_000, 2_000, 100, 70, 90_000),
            Optional.of(new CallFates.ProbesOff(1_500_000_000L, "They took 40 % of its CPU time, and 5 % were allowed.",
                    Optional.of(Duration.ofMillis(500)), 0.4)),
            new CallFates.Limits(1_000, 90_000, 40_000), false).with(new FailedCalls(new TreeMap<>(Map.of(2, 1L, 11, 3L))));
    private static final String WAITS_NOTE = "Waits within probes were not all told apart on this host, because it hides its symbols.";

    @TempDir
    private Path folder;

    private static ProbedFunction function(int id, String name, List<String> goesOnTo) {
        return new ProbedFunction(id, name, new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, new ProbedFunction.Ends(ExitKind.RETURN_SITES, goesOnTo, id == 1),
                new ProbedFunction.Cost(100, 900), 0);
    }

    private static Map<Metric, Distribution> times(long... nanos) {
        Distribution.Builder values = new Distribution.Builder();
        for (long n : nanos) {
            values.add(n);
        }
        return Map.of(Metric.WALL, values.build(), Metric.ON_CPU, values.build());
    }

    private static final ProcessShare SHARE = new ProcessShare(400_000_000L, 1_000_000_000L,
            new ForkedChildren(12, 3_200_000L, 2));

    /** @param calls of the first function, of which 4 are timed, 2 abandoned and 15 lost */
    private Path record(long calls, State state, String note, Optional<ProgramEnd> end) throws SessionException {
        Path session = folder.resolve("s.kview");
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH,
                Duration.ZERO, State.RECORDING, "");
        try (SessionWriter writer = SessionWriter.create(session, info, List.of(
                function(0, "handle", List.of("process")), function(1, "tick", List.of()), function(2, "idle", List.of())),
                Optional.empty())) {
            writer.setBudget(Budget.DEFAULT);
            writer.setWaitsNote(WAITS_NOTE);
            writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, List.of(
                    new FunctionInterval(0, calls, 2, 0, Optional.of(FATES), times(5_000, 5_000, 5_000, 5_000)),
                    new FunctionInterval(1, 3, 0, 0, Optional.of(CallFates.NONE), times(0, 0, 90))),
                    new Losses(0, 0, 1, 0, 2, 6, 0, 7), SHARE, true));
            end.ifPresent(writer::programEnded);
            writer.finish(state, note, Optional.empty());
        }
        return session;
    }

    private static LatencySnapshot read(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    private LatencySnapshot recorded() throws SessionException {
        return read(record(21, State.STOPPED, "", Optional.of(new ProgramEnd(true, 11))));
    }

    @Test
    void whatTheRecorderKnewTheReaderKnows() throws Exception {
        LatencySnapshot read = recorded();
        assertThat(read.problems()).isEmpty();
        FunctionLatency handle = read.functions().getFirst();
        assertThat(handle.fates()).contains(FATES);
        assertThat(handle.function().ends().goesOnTo()).containsExactly("process");
        assertThat(read.functions().get(1).function().ends().forced()).isTrue();
        assertThat(read.functions().get(2).fates()).isEmpty();
        assertThat(read.info().program()).contains(new ProgramEnd(true, 11));
        assertThat(read.losses()).isEqualTo(new Losses(0, 0, 1, 0, 2, 6, 0, 7));
        assertThat(read.overhead().budget()).contains(Budget.DEFAULT);
        assertThat(read.overhead().waitsNote()).isEqualTo(WAITS_NOTE);
        assertThat(read.overhead().process()).isEqualTo(SHARE);
    }

    @Test
    void whatForkedChildrenPaidIsTold() throws Exception {
        LatencySnapshot read = recorded();
        assertThat(HtmlReport.of(read)).contains("forked 12 children", "at most the 3.20 ms of CPU time", "2 kept them");
        JsonNode children = new ObjectMapper().readTree(JsonReport.of(read)).path("overhead").path("children");
        assertThat(children.path("forked").asLong()).isEqualTo(12);
        assertThat(children.path("cpu_ns").asLong()).isEqualTo(3_200_000);
        assertThat(children.path("with_probes").asLong()).isEqualTo(2);
    }

    @Test
    void jsonTellsEveryFate() throws Exception {
        JsonNode report = new ObjectMapper().readTree(JsonReport.of(recorded()));
        JsonNode handle = report.at("/functions/0");
        assertThat(handle.at("/lost").toString()).isEqualTo(
                "{\"too_deep\":1,\"no_memory\":2,\"end_unseen\":3,\"probes_off\":4,\"exec\":5}");
        assertThat(handle.at("/cut_calls").longValue()).isEqualTo(2);
        assertThat(handle.at("/removed_ns").longValue()).isEqualTo(5000);
        assertThat(handle.at("/uncertain_ns").longValue()).isEqualTo(2000);
        assertThat(handle.at("/error_share").doubleValue()).isEqualTo(0.1);
        assertThat(handle.at("/goes_on_to/0").textValue()).isEqualTo("process");
        assertThat(handle.at("/failed").toString()).isEqualTo(
                "[{\"errno\":2,\"name\":\"ENOENT\",\"calls\":1},{\"errno\":11,\"name\":\"EAGAIN\",\"calls\":3}]");
        assertThat(handle.at("/probes_off/at_ns").longValue()).isEqualTo(1_500_000_000L);
        assertThat(handle.at("/probes_off/after_ns").longValue()).isEqualTo(500_000_000L);
        assertThat(handle.at("/probes_off/share").doubleValue()).isEqualTo(0.4);
        assertThat(report.at("/session/program").toString()).isEqualTo("{\"signal\":11,\"name\":\"SIGSEGV\"}");
        assertThat(report.at("/losses/unmatched_returns").longValue()).isEqualTo(6);
        assertThat(report.at("/losses/figures_lost").longValue()).isEqualTo(7);
        assertThat(report.at("/overhead/budget").textValue()).isEqualTo("5%");
        assertThat(report.at("/overhead/share").doubleValue()).isEqualTo(0.4);
    }

    @Test
    void everyReportMarksWhatCannotBeTrue() throws Exception {
        LatencySnapshot read = recorded();
        FunctionLatency handle = read.functions().getFirst();
        // The probes of 90 µs, where there were 40.
        assertThat(handle.fates().orElseThrow().limits()).isEqualTo(new CallFates.Limits(1_000, 90_000, 40_000));
        String mark = "cannot be true: probes dearer than the recording is long";
        String sentence = "its probes cost 90.0 µs, and its threads had 40.0 µs";
        String table = TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, true)).replaceAll("\\s+", " ");
        assertThat(table).contains(mark, sentence);
        assertThat(HtmlReport.of(read)).contains(mark, sentence);
        assertThat(CsvReport.of(read)).contains(mark, sentence);
        assertThat(FunctionNotes.verdict(handle)).as("the Functions view").startsWith(mark).containsOnlyOnce("cannot be true");
        assertThat(FunctionNotes.marks(handle)).get().asString().contains(mark);
        JsonNode report = new ObjectMapper().readTree(JsonReport.of(read));
        assertThat(report.at("/functions/0/impossible").booleanValue()).isTrue();
        assertThat(report.at("/functions/0/verdict/text").textValue()).isEqualTo(mark);
        assertThat(report.at("/functions/0/verdict/cause").textValue()).isEqualTo("other");
        assertThat(report.at("/functions/0/most_cost_ns").longValue()).isEqualTo(40_000);
        assertThat(report.at("/functions/2/impossible").booleanValue()).isFalse();
    }

    @Test
    void everyReportSaysWhatTheTimesAreOf() throws Exception {
        LatencySnapshot read = recorded();
        String page = HtmlReport.of(read).replace("&#39;", "'");
        String table = TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, true)).replaceAll("\\s+", " ");
        for (String sentence : List.of("its time is only that until it goes on to process, in 2 of its calls", "± 10 %", "p50 of 0 ns",
                "3 whose end no probe saw on their thread", "4 running when its probes came off",
                "5 in which the process executed another program", "The probes of handle (after 500 ms of 1.00 s, 40 % of the"
                        + " process's CPU time) came off, to keep to the budget of 5 %. Its figures end there",
                "choose fewer functions or another budget (--budget none",
                "its probes came off after 500 ms, when they took 40 % of the process's CPU time",
                "was killed by SIGSEGV (signal 11)", "the probes may be the cause", "6 returns belonged to no call",
                "7 figures could not be fetched", "return address was replaced", "idle was never called",
                "The probes took 40 % of the 1.00 s of CPU time", "5 % were allowed", "failed: EAGAIN 3, ENOENT 1")) {
            assertThat(table).contains(sentence);
            assertThat(page).contains(sentence);
        }
        assertThat(CsvReport.of(read)).contains("until it goes on to process");
        assertThat(FunctionNotes.verdict(read.functions().getFirst())).isEqualTo(
                "cannot be true: probes dearer than the recording is long · until it goes on to process · ± 10 % · its probes came off after 500 ms");
    }

    /** A function that waits in poll, which it jumps to: nothing of that wait was measured. */
    @Test
    void noReportJudgesCallsThatAreTimedInPart() throws Exception {
        LatencySnapshot read = recorded();
        CallFates cut = Recorded.fates(LostCalls.NONE, 4, 0, 0, 0, 0, 0, Optional.empty());
        FunctionLatency waits = new FunctionLatency(function(0, "w_poll", List.of("poll")), 4, 0, 0, Optional.of(cut),
                times(5_000, 5_000, 5_000, 5_000));
        LatencySnapshot figures = new LatencySnapshot(read.info(), List.of(waits), read.losses(), read.overhead(), List.of(),
                List.of());
        String sentence = "not known: its time after it goes on to poll isn't measured";
        String table = TableReport.of(figures, new TableStyle(TableStyle.LEAST_WIDTH, false, true)).replaceAll("\\s+", " ");
        for (String report : List.of(table, HtmlReport.of(figures).replace("&#39;", "'"), CsvReport.of(figures))) {
            assertThat(report).contains(sentence).doesNotContain("computes");
        }
        JsonNode verdict = new ObjectMapper().readTree(JsonReport.of(figures)).at("/functions/0/verdict");
        assertThat(verdict.at("/text").textValue()).isEqualTo(sentence);
        assertThat(verdict.at("/share").doubleValue()).isZero();
        assertThat(FunctionNotes.verdict(waits)).as("the Functions view, the picture").isEqualTo(sentence);
        assertThat(FunctionNotes.marks(waits)).as("views without a verdict").contains("until it goes on to poll");
    }

    @Test
    void whatIsInDoubtAboutWaitsWithinProbesIsSaid() throws Exception {
        LatencySnapshot read = recorded();
        for (String report : List.of(TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, true)).replaceAll("\\s+", " "),
                HtmlReport.of(read))) {
            assertThat(report).contains(WAITS_NOTE);
        }
        JsonNode json = new ObjectMapper().readTree(JsonReport.of(read));
        assertThat(json.at("/overhead/waits_note").textValue()).isEqualTo(WAITS_NOTE);
        assertThat(json.at("/functions/0/waited_ns").longValue()).isEqualTo(100);
        assertThat(json.at("/functions/1/waited_ns").isMissingNode()).isTrue();
    }

    @Test
    void waitsWithinProbesAreToldWhereTheyAreMoreThanOnePercent() {
        for (long nanos : new long[] { 0, 100, 101, 70_000 }) {
            CallFates waited = new CallFates(LostCalls.NONE, 0, 0, new CallFates.ProbesCost(nanos, 0, nanos, 0, 0),
                    Optional.empty(), CallFates.Limits.UNKNOWN, false);
            FunctionLatency f = new FunctionLatency(function(0, "f", List.of()), 2, 0, 0, Optional.of(waited), times(5_000, 5_000));
            assertThat(FunctionNotes.of(f)).filteredOn(note -> note.contains("within probes")).hasSize(nanos > 100 ? 1 : 0);
        }
    }

    @Test
    void anErrorIsSaidOnce() {
        CallFates rough = Recorded.fates(LostCalls.NONE, 0, 0, 0, 4_000, 0, 0, Optional.empty());
        FunctionLatency f = new FunctionLatency(function(0, "f", List.of()), 2, 0, 0, Optional.of(rough), times(5_000, 5_000));
        assertThat(FunctionNotes.verdict(f)).isEqualTo("too short for its probes: its time is known to ± 40 %");
        assertThat(FunctionNotes.of(f)).as("beside that verdict").isEmpty();
        CallFates unknown = Recorded.fates(LostCalls.NONE, 0, 0, 0, 54_800, 0, 0, Optional.empty());
        f = new FunctionLatency(function(0, "f", List.of()), 2, 0, 0, Optional.of(unknown), times(5_000, 5_000));
        assertThat(FunctionNotes.verdict(f)).startsWith("too short for its probes: its time is not known").doesNotContain("548");
    }

    /** Most of its calls are short, and what was taken off each is known to 100 ns; nearly all of its time is in a long one. */
    @Test
    void everyReportSaysThatAPercentileIsInDoubt() throws Exception {
        LatencySnapshot read = recorded();
        CallFates fates = Recorded.fates(LostCalls.NONE, 0, 0, 3_000, 400, 0, 0, Optional.empty());
        FunctionLatency f = new FunctionLatency(function(0, "peek", List.of()), 4, 0, 0, Optional.of(fates),
                times(500, 500, 500, 5_000_000));
        LatencySnapshot figures = new LatencySnapshot(read.info(), List.of(f), read.losses(), read.overhead(), List.of(), List.of());
        String mark = " · p50 ± 20 %";
        String note = "p50 is known to ± 20 %: what the probes took varied, by some ± 100 ns in a call";
        assertThat(FunctionNotes.verdict(f)).as("the Functions view").endsWith(mark);
        assertThat(FunctionNotes.of(f)).containsExactly(note);
        assertThat(FunctionNotes.of(new FunctionLatency(f.function(), 10, 0, 0, Optional.of(Recorded.fates(LostCalls.NONE, 0, 0, 0, 1_000,
                0, 0, Optional.empty())), times(500, 500, 500, 500, 500, 500, 500, 500, 500, 5_000_000)))).as("p90 as well")
                .containsExactly("p50 and p90 are known to ± 20 %: what the probes took varied, by some ± 100 ns in a call");
        assertThat(TableReport.of(figures, new TableStyle(120, false, true))).contains(note);
        assertThat(HtmlReport.of(figures)).contains(mark, note);
        assertThat(CsvReport.of(figures)).contains(note);
        JsonNode json = new ObjectMapper().readTree(JsonReport.of(figures)).at("/functions/0");
        assertThat(json.at("/notes/0").textValue()).isEqualTo(note);
        assertThat(json.at("/call_error_ns").longValue()).isEqualTo(100);
    }

    @Test
    void inThePictureMarksHaveALineOfTheirOwn() throws Exception {
        LatencySnapshot read = recorded();
        int[] heights = new int[2];
        for (int i = 0; i < 2; i++) {
            CallFates fates = Recorded.fates(LostCalls.NONE, 0, 0, 0, 600L * i, 0, 0, Optional.empty());
            FunctionLatency f = new FunctionLatency(function(0, "f", List.of()), 2, 0, 0, Optional.of(fates), times(5_000, 5_000));
            byte[] png = PictureReport.png(new LatencySnapshot(read.info(), List.of(f), Losses.NONE, read.overhead(), List.of(), List.of()),
                    ChartTheme.LIGHT);
            heights[i] = ImageIO.read(new ByteArrayInputStream(png)).getHeight();
        }
        assertThat(heights[1] - heights[0]).as("in pixels of a sharp screen").isEqualTo(2 * 18);
    }

    @Test
    void howMuchOfWhatWasMeasuredWasTheProbesIsSaidWithTheError() {
        CallFates rough = Recorded.fates(LostCalls.NONE, 0, 0, 5_000, 1_000, 0, 0, Optional.empty());
        FunctionLatency f = new FunctionLatency(function(0, "f", List.of()), 2, 0, 0, Optional.of(rough), times(5_000, 5_000));
        assertThat(FunctionNotes.of(f)).containsExactly("times are known to ± 10 %: what the probes took, 33 % of what was measured, varied");
    }

    /** Together they are exact enough. */
    @Test
    void aHostWhoseFiguresAreInDoubtHasItsOwnMark() throws Exception {
        LatencySnapshot read = recorded();
        List<LatencySnapshot> hosts = List.of(host(read, "web-1", 0, 50_000), host(read, "web-2", 600, 5_000));
        String table = TableReport.of(MergedHosts.of(hosts), new TableStyle(120, false, true));
        assertThat(table.lines().filter(line -> line.contains("±"))).containsExactly("        ± 6 %");
    }

    private static LatencySnapshot host(LatencySnapshot like, String target, long uncertainNanos, long nanos) {
        SessionInfo info = Recorded.info(target, target, "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ofSeconds(1), State.STOPPED, "");
        CallFates fates = Recorded.fates(LostCalls.NONE, 0, 0, 0, uncertainNanos, 0, 0, Optional.empty());
        return new LatencySnapshot(info, List.of(new FunctionLatency(function(0, "f", List.of()), 2, 0, 0, Optional.of(fates),
                times(nanos, nanos))), Losses.NONE, like.overhead(), List.of());
    }

    @Test
    void callsThatDontAddUpAreToldOfARecordingThatWasEnded() throws Exception {
        Path session = record(23, State.PROCESS_ENDED, "", Optional.empty());
        assertThat(RecordingNotes.of(read(session))).anyMatch(s -> s.startsWith("The calls of handle don't add up: 2 of them"));
    }

    @Test
    void callsThatAreUnderWayAreNoMistake() throws Exception {
        Path session = record(23, State.FAILED, "The disk is full.", Optional.empty());
        assertThat(RecordingNotes.of(read(session))).noneMatch(s -> s.contains("don't add up"));
        Path broken = folder.resolve("t.kview");
        Files.move(session, broken);
        session = record(21, State.STOPPED, "", Optional.empty());
        assertThat(RecordingNotes.of(read(session))).noneMatch(s -> s.contains("don't add up"));
    }

    @Test
    void aRecordingThatCostTooMuchSaysWhyItEnded() throws Exception {
        Path session = record(21, State.STOPPED, "The probes took 40 % of its CPU time.", Optional.of(new ProgramEnd(false, 3)));
        String table = TableReport.of(read(session), TableStyle.PLAIN);
        assertThat(table).contains("!! The probes took 40 % of its CPU time.", "!! The program ended with status 3.");
    }

    @Test
    void aLibraryThatWasNeverLoadedIsWhyItWasNeverCalled() throws Exception {
        Path session = folder.resolve("plugin.kview");
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH,
                Duration.ZERO, State.RECORDING, "");
        CallFates fates = new CallFates(LostCalls.NONE, 0, 0, CallFates.ProbesCost.NONE, Optional.empty(), CallFates.Limits.UNKNOWN, true);
        try (SessionWriter writer = SessionWriter.create(session, info, List.of(function(0, "handle", List.of())),
                Optional.empty())) {
            writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, List.of(
                    new FunctionInterval(0, 0, 0, 0, Optional.of(fates), Map.of())), new Losses(0, 0, 0, 0, 0, 0, 0, 0), new ProcessShare(0, 0), true));
            writer.finish(State.STOPPED, "", Optional.empty());
        }
        LatencySnapshot read = read(session);
        assertThat(read.functions().getFirst().fates()).contains(fates);
        assertThat(TableReport.of(read, TableStyle.PLAIN)).contains("handle was never called",
                "/bin/shop was not loaded when the recording began, and not seen to be loaded until its end.");
    }

    @Test
    void thatItWasInlinedIsToldOfAFunctionThatWasNeverCalledAndOfOthers() throws Exception {
        Path session = folder.resolve("inlined.kview");
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH,
                Duration.ZERO, State.RECORDING, "");
        List<ProbedFunction> functions = List.of(
                new ProbedFunction(0, "price", new ProbePoint.UserFunction("/bin/shop", "price", 1, 1, 1), Mechanism.TRAP,
                        ProbedFunction.ALL_METRICS, ProbedFunction.Ends.of(ExitKind.RETURN_SITES), new ProbedFunction.Cost(100, 900), 3),
                new ProbedFunction(1, "tax", new ProbePoint.UserFunction("/bin/shop", "tax", 2, 2, 1), Mechanism.TRAP,
                        ProbedFunction.ALL_METRICS, ProbedFunction.Ends.of(ExitKind.RETURN_SITES), new ProbedFunction.Cost(100, 900), 1));
        try (SessionWriter writer = SessionWriter.create(session, info, functions, Optional.empty())) {
            writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, List.of(
                    new FunctionInterval(1, 2, 0, 0, Optional.of(CallFates.NONE), times(50, 90))),
                    new Losses(0, 0, 0, 0, 0, 0, 0, 0), new ProcessShare(0, 0), true));
            writer.finish(State.STOPPED, "", Optional.empty());
        }
        LatencySnapshot read = read(session);
        assertThat(read.functions()).extracting(f -> f.function().inlinedPlaces()).containsExactly(3, 1);
        assertThat(TableReport.of(read, TableStyle.PLAIN)).contains(
                "price is part of callers, where the compiler inlined it: calls there are not seen.",
                "without the calls in 1 place where the compiler inlined it");
    }

    @Test
    void thatChildrenMayDoTheWorkIsToldOfAFunctionThatWasNeverCalled() throws Exception {
        for (long forked : List.of(0L, 1L, 12L)) {
            Path session = folder.resolve("server-" + forked + ".kview");
            SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH,
                    Duration.ZERO, State.RECORDING, "");
            try (SessionWriter writer = SessionWriter.create(session, info, List.of(function(0, "handle", List.of())),
                    Optional.empty())) {
                writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, List.of(), new Losses(0, 0, 0, 0, 0, 0, 0, 0),
                        new ProcessShare(0, 0, new ForkedChildren(forked, forked * 1_000, 0)), true));
                writer.finish(State.STOPPED, "", Optional.empty());
            }
            assertThat(TableReport.of(read(session), TableStyle.PLAIN).replaceAll("\\s+", " ")).contains("handle was never called. "
                    + (forked == 0 ? "It may have begun before the recording and still run"
                            : "The process forked " + (forked == 1 ? "a child, which is" : "12 children, which are")
                                    + " not measured and may have called it: record one of them."));
        }
    }
}
