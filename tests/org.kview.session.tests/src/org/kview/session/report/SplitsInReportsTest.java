// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.CallFates;
import org.kview.model.CallValue;
import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.model.ValueFigures;
import org.kview.model.Waits;
import org.kview.session.export.ParquetExport;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.parquet.DuckDb;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Figures by a value, from the recorder to the reports. */
class SplitsInReportsTest {
    @TempDir
    private Path folder;

    private static ProbedFunction function(int id, String name, String by) {
        return new ProbedFunction(id, name, new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", by);
    }

    private static ValueFigures figures(CallValue value, long... lockNanos) {
        Distribution.Builder lock = new Distribution.Builder();
        Distribution.Builder wall = new Distribution.Builder();
        Distribution.Builder cpu = new Distribution.Builder();
        for (long nanos : lockNanos) {
            lock.add(nanos);
            cpu.add(1_000);
            wall.add(nanos + 1_000);
        }
        return new ValueFigures(value, Map.of(Metric.WALL, wall.build(), Metric.ON_CPU, cpu.build(), Metric.LOCK, lock.build()), 10);
    }

    private Path session() {
        return folder.resolve("s.kview");
    }

    private LatencySnapshot read() throws Exception {
        try (SessionReader reader = SessionReader.open(session())) {
            return reader.snapshot();
        }
    }

    /** Of one function by numbers, of one by names of threads, and of one that is not split. */
    private LatencySnapshot recorded() throws Exception {
        List<ValueFigures> numbers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            numbers.add(figures(CallValue.of(i - 3), 1_000_000L * (i + 1)));
        }
        numbers.add(figures(CallValue.of(CallValue.Kind.OTHERS), 5, 6));
        List<ProbedFunction> functions = List.of(function(0, "price", "arg1"), function(1, "pay", "comm"), function(2, "plain", ""));
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO,
                SessionInfo.State.RECORDING, "");
        try (SessionWriter writer = SessionWriter.create(session(), info, functions, Optional.empty())) {
            for (int round = 0; round < 2; round++) {
                writer.append(new LatencyInterval(1_000_000_000L * (round + 1), 2_000_000_000L * (round + 1), List.of(
                        part(0, 14 * (round + 1), numbers), part(1, round + 1, List.of(figures(CallValue.ofThread("\u001b[31mred"), 70_000))),
                        part(2, round + 1, List.of())), Losses.NONE, ProcessShare.UNKNOWN, round == 1));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return read();
    }

    private static FunctionInterval part(int id, long calls, List<ValueFigures> values) {
        Map<Metric, Distribution> added = new EnumMap<>(Metric.class);
        values.forEach(value -> value.distributions().forEach((metric, more) -> added.merge(metric, more,
                (one, other) -> new Distribution.Builder().add(one).add(other).build())));
        return new FunctionInterval(id, calls, 0, 0, Optional.of(CallFates.NONE), added, values);
    }

    @Test
    void whatTheRecorderKnewTheReaderKnows() throws Exception {
        LatencySnapshot read = recorded();
        assertThat(read.problems()).isEmpty();
        assertThat(read.functions()).extracting(f -> f.function().by()).containsExactly("arg1", "comm", "");
        FunctionLatency price = read.functions().getFirst();
        assertThat(price.values()).hasSize(13).first().isEqualTo(figures(CallValue.of(8), 12_000_000, 12_000_000));
        assertThat(price.values().getLast()).isEqualTo(figures(CallValue.of(CallValue.Kind.OTHERS), 5, 6, 5, 6));
        assertThat(read.functions().get(1).values()).containsExactly(figures(CallValue.ofThread("\u001b[31mred"), 70_000, 70_000));
        assertThat(read.functions().get(2).values()).isEmpty();
    }

    @Test
    void everyReportTellsThem() throws Exception {
        LatencySnapshot read = recorded();
        String table = TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, false)).replaceAll("\\s+", " ");
        assertThat(table).contains("arg1 = 8 2 24.0 ms 11.8 ms", "waits for a lock", "2 more values, which took less time (--json has them)", "arg1: other values 4 ",
                "comm = ")
                .doesNotContain("\u001b", "arg1 = -3 ");
        String page = HtmlReport.of(read);
        assertThat(page).contains("By arg1", ">-3</td>", "other values").doesNotContain("\u001b");
        JsonNode functions = new ObjectMapper().readTree(JsonReport.of(read)).path("functions");
        assertThat(functions.get(0).path("by").asText()).isEqualTo("arg1");
        JsonNode first = functions.get(0).path("values").get(0);
        assertThat(first.path("number").asLong()).isEqualTo(8);
        assertThat(first.path("calls").asLong()).isEqualTo(2);
        assertThat(first.path("off_cpu").path("lock").path("total_ns").asLong()).isEqualTo(24_000_000);
        assertThat(first.path("verdict").path("cause").asText()).isEqualTo("lock");
        assertThat(functions.get(0).path("values").get(12).path("kind").asText()).isEqualTo("others");
        assertThat(functions.get(1).path("values").get(0).path("name").asText()).isEqualTo("\u001b[31mred");
        assertThat(functions.get(2).has("values")).isFalse();
    }

    /** In a line for all of them. */
    @Test
    void howWellTheyAreKnownIsSaidOnce() throws Exception {
        LatencySnapshot read = recorded();
        FunctionLatency price = read.functions().getFirst();
        List<ValueFigures> doubtful = price.values().stream().map(v -> new ValueFigures(v.value(), v.distributions(),
                v.distribution(Metric.WALL).totalNanos() / 5)).toList();
        LatencySnapshot known = new LatencySnapshot(read.info(), List.of(new FunctionLatency(price.function(), price.calls(), 0, 0, price.fates(),
                price.distributions(), doubtful)), read.losses(), read.overhead(), List.of());
        assertThat(TableReport.of(known, TableStyle.PLAIN).split("±", -1)).as("its own time and its values'").hasSize(2);
        assertThat(TableReport.of(known, TableStyle.PLAIN)).contains("times of values are known to ± 20 %");
        // The last one has no line of its own.
        List<ValueFigures> wrong = price.values().stream().map(v -> new ValueFigures(v.value(), v.distributions(),
                v.value().number() == -3 ? 11 * v.distribution(Metric.WALL).totalNanos() : 0)).toList();
        assertThat(TableReport.of(new LatencySnapshot(read.info(), List.of(new FunctionLatency(price.function(), price.calls(), 0, 0, price.fates(),
                price.distributions(), wrong)), read.losses(), read.overhead(), List.of()), TableStyle.PLAIN))
                .contains("times of values are known to ± more than 100 %, or better");
        assertThat(TableReport.of(read, TableStyle.PLAIN)).doesNotContain("times of values");
    }

    @Test
    void spreadsheetsHaveALineOfEach() throws Exception {
        List<String> lines = CsvReport.of(recorded()).lines().toList();
        assertThat(lines).hasSize(1 + 1 + 13 + 1 + 1 + 1);
        assertThat(lines.getFirst()).endsWith(",by,value,value_kind");
        assertThat(lines.get(1)).startsWith("price,price,/bin/shop,28,").endsWith(",arg1,,");
        assertThat(lines.get(2)).startsWith("price · arg1 = 8,price,/bin/shop,2,").contains(",24002000,").endsWith(",arg1,8,number");
        assertThat(lines.get(14)).startsWith("price · arg1: other values,").endsWith(",arg1,other values,others");
        assertThat(lines.getLast()).startsWith("plain,").endsWith(",,,");
        List<String> names = List.of(lines.getFirst().split(","));
        List<String> whole = List.of(lines.get(1).split(",", -1));
        List<String> value = List.of(lines.get(2).split(",", -1));
        for (String name : List.of("abandoned", "unfinished", "lost", "cut_calls", "removed_ns")) {
            assertThat(whole.get(names.indexOf(name))).as(name).isEqualTo("0");
            assertThat(value.get(names.indexOf(name))).as("%s of a value", name).isEmpty();
        }
        assertThat(value.get(names.indexOf("uncertain_ns"))).isEqualTo("10");
    }

    /** A thread may have no name. */
    @Test
    void theValueIsNotMistakenForTheFunction() {
        FunctionLatency pay = new FunctionLatency(function(0, "pay", "comm"), 1, 0, 0, Optional.empty(), Map.of(), List.of(figures(CallValue.ofThread(""), 70_000)));
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO, SessionInfo.State.STOPPED, "");
        List<String> lines = CsvReport.of(new LatencySnapshot(info, List.of(pay), Losses.NONE, Recorded.overhead(0, false), List.of())).lines().toList();
        assertThat(lines.get(1)).endsWith(",comm,,");
        assertThat(lines.get(2)).endsWith(",comm,,thread_name");
    }

    /** Of the whole recording, as sessions keep no intervals of values. */
    @Test
    void exportsHaveThem() throws Exception {
        recorded();
        Path hlog = folder.resolve("s.hlog");
        try (SessionReader reader = SessionReader.open(session()); DuckDb duckDb = new DuckDb()) {
            reader.exportHlog(hlog);
            ParquetExport.write(reader, folder.resolve("tables"), _ -> { });
            String values = "read_parquet('" + folder + "/tables/values/**/*.parquet')";
            assertThat(duckDb.rows("SELECT DISTINCT function, \"by\", value, value_number FROM " + values + " WHERE value_kind = 'number' AND value_number >= 7"
                    + " ORDER BY ALL")).containsExactly(List.of("price", "arg1", "7", 7L), List.of("price", "arg1", "8", 8L));
            assertThat(duckDb.rows("SELECT metric, sum(count)::BIGINT, max(most_ns) >= 12000000 FROM " + values
                    + " WHERE value = '8' GROUP BY metric ORDER BY metric")).containsExactly(List.of("lock", 2L, true),
                            List.of("on_cpu", 2L, false), List.of("wall", 2L, true));
            assertThat((Long) duckDb.value("SELECT sum(count)::BIGINT FROM " + values + " WHERE metric = 'wall' AND value_kind = 'others'")).isEqualTo(4);
        }
        HistogramLogReader lines = new HistogramLogReader(hlog.toFile());
        Map<String, Long> counts = new HashMap<>();
        for (EncodableHistogram line = lines.nextIntervalHistogram(); line != null; line = lines.nextIntervalHistogram()) {
            counts.merge(line.getTag(), ((Histogram) line).getTotalCount(), Long::sum);
        }
        assertThat(counts).containsEntry("0:price:wall", 28L).containsEntry("0:price%20%C2%B7%20arg1%20=%208:lock", 2L)
                .containsEntry("0:price%20%C2%B7%20arg1:%20other%20values:wall", 4L);
    }

    /** From before there were any; and of a newer version, with values that are not known here. */
    @Test
    void othersSessionsAreRead() throws Exception {
        recorded();
        change("\"kind\" : \"others\"", "\"kind\" : \"newer\"");
        assertThat(read().functions().getFirst().values()).hasSize(12);
        change("\"(by|values)\"", "\"x_$1\"");
        assertThat(read().functions()).noneMatch(f -> f.function().isSplit() || !f.values().isEmpty());
    }

    private void change(String pattern, String by) throws Exception {
        Path json = session().resolve("session.json");
        String text = Files.readString(json);
        String changed = text.replaceFirst(pattern, by);
        assertThat(changed).isNotEqualTo(text);
        Files.write(json, SessionJsonWriter.sign((ObjectNode) new ObjectMapper().readTree(text.replaceAll(pattern, by))));
    }

    /** A session may be anybody's. */
    @ParameterizedTest
    @ValueSource(strings = {"", ":", "1", "1:", "1:-1", "1:0", "640:1", "-1:1", "1:1 2:99", "1:9223372036854775807 2:9223372036854775807", "1:1:1"})
    void valuesWithBucketsThatCannotBeAreLeftOut(String buckets) throws Exception {
        recorded();
        change("\"buckets\" : \"[^\"]*\"", "\"buckets\" : \"" + buckets + "\"");
        assertThat(read().functions()).hasSize(3).allMatch(f -> f.values().isEmpty());
        assertThat(read().problems()).anyMatch(p -> p.startsWith("The figures by value of 2 of 3 functions are left out"));
    }
}
