// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.kview.model.CallFates.ProbesOff;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

class CameOffTest {
    private static final String LOADED = "The process loaded code: its probes came off.";

    private static FunctionLatency function(int id, String name, Optional<ProbesOff> off) {
        return new FunctionLatency(Recorded.function(id, name, name, "/bin/x", 1, 1, 1, ExitKind.UNKNOWN, 0, 0), 1, 0, 0,
                Optional.of(Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 0, off)), Map.of());
    }

    private static Optional<ProbesOff> off(long millis, double share) {
        return Optional.of(new ProbesOff(1, share > 0 ? "Its probes cost too much: they came off." : LOADED,
                Optional.of(Duration.ofMillis(millis)), share));
    }

    private static LatencySnapshot snapshot(List<FunctionLatency> functions) {
        return new LatencySnapshot(Recorded.info("local", "h", "6.18", 1, "shop", "in", "", Instant.EPOCH,
                Duration.ofMillis(6200), SessionInfo.State.STOPPED, ""), functions, Losses.NONE, new Overhead(1, true,
                        Optional.empty(), "", ProcessShare.UNKNOWN, Optional.of(Budget.DEFAULT), ""), List.of());
    }

    @Test
    void eachHasItsOwnFigureAndTheMostExpensiveComesFirst() {
        List<FunctionLatency> functions = List.of(function(0, "cheap", off(46, 0.044)), function(1, "dear", off(46, 0.41)),
                function(2, "stays", Optional.empty()));
        assertThat(CameOff.news(functions, Optional.of(Budget.DEFAULT))).containsExactly("after 46.0 ms the probes of dear (41 %"
                + " of the process's CPU time) and cheap (4.4 %) came off, to keep to the budget of"
                + " 5 %; their figures end there");
        assertThat(CameOff.summary(snapshot(functions))).hasSize(1).first().asString().startsWith("The probes of dear (after"
                + " 46.0 ms of 6.20 s, 41 % of the process's CPU time) and cheap (after"
                + " 46.0 ms, 4.4 %) came off").contains("--budget none");
        assertThat(CameOff.note(functions.getFirst())).contains("came off after 46.0 ms, when they took 4.4 % of the process's"
                + " CPU time");
        assertThat(CameOff.note(functions.getLast())).isEmpty();
    }

    @Test
    void manyAreCounted() {
        List<FunctionLatency> functions = IntStream.range(0, 9).mapToObj(i -> function(i, "f" + i, off(46, 0.5 - i / 100.0))).toList();
        assertThat(CameOff.news(functions, Optional.empty())).hasSize(1).first().asString()
                .contains("f4 (46 %) and 4 more came off, to keep to the budget; ").doesNotContain("f5");
    }

    @Test
    void whatCameOffAtAnotherTimeOrForAnotherReasonHasItsOwnSentence() {
        List<FunctionLatency> functions = List.of(function(0, "a", off(46, 0.4)), function(1, "b", off(90, 0.3)),
                function(2, "c", off(90, 0)));
        assertThat(CameOff.news(functions, Optional.empty())).hasSize(3).last().asString().isEqualTo(
                "after 90.0 ms the probes of c came off: The process loaded code; its figures end there");
        assertThat(CameOff.summary(snapshot(functions))).hasSize(2).last().asString().isEqualTo("The probes of c (after 90.0 ms"
                + " of 6.20 s) came off: The process loaded code. Its figures end there, so totals do not compare with those of"
                + " other functions.");
    }

    @Test
    void olderSessionsSayLess() {
        FunctionLatency old = function(0, "f", Optional.of(new ProbesOff(1, "Its probes cost 9 %: they came off.",
                Optional.empty(), 0)));
        assertThat(CameOff.note(old)).contains("came off before the end: Its probes cost 9 %");
        assertThat(CameOff.summary(snapshot(List.of(old))).getFirst()).startsWith("The probes of f came off: Its probes cost 9 %. ");
    }

    @Test
    void timesCountFromTheRecordingsStart() {
        var fates = Recorded.fates(LostCalls.NONE, 0, 0, 0, 0, 0, 0, Optional.of(new ProbesOff(150, "Why.",
                Optional.empty(), 0)));
        var interval = Recorded.interval(100, 200, List.of(new FunctionInterval(0, 1, 0, 0, Optional.of(fates), Map.of())),
                Losses.NONE, false);
        assertThat(interval.timedFrom(100).functions().getFirst().fates().orElseThrow().probesOff().orElseThrow().after())
                .contains(Duration.ofNanos(50));
        assertThatThrownBy(() -> new ProbesOff(1, "", Optional.empty(), 2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ProbesOff(1, "", Optional.of(Duration.ofNanos(-1)), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
