// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.ComparedWays;
import org.kview.model.ComparedWays.Cost;
import org.kview.model.ComparedWays.Kind;
import org.kview.model.ComparedWays.Way;
import org.kview.model.CostToOthers.Interval;

class WaysTextTest {
    private static Cost cost(String operation, Interval traced, Interval others) {
        return new Cost(operation, 60, 193.7, Optional.of(traced), Optional.of(others));
    }

    private static WaysText text(long callsEachSecond) {
        return new WaysText(new ComparedWays("web-3", "6.12.1", "x86_64", 2, Instant.EPOCH, List.of(
                new Way(Kind.CALL_VIEW, "", List.of(cost("read()", new Interval(500, 480, 520), new Interval(0.5, -3, 4)),
                        cost("switch", new Interval(900, 800, 1200), new Interval(-1, -20, 15))), 0, ""),
                new Way(Kind.CALL_IN, "", List.of(cost("read()", new Interval(442.8, 416.7, 469.7), new Interval(142.25, 127.8, 157.3)),
                        cost("switch", new Interval(900, 800, 1200), new Interval(619.8, 557, 686))), 100_000_000, ""),
                new Way(Kind.FUNCTION_MULTI, "This kernel has none.", List.of(), 0, ""),
                new Way(Kind.CALL_POST, "", List.of(new Cost("read()", 3, 190, Optional.empty(), Optional.empty())), 1,
                        "8 calls were told."))), callsEachSecond);
    }

    @Test
    void waysStandSideBySide() {
        assertThat(text(100_000).headings()).contains("Others, 100,000 calls/s");
        assertThat(text(100_000).lines()).containsExactly(
                List.of("View: the system call", "+500.0 ns (+480.0 ns to +520.0 ns)", "nothing seen (−3.0 ns to +4.0 ns)",
                        "nothing seen (−20.0 ns to +15.0 ns)", "–"),
                List.of("In eBPF: the system call, by tracepoints", "+442.8 ns (+416.7 ns to +469.7 ns)", "+142.3 ns (+127.8 ns to +157.3 ns)",
                        "+619.8 ns (+557.0 ns to +686.0 ns)", "1.4 % of a CPU"),
                List.of("In eBPF: a function, by kprobe.multi", "–", "–", "–", "–"),
                List.of("Afterwards: all system calls of all", "too few rounds", "too few rounds", "–", "–"));
        assertThat(text(10_000_000).lines().get(1)).last().isEqualTo("142 % of a CPU");
    }

    @Test
    void whatIsMissingIsSaidWithItsReason() {
        assertThat(text(1).sentences()).anyMatch(s -> s.startsWith("read() took 193.7 ns on this host (web-3, Linux 6.12.1)"))
                .contains("In eBPF: a function, by kprobe.multi: This kernel has none.", "Afterwards: all system calls of all: 8 calls were told.")
                .anyMatch(s -> s.contains("for comparison only"));
    }

    /** The agent can't take away what others have attached. */
    @Test
    void whatOthersHaveAttachedIsSaidToBeInTheFigures() {
        assertThat(text(1).sentences().getFirst()).contains("before a way was attached", "have attached to system calls").doesNotContain("without");
    }

    @Test
    void aSpreadsheetGetsNumbers() {
        assertThat(text(1).csv().lines()).hasSize(12)
                .contains("call-in,read(),other,193.7,142.3,127.8,157.3,", "function-multi,,,,,,,This kernel has none.",
                        "call-view,read(),other,193.7,0.5,-3.0,4.0,", "call-post,read(),recorded,190.0,,,,");
    }
}
