// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import org.kview.model.Mechanism;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.ProcessShare;
import org.kview.model.Quantity;
import org.kview.model.Quantity.Unit;
import org.kview.model.SessionInfo;
import org.kview.model.Waits;
import org.kview.session.SessionException;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What calls took beside time, from the recorder to the reports. */
class QuantitiesInReportsTest {
    private static final Quantity FAULTS = new Quantity("minor_faults", "minor page faults\u001b[31m", Unit.COUNT);
    private static final Quantity MAJOR = new Quantity("major_faults", "major page faults", Unit.COUNT);
    private static final Quantity READ = new Quantity("read_bytes", "bytes read", Unit.BYTES);
    private static final Quantity DEVICE = new Quantity("device_ns", "device time", Unit.NANOSECONDS, "requests");

    @TempDir
    private Path folder;

    private static ProbedFunction function(int id, String name, List<Quantity> quantities) {
        return new ProbedFunction(id, name, new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", "", quantities);
    }

    private static Distribution of(long... values) {
        Distribution.Builder builder = new Distribution.Builder();
        for (long value : values) {
            builder.add(value);
        }
        return builder.build();
    }

    private static FunctionInterval part(int id, long calls, Map<String, Distribution> quantities) {
        Map<Metric, Distribution> times = Map.of(Metric.WALL, of(1_000, 2_000, 3_000), Metric.ON_CPU, of(1_000, 2_000, 3_000));
        return new FunctionInterval(id, calls, 0, 0, Optional.of(CallFates.NONE), times, List.of(), quantities);
    }

    private LatencySnapshot read() throws Exception {
        try (SessionReader reader = SessionReader.open(folder.resolve("s.kview"))) {
            return reader.snapshot();
        }
    }

    /** Two intervals of three calls each, in which two take something; of one function time alone is measured. */
    private LatencySnapshot recorded() throws Exception {
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO,
                SessionInfo.State.RECORDING, "");
        try (SessionWriter writer = SessionWriter.create(folder.resolve("s.kview"), info,
                List.of(function(0, "load", List.of(FAULTS, MAJOR, READ, DEVICE)), function(1, "plain", List.of())), Optional.empty())) {
            for (int round = 1; round <= 2; round++) {
                writer.append(new LatencyInterval(1_000_000_000L * round, 2_000_000_000L * round, List.of(part(0, 3 * round,
                        Map.of("minor_faults", of(5, 1_000), "read_bytes", of(4096, 1 << 20), "device_ns", of(2_000_000), "of_a_newer_agent", of(7))),
                        part(1, 3 * round, Map.of())), Losses.NONE, ProcessShare.UNKNOWN, round == 2));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return read();
    }

    @Test
    void whatTheRecorderKnewTheReaderKnows() throws Exception {
        LatencySnapshot read = recorded();
        assertThat(read.problems()).isEmpty();
        FunctionLatency load = read.functions().getFirst();
        assertThat(load.function().quantities()).containsExactly(FAULTS, MAJOR, READ, DEVICE);
        assertThat(load.quantities()).containsOnlyKeys(FAULTS, READ, DEVICE).containsEntry(FAULTS, of(5, 1_000, 5, 1_000));
        assertThat(load.perCall(FAULTS)).isEqualTo(335);
        assertThat(load.perCall(MAJOR)).isZero();
        assertThat(read.functions().get(1).function().quantities()).isEmpty();
    }

    @Test
    void everyReportTellsThem() throws Exception {
        LatencySnapshot read = recorded();
        String table = TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, false)).replaceAll("\\s+", " ");
        assertThat(table).contains("minor page faults?[31m: 2,010 in 4 of 6 calls, 335 a call; of those, p50 5, p99 1,000, max 1,000", "major page faults: none",
                "bytes read: 2 MiB in 4 of 6 calls, 343 KiB a call", "device time: 4.00 ms in 2 requests, 667 us a call").doesNotContain("\u001b");
        assertThat(HtmlReport.of(read)).contains("Beside time", "<td>major page faults</td>", ">2 requests</td>", ">2,010</td>", ">343 KiB</td>").doesNotContain("\u001b");
        JsonNode functions = new ObjectMapper().readTree(JsonReport.of(read)).path("functions");
        JsonNode faults = functions.get(0).path("quantities").get(0);
        assertThat(faults.path("id").asText()).isEqualTo("minor_faults");
        assertThat(faults.path("unit").asText()).isEqualTo("count");
        assertThat(faults.path("of").asText()).isEqualTo("calls");
        assertThat(functions.get(0).path("quantities").get(3).path("of").asText()).isEqualTo("requests");
        assertThat(faults.path("total").asLong()).isEqualTo(2_010);
        assertThat(faults.path("count").asLong()).isEqualTo(4);
        assertThat(faults.path("max").asLong()).isEqualTo(1_000);
        assertThat(functions.get(0).path("quantities").get(2).path("per_call").asDouble()).isEqualTo(350_890.667);
        assertThat(functions.get(1).has("quantities")).isFalse();
        List<String> csv = CsvReport.of(read).lines().toList();
        assertThat(csv.getFirst()).contains(",minor_faults_count,minor_faults_total,minor_faults_p50,").endsWith(",device_ns_max");
        assertThat(csv.get(1)).contains(",4,2010,").endsWith(",2000000");
        assertThat(csv.get(2)).endsWith(",,");
    }

    /** Of a call whose counters could not be read none is counted: it is no part of the mean either. */
    @Test
    void whatTheProcessorCountedIsToldTogether() throws Exception {
        Quantity cycles = new Quantity("cycles", "cycles", Unit.COUNT);
        Quantity instructions = new Quantity("instructions", "instructions", Unit.COUNT);
        Quantity unread = new Quantity("counters_unread", "counters not read", Unit.COUNT);
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO, SessionInfo.State.RECORDING, "");
        try (SessionWriter writer = SessionWriter.create(folder.resolve("s.kview"), info, List.of(function(0, "load", List.of(cycles, instructions, unread)),
                function(1, "idle", List.of(cycles, instructions, unread))), Optional.empty())) {
            writer.append(new LatencyInterval(1_000_000_000L, 2_000_000_000L, List.of(part(0, 3, Map.of("cycles", of(1_000, 3_000), "instructions", of(1_500, 3_500),
                    "counters_unread", of(1))), part(1, 3, Map.of())), Losses.NONE, ProcessShare.UNKNOWN, true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        LatencySnapshot read = read();
        assertThat(read.functions().getFirst().perCall(cycles)).isEqualTo(2_000);
        assertThat(read.functions().getFirst().perCall(unread)).isEqualTo(1 / 3.0);
        assertThat(read.functions().get(1).instructionsPerCycle()).isEmpty();
        assertThat(TableReport.of(read, new TableStyle(TableStyle.LEAST_WIDTH, false, false)).replaceAll("\\s+", " "))
                .contains("cycles: 4,000 in 2 of 2 calls, 2,000 a call", "counters not read: 1 in 1 of 3 calls", "instructions a cycle: 1.25").containsOnlyOnce("instructions a cycle");
        assertThat(HtmlReport.of(read)).containsOnlyOnce("<p>instructions a cycle: 1.25</p>");
        JsonNode functions = new ObjectMapper().readTree(JsonReport.of(read)).path("functions");
        assertThat(functions.get(0).path("instructions_per_cycle").asDouble()).isEqualTo(1.25);
        assertThat(functions.get(0).path("quantities").get(0).path("per_call").asDouble()).isEqualTo(2_000);
        assertThat(functions.get(1).has("instructions_per_cycle")).isFalse();
    }

    @Test
    void severalHostsAreAddedUp() throws Exception {
        LatencySnapshot host = recorded();
        FunctionLatency sum = MergedHosts.of(List.of(host, host)).functions().getFirst();
        assertThat(sum.quantity(FAULTS)).isEqualTo(of(5, 1_000, 5, 1_000, 5, 1_000, 5, 1_000));
        assertThat(sum.function().quantities()).containsExactly(FAULTS, MAJOR, READ, DEVICE);
        FunctionLatency plain = new FunctionLatency(function(0, "load", List.of(MAJOR)), 1, 0, 0, Map.of());
        assertThat(MergedHosts.sum(List.of(host.functions().getFirst(), plain)).function().quantities()).as("what one of them does not count is not known of both")
                .containsExactly(MAJOR);
    }

    /** From before there were any; of a newer version; and of anybody. */
    @Test
    void othersSessionsAreRead() throws Exception {
        recorded();
        change("\"unit\" : \"bytes\"", "\"unit\" : \"parsecs\"");
        assertThat(read().functions().getFirst().function().quantities()).containsExactly(FAULTS, MAJOR, DEVICE);
        change("\"quantities\"", "\"x_quantities\"");
        assertThat(read().functions().getFirst().function().quantities()).isEmpty();
    }

    @Test
    void whatCannotBeIsRefused() throws Exception {
        recorded();
        change("\"id\" : \"major_faults\"", "\"id\" : \"minor_faults\"");
        assertThatThrownBy(this::read).isInstanceOf(SessionException.class).hasMessageContaining("quantities");
        change("\"id\" : \"minor_faults\"", "\"id\" : \"../../etc\"");
        assertThatThrownBy(this::read).isInstanceOf(SessionException.class);
    }

    private void change(String pattern, String by) throws Exception {
        Path json = folder.resolve("s.kview").resolve("session.json");
        String text = Files.readString(json);
        assertThat(text).containsPattern(pattern);
        Files.write(json, SessionJsonWriter.sign((ObjectNode) new ObjectMapper().readTree(text.replaceAll(pattern, by))));
    }
}
