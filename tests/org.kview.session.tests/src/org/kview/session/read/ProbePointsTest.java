// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.ProcessShare;
import org.kview.model.SessionInfo;
import org.kview.session.SampleRecording;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.json.ValuesJson;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.TableReport;
import org.kview.session.report.TableStyle;
import org.kview.session.write.SessionWriter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What was probed comes back from a session as it was, whatever it is, and what was not measured is not 0. */
class ProbePointsTest {
    private static final List<ProbePoint> POINTS = List.of(
            new ProbePoint.UserFunction("/usr/bin/shop", "_Z3payv", 0x1100, 0x100, 70),
            new ProbePoint.KernelFunction("ext4", "ext4_sync_file"), new ProbePoint.SystemCall("fsync"),
            new ProbePoint.Tracepoint("sched", "sched_switch"), new ProbePoint.Usdt("/usr/bin/shop", "shop", "order"),
            new ProbePoint.Usdt("/usr/bin/shop", "shop", "begin..end"), new ProbePoint.Unknown("gpu_kernel", ""));
    private static final List<Mechanism> MECHANISMS = List.of(Mechanism.TRAP, Mechanism.UNKNOWN, Mechanism.TRACEPOINT,
            Mechanism.UNKNOWN, Mechanism.UNKNOWN, Mechanism.TRAP, Mechanism.UNKNOWN);
    private static final int SYSTEM_CALL = 2;

    @TempDir
    Path temp;

    private Path session;
    private LatencySnapshot written;

    private static ProbedFunction function(int id) {
        ProbePoint point = POINTS.get(id);
        return new ProbedFunction(id, point instanceof ProbePoint.SystemCall call ? call.label() : "point-" + id, point, MECHANISMS.get(id),
                id == SYSTEM_CALL ? Set.of(Metric.WALL) : ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN,
                new ProbedFunction.Cost(0, 900), 0);
    }

    @BeforeEach
    void record() throws Exception {
        session = temp.resolve("points.kview");
        List<ProbedFunction> functions = IntStream.range(0, POINTS.size()).mapToObj(ProbePointsTest::function).toList();
        Distribution calls = new Distribution.Builder().add(3_000_000).add(5_000_000).build();
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, functions, Optional.empty())) {
            writer.append(new LatencyInterval(0, 500_000_000, List.of(
                    new FunctionInterval(SYSTEM_CALL, 2, 0, 0, Map.of(Metric.WALL, calls))), Losses.NONE,
                    new ProcessShare(2400, 1_000_000_000), true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
    }

    private LatencySnapshot read() throws Exception {
        try (SessionReader reader = SessionReader.open(session)) {
            return reader.snapshot();
        }
    }

    private FunctionLatency systemCall() throws Exception {
        return read().functions().get(SYSTEM_CALL);
    }

    @Test
    void eachComesBackAsItWas() throws Exception {
        assertThat(read().problems()).isEmpty();
        assertThat(read().functions()).isEqualTo(written.functions());
        assertThat(read().functions()).extracting(f -> f.function().point()).isEqualTo(POINTS);
    }

    @Test
    void sessionJsonAloneTellsWhatItIs() throws Exception {
        Files.delete(session.resolve("symbols.json"));
        assertThat(read().functions()).extracting(f -> f.function().point().kind())
                .isEqualTo(POINTS.stream().map(ProbePoint::kind).toList());
        assertThat(systemCall().function().mechanism()).isEqualTo(Mechanism.TRACEPOINT);
        assertThat(systemCall().isMeasured(Metric.ON_CPU)).isFalse();
    }

    @Test
    void whatIsNotMeasuredIsNotZero() throws Exception {
        assertThat(systemCall().wall().count()).isEqualTo(2);
        JsonNode function = ValuesJson.MAPPER.readTree(JsonReport.of(read())).get("functions").get(SYSTEM_CALL);
        assertThat(function.get("point").toString()).isEqualTo("{\"kind\":\"system_call\",\"name\":\"fsync\"}");
        assertThat(function.get("mechanism").asText()).isEqualTo("tracepoint");
        assertThat(function.get("measured").toString()).isEqualTo("[\"wall\"]");
        assertThat(function.get("wall").get("count").asInt()).isEqualTo(2);
        assertThat(function.get("on_cpu").isNull()).isTrue();
        assertThat(function.get("off_cpu")).allMatch(JsonNode::isNull);
        assertThat(function.get("verdict").get("text").asText()).contains("not measured");
        assertThat(TableReport.of(read(), TableStyle.PLAIN).lines().filter(line -> line.startsWith("syscall:fsync")))
                .singleElement().asString().endsWith("5.00 ms      not measured");
        assertThat(CsvReport.of(read()).lines().skip(1 + SYSTEM_CALL).findFirst().orElseThrow())
                .contains(",5000000,,,,,,,,,,");
        assertThat(HtmlReport.of(read())).contains("not measured");
    }

    /** Their cost is known as a whole, and not what of it is within the measured time. */
    @Test
    void whatIsNotSubtractedIsNotSaidToBeUnknown() throws Exception {
        String report = TableReport.of(read(), TableStyle.PLAIN).replaceAll("\\s+", " ");
        assertThat(report).contains("all of it is part of the figures, nothing is subtracted")
                .doesNotContain("could not be measured");
        // The sum is of the likely cost, the one call's is the least that it can have been.
        assertThat(report).contains("at least 900 ns more than without probes, 2.40 µs in the sum over 2 calls");
    }

    /** Beside functions, from whose times it is subtracted. */
    @Test
    void whatIsSubtractedFromSomeIsNotSaidOfAll() throws Exception {
        ProbedFunction pay = function(0);
        ProbedFunction subtracted = new ProbedFunction(0, pay.name(), pay.point(), pay.mechanism(), pay.measured(),
                ProbedFunction.Ends.of(ExitKind.RETURN_SITES), new ProbedFunction.Cost(500, 1500), 0);
        ProbedFunction call = function(SYSTEM_CALL);
        ProbedFunction second = new ProbedFunction(1, call.name(), call.point(), call.mechanism(), call.measured(),
                call.ends(), new ProbedFunction.Cost(0, 900), 0);
        session = temp.resolve("mixed.kview");
        Distribution calls = new Distribution.Builder().add(3_000_000).build();
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, List.of(subtracted, second),
                Optional.empty())) {
            writer.append(new LatencyInterval(0, 500_000_000, List.of(
                    new FunctionInterval(0, 1, 0, 0, Map.of(Metric.WALL, calls, Metric.ON_CPU, calls)),
                    new FunctionInterval(1, 1, 0, 0, Map.of(Metric.WALL, calls))), Losses.NONE,
                    new ProcessShare(2400, 1_000_000_000), true));
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        assertThat(read().functions()).extracting(f -> f.function().mechanism())
                .containsExactly(Mechanism.TRAP, Mechanism.TRACEPOINT);
        assertThat(TableReport.of(read(), TableStyle.PLAIN).replaceAll("\\s+", " "))
                .contains("is subtracted, but for system calls, whose times contain it.",
                        "by a probe on each return and tail call in the function.");
    }

    /** A reader that takes what is absent for what never occurred must not open it. */
    @Test
    void onlyWhatIsMeasuredInPartNeedsANewerReader() throws Exception {
        assertThat(schema(session)).isEqualTo("kview-session/2");
        Path whole = temp.resolve("whole.kview");
        SampleRecording.record(whole);
        assertThat(schema(whole)).isEqualTo("kview-session/1");
    }

    private static String schema(Path session) throws Exception {
        return ValuesJson.MAPPER.readTree(session.resolve("session.json").toFile()).get("schema").asText();
    }

    @Test
    void aSessionFromBeforePointsHoldsFunctions() throws Exception {
        Path old = temp.resolve("old.kview");
        LatencySnapshot before = SampleRecording.record(old);
        Path symbols = old.resolve("symbols.json");
        Files.writeString(symbols, without(symbols));
        Path json = old.resolve("session.json");
        ObjectNode root = (ObjectNode) ValuesJson.MAPPER.readTree(without(json));
        root.putObject("symbols").put("crc32", "%08x".formatted(SessionJsonWriter.checksum(Files.readAllBytes(symbols))));
        Files.write(json, SessionJsonWriter.sign(root));
        try (SessionReader reader = SessionReader.open(old)) {
            assertThat(reader.snapshot().problems()).isEmpty();
            assertThat(reader.snapshot().functions()).isEqualTo(before.functions());
        }
    }

    private static String without(Path json) throws Exception {
        JsonNode root = ValuesJson.MAPPER.readTree(json.toFile());
        root.get("functions").forEach(f -> ((ObjectNode) f).remove(List.of("point", "mechanism")));
        return ValuesJson.print(root);
    }
}
