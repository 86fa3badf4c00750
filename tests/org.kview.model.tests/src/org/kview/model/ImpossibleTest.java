// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.kview.model.CallFates.Limits;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

/** Figures that contradict each other are marked, and nothing is concluded from them. */
class ImpossibleTest {
    private static final ProbedFunction F = Recorded.function(0, "f", "f", "/bin/x", 1, 1, 1, ExitKind.UNKNOWN, 0, 0);
    private static final long LENGTH = 3_300_000_000L;

    /** Calls of 1 ms each, all on a CPU. */
    private static FunctionLatency latency(int calls, long costNanos, Limits limits) {
        Distribution.Builder wall = new Distribution.Builder();
        for (int i = 0; i < calls; i++) {
            wall.add(1_000_000);
        }
        return latency(wall.build(), costNanos, limits);
    }

    private static FunctionLatency latency(Distribution wall, long costNanos, Limits limits) {
        return latency(wall, costNanos, limits, wall);
    }

    private static FunctionLatency latency(Distribution wall, long costNanos, Limits limits, Distribution onCpu) {
        return new FunctionLatency(F, wall.count(), 0, 0, Optional.of(new CallFates(LostCalls.NONE, 0, 0,
                new CallFates.ProbesCost(0, 0, 0, 0, costNanos), Optional.empty(), limits, false)), Map.of(Metric.WALL, wall, Metric.ON_CPU, onCpu));
    }

    private static void isMarked(FunctionLatency latency, String mark, String... parts) {
        assertThat(Impossible.mark(latency)).contains(mark);
        assertThat(Impossible.sentences(latency)).singleElement().asString().startsWith("cannot be true: ").contains(parts);
        assertThat(Verdict.of(latency)).isEqualTo(new Verdict(Metric.OTHER, 0, "cannot be true: " + mark));
    }

    private static void isPossible(FunctionLatency latency) {
        assertThat(Impossible.mark(latency)).isEmpty();
        assertThat(Impossible.sentences(latency)).isEmpty();
        assertThat(Verdict.of(latency).metric()).isEqualTo(Metric.ON_CPU);
    }

    @Test
    void aCallLastsAsLongAsThoseWithinIt() {
        isMarked(latency(100, 0, new Limits(110_000_000, 0, 0)), "shorter than the calls within it", "100 ms", "110 ms");
        isPossible(latency(100, 0, new Limits(100_000_000, 0, 0)));
        isPossible(latency(100, 0, new Limits(100_500_000, 0, 0)));
    }

    @Test
    void roundingOfShortCallsIsNoContradiction() {
        Distribution.Builder wall = new Distribution.Builder();
        for (int i = 0; i < 1000; i++) {
            wall.add(20);
        }
        isPossible(latency(wall.build(), 0, new Limits(21_900, 0, 0)));
        isMarked(latency(wall.build(), 0, new Limits(23_000, 0, 0)), "shorter than the calls within it", "20.0 µs",
                "23.0 µs");
    }

    @Test
    void callsTakeNoMoreTimeThanThereWas() {
        isMarked(latency(15_400, 0, new Limits(0, LENGTH, LENGTH)), "more time than the recording has", "15.4 s", "3.30 s");
        isPossible(latency(3_300, 0, new Limits(0, LENGTH, LENGTH)));
        isPossible(latency(15_400, 0, new Limits(0, 5 * LENGTH, LENGTH)));
        isPossible(latency(15_400, 0, Limits.UNKNOWN));
    }

    @Test
    void probesCostNoMoreTimeThanThereWas() {
        isMarked(latency(100, 7_000_000_000L, new Limits(0, LENGTH, LENGTH)), "probes dearer than the recording is long", "7.00 s", "3.30 s");
        // What is told is an estimate, rather too high.
        isPossible(latency(100, 6_000_000_000L, new Limits(0, LENGTH, LENGTH)));
        isPossible(latency(100, 4_000_000_000L, new Limits(0, LENGTH, 2 * LENGTH)));
    }

    @Test
    void aCallTakesTime() {
        Distribution mostly = new Distribution.Builder().add(0).add(0).add(900).build();
        isMarked(latency(mostly, 0, Limits.UNKNOWN), "p50 of 0 ns", "half of its calls");
        isPossible(latency(new Distribution.Builder().add(0).add(800).add(900).build(), 0, Limits.UNKNOWN));
    }

    /** Calls of 1 ms each, which wait for locks when they are not on a CPU. */
    private static FunctionLatency parts(Distribution onCpu, Distribution lock, Optional<CallFates> fates) {
        Distribution wall = new Distribution.Builder().add(1_000_000).add(1_000_000).build();
        return new FunctionLatency(F, 2, 0, 0, fates, Map.of(Metric.WALL, wall, Metric.ON_CPU, onCpu, Metric.LOCK, lock));
    }

    private static Distribution both(long nanos) {
        return new Distribution.Builder().add(nanos).add(nanos).build();
    }

    @Test
    void theTimeOnACpuAndOffItIsAllOfIt() {
        Optional<CallFates> fates = Optional.of(CallFates.NONE);
        isPossible(parts(both(700_000), both(300_000), fates));
        isPossible(parts(both(700_000), both(308_000), fates));
        isPossible(parts(both(700_000), both(292_000), fates));
        isMarked(parts(both(700_000), both(320_000), fates), "parts that don't add up", "2.00 ms", "2.04 ms");
        isMarked(parts(both(700_000), both(150_000), fates), "parts that don't add up", "2.00 ms", "1.70 ms");
        // Estimates, as of a session that was salvaged.
        isPossible(parts(both(700_000), both(320_000), Optional.empty()));
    }

    @Test
    void partsThatAreNotMeasuredMayBeMissing() {
        ProbedFunction some = new ProbedFunction(0, "f", F.point(), F.mechanism(), Set.of(Metric.WALL, Metric.ON_CPU), F.ends(), F.cost(), 0,
                F.waits(), "", "", List.of());
        assertThat(Impossible.sentences(new FunctionLatency(some, 2, 0, 0, Optional.of(CallFates.NONE),
                Map.of(Metric.WALL, both(1_000_000), Metric.ON_CPU, both(600_000))))).isEmpty();
    }

    @Test
    void noMeanIsAboveTheMaximumAndNoMaximumAboveTheSum() {
        Distribution right = both(1_000_000);
        isMarked(latency(right.withTotals(2, 2_000_000, 2_000_001), 0, Limits.UNKNOWN, right), "a maximum that can't be", "wall-clock", "2.00 ms");
        isMarked(latency(right.withTotals(2, 2_000_000, 900_000), 0, Limits.UNKNOWN, right), "a maximum that can't be", "900 µs", "1.00 ms");
        isPossible(latency(right.withTotals(2, 2_000_000, 1_400_000), 0, Limits.UNKNOWN, right));
    }

    @Test
    void everyContradictionIsToldTheGravestFirst() {
        FunctionLatency f = latency(15_400, 7_000_000_000L, new Limits(17_000_000_000L, LENGTH, LENGTH));
        assertThat(Impossible.sentences(f)).hasSize(3);
        assertThat(Impossible.mark(f)).contains("more time than the recording has");
    }

    @Test
    void thoseOfTwoHostsAddUpWhereBothSay() {
        CallFates one = latency(1, 0, new Limits(1, 20, 300)).knownFates();
        CallFates other = latency(1, 0, new Limits(4, 50, 0)).knownFates();
        assertThat(one.plus(other).limits()).isEqualTo(new Limits(5, 70, 0));
        assertThat(one.plus(CallFates.NONE).limits()).isEqualTo(new Limits(1, 0, 0));
    }

    @Test
    void nothingIsHeldAgainstCallsWithoutATime() {
        FunctionLatency none = new FunctionLatency(F, 3, 0, 3, Optional.of(new CallFates(LostCalls.NONE, 0, 0,
                new CallFates.ProbesCost(0, 0, 0, 0, 9), Optional.empty(), new Limits(5, 1, 1), false)), Map.of());
        assertThat(Impossible.sentences(none)).isEqualTo(List.of());
        assertThat(Verdict.of(none).text()).isEqualTo("no call has returned");
        assertThatThrownBy(() -> new Limits(-1, 0, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
