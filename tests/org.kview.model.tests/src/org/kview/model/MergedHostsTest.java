// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.model.SessionInfo.State;
import org.kview.testing.Recorded;

class MergedHostsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static FunctionLatency function(int id, String name, String binary, long callCostNanos, long... wallNanos) {
        Distribution.Builder wall = new Distribution.Builder();
        for (long nanos : wallNanos) {
            wall.add(nanos);
        }
        return new FunctionLatency(Recorded.function(id, name, name, binary, 1, 1, 1, ExitKind.URETPROBE, 20,
                callCostNanos), wallNanos.length + 1, 1, 0, Map.of(Metric.WALL, wall.build()));
    }

    private static LatencySnapshot host(String target, Instant start, State state, FunctionLatency... functions) {
        return new LatencySnapshot(Recorded.info(target, target + ".example", "6.18.0", 7, "shop", "in", "",
                start, Duration.ofSeconds(10), state, state == State.FAILED ? "It broke." : ""), List.of(functions),
                new Losses(1, 2, 3, 4, 5), Recorded.overhead(functions.length == 0 ? 0
                        : functions[0].function().cost().callNanos(), true), List.of());
    }

    @Test
    void theSumHasEveryCallOfEveryHost() {
        LatencySnapshot merged = MergedHosts.of(List.of(
                host("a", NOON, State.STOPPED, function(0, "pay", "/opt/shop", 1000, 10, 20, 30)),
                host("b", NOON, State.STOPPED, function(0, "ship", "/opt/shop", 1000, 5),
                        function(1, "pay", "/srv/shop", 1000, 20_000))));
        assertThat(merged.functions()).extracting(f -> f.function().name()).containsExactly("pay", "ship");
        assertThat(merged.functions()).extracting(f -> f.function().id()).containsExactly(0, 1);
        FunctionLatency pay = merged.functions().getFirst();
        assertThat(pay.wall()).isEqualTo(new Distribution.Builder().add(10).add(20).add(30).add(20_000).build());
        assertThat(pay.calls()).isEqualTo(6);
        assertThat(pay.abandoned()).isEqualTo(2);
        assertThat(pay.function().point().binary()).as("different folders").isEqualTo("shop");
        assertThat(merged.losses()).isEqualTo(new Losses(2, 4, 6, 8, 10));
        assertThat(merged.hosts()).hasSize(2);
    }

    @Test
    void whetherWaitsAreToldIsSaidWhereTheHostsAgree() {
        assertThat(told(Waits.Told.YES, Waits.Told.YES)).isEqualTo(Waits.Told.YES);
        assertThat(told(Waits.Told.NO, Waits.Told.NO)).isEqualTo(Waits.Told.NO);
        assertThat(told(Waits.Told.YES, Waits.Told.NO)).isEqualTo(Waits.Told.UNKNOWN);
    }

    private static Waits.Told told(Waits.Told... hosts) {
        return MergedHosts.of(Arrays.stream(hosts).map(told -> host("h", NOON, State.STOPPED, new FunctionLatency(new ProbedFunction(0,
                "pay", new ProbePoint.SystemCall("pay"), Mechanism.TRAP, ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN,
                ProbedFunction.Cost.UNKNOWN, 0, told),
                0, 0, 0, Map.of()))).toList()).functions().getFirst().function().waits();
    }

    @Test
    void functionsOfOtherProgramsAreOthers() {
        LatencySnapshot merged = MergedHosts.of(List.of(
                host("a", NOON, State.STOPPED, function(0, "main", "/opt/shop", 1000, 10)),
                host("b", NOON, State.STOPPED, function(0, "main", "/opt/store", 1000, 10))));
        assertThat(merged.functions()).hasSize(2);
    }

    @Test
    void itLastsFromTheFirstStartToTheLastEnd() {
        SessionInfo info = MergedHosts.of(List.of(host("a", NOON.plusSeconds(3), State.PROCESS_ENDED),
                host("b", NOON, State.PROCESS_ENDED))).info();
        assertThat(info.start()).isEqualTo(NOON);
        assertThat(info.duration()).isEqualTo(Duration.ofSeconds(13));
        assertThat(info.target()).isEqualTo("a, b");
        assertThat(info.command()).isEqualTo("shop");
        assertThat(info.state()).isEqualTo(State.PROCESS_ENDED);
    }

    @Test
    void oneThatBrokeOffIsNamed() {
        SessionInfo info = MergedHosts.of(List.of(host("a", NOON, State.STOPPED), host("b", NOON, State.FAILED)))
                .info();
        assertThat(info.state()).isEqualTo(State.FAILED);
        assertThat(info.stateNote()).isEqualTo("b: It broke.");
    }

    @Test
    void whatACallCostIsTheMeanOverAllCalls() {
        LatencySnapshot merged = MergedHosts.of(List.of(
                host("a", NOON, State.STOPPED, function(0, "pay", "/opt/shop", 1000, 1, 2)),
                host("b", NOON, State.STOPPED, function(0, "pay", "/opt/shop", 2000, 1, 2, 3, 4, 5, 6, 7, 8))));
        assertThat(merged.overhead().perCallNanos()).isEqualTo(Math.round((3 * 1000 + 9 * 2000) / 12.0));
        assertThat(merged.functions().getFirst().function().cost().callNanos()).isEqualTo(1750);
    }

    @Test
    void percentilesOfSomeDontPassForThoseOfAll() {
        FunctionLatency whole = function(0, "pay", "/opt/shop", 1000, 10, 20);
        FunctionLatency lost = new FunctionLatency(whole.function(), 3, 0, 0,
                Map.of(Metric.WALL, new Distribution.Builder().addTotals(3, 90, 40).build()));
        Distribution wall = MergedHosts.of(List.of(host("a", NOON, State.STOPPED, whole),
                host("b", NOON, State.STOPPED, lost))).functions().getFirst().wall();
        assertThat(wall.hasBuckets()).isFalse();
        assertThat(wall.count()).isEqualTo(5);
        assertThat(wall.totalNanos()).isEqualTo(120);
    }

    @Test
    void whatHostsSayOfTheirProbesCostIsKept() {
        LatencySnapshot merged = MergedHosts.of(List.of(noting("a", "It did not settle."), noting("b", ""),
                noting("c", "It did not settle.")));
        assertThat(merged.overhead().note()).isEqualTo("It did not settle.");
        assertThat(merged.overhead().waitsNote()).isEqualTo("Waits of a. Waits of b. Waits of c.");
    }

    private static LatencySnapshot noting(String target, String note) {
        LatencySnapshot host = host(target, NOON, State.STOPPED, function(0, "pay", "/opt/shop", 1000, 10));
        return new LatencySnapshot(host.info(), host.functions(), host.losses(), new Overhead(1000, note.isEmpty(), Optional.empty(),
                note, ProcessShare.UNKNOWN, Optional.empty(), "Waits of " + target + "."), List.of());
    }
}
