// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.CostToOthers;
import org.kview.model.CostToOthers.CpuUse;
import org.kview.model.CostToOthers.Interval;
import org.kview.model.CostToOthers.Operation;
import org.kview.model.CostToOthers.Rounds;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.MergedHosts;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.model.SessionInfo.State;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a recording cost processes that were not recorded, from the recorder to the reports. */
class CostToOthersTest {
    private static final Rounds AROUND = new Rounds(20, 92.25);
    private static final Operation GETPPID = new Operation("getppid()", List.of("syscall:getppid"), List.of("syscall:fsync"), AROUND,
            new Rounds(33, 181), new Rounds(20, 92.5), Optional.of(new Interval(88.75, 85, 93.1)), Optional.of(new Interval(0.25, -0.5, 0.75)));
    private static final Operation SWITCH = new Operation("context switch", List.of(), List.of(), new Rounds(20, 1912),
            new Rounds(33, 1915), new Rounds(20, 1890), Optional.of(new Interval(1.5, -8, 31)), Optional.of(new Interval(-22, -30, -9)));
    private static final CostToOthers COST = new CostToOthers(List.of(SWITCH, GETPPID), 3, CpuUse.UNUSED, 61_000_000, "");

    @TempDir
    private Path folder;

    private static ProbedFunction function(int id, ProbePoint point, String name) {
        return new ProbedFunction(id, name, point, Mechanism.TRACEPOINT, ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN,
                new ProbedFunction.Cost(0, 900), 0);
    }

    private Path record(Optional<CostToOthers> cost) throws SessionException {
        Path session = folder.resolve("s.kview");
        try (SessionWriter writer = SessionWriter.create(session, Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "",
                Instant.EPOCH, Duration.ZERO, State.RECORDING, ""), List.of(
                        function(0, new ProbePoint.SystemCall("getppid"), "syscall:getppid"),
                        function(1, new ProbePoint.SystemCall("fsync"), "syscall:fsync"),
                        function(2, new ProbePoint.KernelFunction("", "vfs_fsync"), "kernel:vfs_fsync"),
                        function(3, new ProbePoint.Tracepoint("block", "block_rq_issue"), "tracepoint:block:block_rq_issue")), Optional.empty())) {
            cost.ifPresent(writer::setCostToOthers);
            writer.finish(State.STOPPED, "", Optional.empty());
        }
        return session;
    }

    private LatencySnapshot read(Optional<CostToOthers> cost) throws SessionException {
        try (SessionReader reader = SessionReader.open(record(cost))) {
            return reader.snapshot();
        }
    }

    @Test
    void whatTheRecorderKnewTheReaderKnows() throws Exception {
        LatencySnapshot read = read(Optional.of(COST));
        assertThat(read.problems()).isEmpty();
        assertThat(read.overhead().others()).contains(COST);
    }

    @Test
    void thatItWasNotMeasuredIsKeptAsWell() throws Exception {
        CostToOthers none = CostToOthers.notMeasured("The process for it was killed.");
        LatencySnapshot read = read(Optional.of(none));
        assertThat(read.overhead().others()).contains(none);
        assertThat(new OthersText(read).sentences()).containsExactly("The process for it was killed.");
        assertThat(new OthersText(read).lines()).isEmpty();
    }

    /** As in sessions from before there was such a thing. */
    @Test
    void nobodyAskedForIt() throws Exception {
        LatencySnapshot read = read(Optional.empty());
        assertThat(read.overhead().others()).isEmpty();
        assertThat(TableReport.of(read, TableStyle.PLAIN)).contains("What the recording cost other processes was not measured",
                "--cost-to-others");
        assertThat(JsonReport.of(read)).doesNotContain("others");
    }

    /** It may have been asked for: it is not told that it was not measured. */
    @Test
    void whileItRecordsNobodyKnowsIt() throws Exception {
        SessionInfo info = Recorded.info("local", "web-3", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ZERO, State.RECORDING, "");
        LatencySnapshot read = read(Optional.empty());
        assertThat(new OthersText(new LatencySnapshot(info, read.functions(), read.losses(), read.overhead(), List.of())).sentences())
                .singleElement().asString().contains("known when it has ended").doesNotContain("not measured");
    }

    @Test
    void theTableTellsWhatIsToldApartAndWhatIsNot() throws Exception {
        String table = TableReport.of(read(Optional.of(COST)), new TableStyle(400, false, true));
        assertThat(table).contains(
                "on CPU 3, where the recorded process did not run as the recording began, in 20 rounds before, 33 during and 20 after",
                "it holds what these rounds show, and is no probability. That took 61.0 ms of CPU time.",
                "getppid(): 92.3 ns before, 181.0 ns during, 92.5 ns after: +88.8 ns (+85.0 ns to +93.1 ns).",
                "context switch: 1.91 µs before, 1.92 µs during, 1.89 µs after: not told apart from nothing (−8.0 ns to +31.0 ns).",
                "After the recording it was not as before, by which these ranges are wider: context switch took 22.0 ns less.",
                "getppid() stands for syscall:fsync as well",
                "What kernel:vfs_fsync, tracepoint:block:block_rq_issue cost other processes was not measured");
        assertThat(table).doesNotContain("confidence", "95 %", "getppid() took", "was not measured; kview record");
    }

    @Test
    void thePageHasItAsATable() throws Exception {
        assertThat(HtmlReport.of(read(Optional.of(COST)))).contains("<th>Cost to it</th>", "<td>getppid()</td><td class=\"n\">92.3 ns</td>",
                "<td>+88.8 ns (+85.0 ns to +93.1 ns)</td>");
    }

    @Test
    void programsGetTheNumbers() throws Exception {
        JsonNode others = new ObjectMapper().readTree(JsonReport.of(read(Optional.of(COST)))).at("/overhead/others");
        assertThat(others.path("cpu_use").asText()).isEqualTo("unused");
        JsonNode operation = others.path("operations").get(1);
        assertThat(operation.at("/during/rounds").asInt()).isEqualTo(33);
        assertThat(operation.at("/more/low_ns").asDouble()).isEqualTo(85);
        assertThat(operation.path("stands_for").get(0).asText()).isEqualTo("syscall:fsync");
    }

    @Test
    void ofSeveralHostsEachHasItsOwn() throws Exception {
        LatencySnapshot one = read(Optional.of(COST));
        LatencySnapshot both = MergedHosts.of(List.of(one, one));
        assertThat(both.overhead().others()).isEmpty();
        assertThat(TableReport.of(both, new TableStyle(400, false, true))).contains("local: getppid(): 92.3 ns before");
        assertThat(HtmlReport.of(both)).contains("<td>getppid()</td>");
    }

    @Test
    void tooFewRoundsAreNoFigure() throws Exception {
        Operation few = new Operation("getppid()", List.of("syscall:getppid"), List.of(), AROUND, new Rounds(1, 180), AROUND,
                Optional.empty(), Optional.empty());
        assertThat(new OthersText(read(Optional.of(new CostToOthers(List.of(few), 0, CpuUse.SHARED, 1, "")))).lines())
                .containsExactly(List.of("getppid()", "92.3 ns", "180.0 ns", "92.3 ns", "not known, the rounds were too few"));
    }

    /** As where another recording ended when this one began. */
    @Test
    void thatItTookLessIsNotTheRecordingsDoing() throws Exception {
        Operation less = new Operation("getppid()", List.of(), List.of(), AROUND, new Rounds(30, 60), AROUND,
                Optional.of(new Interval(-32, -40, -30)), Optional.empty());
        assertThat(new OthersText(read(Optional.of(new CostToOthers(List.of(less), 0, CpuUse.SHARED, 1, "")))).lines().getFirst().getLast())
                .isEqualTo("less meanwhile, for another reason than the recording (−40.0 ns to −30.0 ns)");
    }

    /** Anyone may have written the file. */
    @Test
    void anIntervalThatCannotBeIsDamage() throws Exception {
        Path session = record(Optional.of(COST));
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode root = (ObjectNode) mapper.readTree(session.resolve("session.json").toFile());
        ((ObjectNode) root.at("/overhead/others/operations/0/more")).put("low_ns", 40);
        Files.writeString(session.resolve("session.json"), mapper.writeValueAsString(root));
        assertThatThrownBy(() -> SessionReader.open(session).close()).isInstanceOf(SessionException.class)
                .hasMessageContaining("a difference is outside its interval");
    }
}
