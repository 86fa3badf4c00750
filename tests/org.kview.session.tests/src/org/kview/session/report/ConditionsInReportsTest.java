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
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.model.Waits;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Of which calls the figures are, and how many they are not of, from the recorder to the reports. */
class ConditionsInReportsTest {
    private static final String CONDITION = "arg0 > 4096 && comm == \"\u001b[31mred\"";

    @TempDir
    private Path folder;

    private static ProbedFunction function(int id, String name, String condition) {
        return new ProbedFunction(id, name, new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, condition);
    }

    /** One with calls of which some match, one of which none does, one that was not called, and one without a condition. */
    private LatencySnapshot recorded() throws Exception {
        Distribution one = new Distribution.Builder().add(8_000).build();
        Map<Metric, Distribution> times = Map.of(Metric.WALL, one, Metric.ON_CPU, one);
        return recorded(List.of(function(0, "some", CONDITION), function(1, "none", "retval < 0"), function(2, "never", "arg1 == 1"),
                function(3, "all", "")), List.of(
                        new FunctionInterval(0, 1, 0, 0, Optional.of(CallFates.NONE.withUnmatched(1234)), times),
                        new FunctionInterval(1, 0, 0, 0, Optional.of(CallFates.NONE.withUnmatched(7)), Map.of()),
                        new FunctionInterval(3, 1, 0, 0, Optional.of(CallFates.NONE), times)));
    }

    private LatencySnapshot recorded(List<ProbedFunction> functions, List<FunctionInterval> figures) throws Exception {
        Path session = folder.resolve("s.kview");
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO,
                SessionInfo.State.RECORDING, "");
        try (SessionWriter writer = SessionWriter.create(session, info, functions, Optional.empty())) {
            writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, figures, Losses.NONE, ProcessShare.UNKNOWN, true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    @Test
    void whatTheRecorderKnewTheReaderKnows() throws Exception {
        LatencySnapshot read = recorded();
        assertThat(read.problems()).isEmpty();
        assertThat(read.functions()).extracting(f -> f.function().condition()).containsExactly(CONDITION, "retval < 0", "arg1 == 1", "");
        assertThat(read.functions()).extracting(f -> f.knownFates().unmatched()).containsExactly(1234L, 7L, 0L, 0L);
    }

    @Test
    void everyReportTellsThem() throws Exception {
        LatencySnapshot read = recorded();
        String table = TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, false)).replaceAll("\\s+", " ");
        assertThat(table).contains("measured where arg0 > 4096 && comm == ", ": 1 of 1,235 calls", "measured where retval < 0: 0 of 7 calls",
                "never was never called").doesNotContain("\u001b");
        String page = HtmlReport.of(read);
        assertThat(page).contains("measured where retval &lt; 0: 0 of 7 calls").doesNotContain("\u001b");
        JsonNode functions = new ObjectMapper().readTree(JsonReport.of(read)).path("functions");
        assertThat(functions.get(0).path("condition").asText()).isEqualTo(CONDITION);
        assertThat(functions).extracting(f -> f.path("unmatched_calls").toString()).containsExactly("1234", "7", "0", "");
        assertThat(functions.get(3).has("condition")).isFalse();
    }

    /** Calls that no condition is true of cost something as well. */
    @Test
    void whatTheyCostIsNotNothing() throws Exception {
        LatencySnapshot none = recorded(List.of(function(0, "none", "retval < 0")), List.of(new FunctionInterval(0, 0, 0, 0, Optional.of(CallFates.NONE.withUnmatched(7)), Map.of())));
        assertThat(String.join(" ", new SessionText(none).cost())).contains("Of none of 7 calls its condition was true")
                .doesNotContain("No probed function was called", "not known");
    }

    /** What is seen of single functions, as beside their verdict. */
    @Test
    void figuresAreMarkedAsThoseOfSomeCalls() throws Exception {
        List<FunctionLatency> functions = recorded().functions();
        assertThat(FunctionNotes.marks(functions.get(1))).hasValue("only where retval < 0");
        assertThat(FunctionNotes.marks(functions.get(3))).isEmpty();
        assertThat(FunctionNotes.verdict(functions.get(0))).contains("only where arg0 > 4096").doesNotContain("\u001b");
    }

    /** From before there were conditions: all calls are measured. */
    @Test
    void anOlderSessionHasNone() throws Exception {
        recorded();
        Path json = folder.resolve("s.kview/session.json");
        String text = Files.readString(json);
        assertThat(text).contains("\"condition\"", "\"unmatched_calls\"");
        Files.writeString(json, text.replaceAll("\"(condition|unmatched_calls)\"", "\"x_$1\""));
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"))) {
            assertThat(reader.snapshot().functions()).noneMatch(f -> f.function().isConditional());
        }
    }

    /** What they return decides, and nobody saw it. */
    @Test
    void callsWithoutAnEndNeedNotMatch() throws Exception {
        Distribution one = new Distribution.Builder().add(8_000).build();
        CallFates fates = new CallFates(new LostCalls(0, 4, 2, 0, 0), 0, 0, CallFates.ProbesCost.NONE, Optional.empty(), CallFates.Limits.UNKNOWN, false)
                .withUnmatched(90);
        Map<Metric, Distribution> times = Map.of(Metric.WALL, one, Metric.ON_CPU, one);
        List<FunctionLatency> read = recorded(List.of(function(0, "late", "retval < 0"), function(1, "early", "arg0 < 0")),
                List.of(new FunctionInterval(0, 10, 0, 3, Optional.of(fates), times), new FunctionInterval(1, 10, 0, 3, Optional.of(fates), times))).functions();
        assertThat(FunctionNotes.of(read.get(0))).contains("measured where retval < 0: 1 of 100 calls, and perhaps of 9 more whose results are not known");
        assertThat(FunctionNotes.of(read.get(1))).contains("measured where arg0 < 0: 10 of 100 calls");
    }
}
