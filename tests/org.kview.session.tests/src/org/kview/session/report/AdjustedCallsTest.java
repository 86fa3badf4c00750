// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.testing.Recorded;

/** Calls whose times were adjusted: why that was differs by how they were measured. */
class AdjustedCallsTest {
    private static final String BY_TRAPS = "call seemed to be off the CPU for longer than it took";
    private static final String BY_JUMPS = "calls took less than what their jumps are taken to cost: they count as 0 ns.";
    private static final String OF_TRAPS = "time off the CPU shortened to the call's own, which it exceeded by an error of measuring: 1 call";
    private static final String OF_JUMPS = "counted as 0 ns, as less than what the jumps are taken to cost: 7 calls";

    private static FunctionLatency function(int id, String name, Mechanism mechanism, long adjusted) {
        Distribution.Builder times = new Distribution.Builder();
        for (int i = 0; i < 20; i++) {
            times.add(5_000);
        }
        return new FunctionLatency(ProbedFunction.of(id, name, new ProbePoint.UserFunction("/bin/shop", name, 1, 1, 1), mechanism,
                ProbedFunction.ALL_METRICS), 20, 0, 0, Optional.of(Recorded.fates(LostCalls.NONE, 0, adjusted, 0, 0, 0, 0, Optional.empty())),
                Map.of(Metric.WALL, times.build(), Metric.ON_CPU, times.build()));
    }

    private static final FunctionLatency TRAPPED = function(0, "handle", Mechanism.TRAP, 1);
    private static final FunctionLatency JUMPED = function(1, "tick", Mechanism.JUMP, 7);

    private static List<String> reports(FunctionLatency... functions) {
        SessionInfo info = Recorded.info("a", "a", "6.18.0", 4711, "shop", "in", "", Instant.EPOCH, Duration.ofSeconds(1),
                SessionInfo.State.STOPPED, "");
        LatencySnapshot figures = new LatencySnapshot(info, List.of(functions), Losses.NONE, Recorded.overhead(900, true), List.of());
        return List.of(TableReport.of(figures, new TableStyle(TableStyle.LEAST_WIDTH, false, true)).replaceAll("\\s+", " "),
                HtmlReport.of(figures).replace("&#39;", "'"));
    }

    @Test
    void byTrapsTheyWereOffTheCpuForTooLong() {
        assertThat(reports(TRAPPED)).allSatisfy(report -> assertThat(report).contains("1 " + BY_TRAPS, OF_TRAPS)
                .doesNotContain("took less", "counted as 0 ns"));
    }

    @Test
    void byJumpsTheyWereShorterThanTheJumps() {
        assertThat(reports(JUMPED)).allSatisfy(report -> assertThat(report).contains("7 " + BY_JUMPS, OF_JUMPS)
                .doesNotContain("off the CPU for longer", "time off the CPU shortened"));
    }

    @Test
    void ofBothEachIsCountedApart() {
        assertThat(reports(TRAPPED, JUMPED)).allSatisfy(report -> assertThat(report).contains("1 " + BY_TRAPS, "7 " + BY_JUMPS));
    }
}
