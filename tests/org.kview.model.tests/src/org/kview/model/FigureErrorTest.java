// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

/** Which figures may be wrong by more than 5 % because of the probes. */
class FigureErrorTest {
    private static final ProbedFunction F = Recorded.function(0, "f", "f", "/bin/x", 1, 1, 1, ExitKind.UNKNOWN, 0, 0);

    /** Calls of so many ns each. */
    private static Distribution times(long... nanos) {
        Distribution.Builder times = new Distribution.Builder();
        for (long n : nanos) {
            times.add(n);
        }
        return times.build();
    }

    /** A hundred calls, of which so many are short. */
    private static Distribution mixed(int shortCalls, long shortNanos, long longNanos) {
        Distribution.Builder times = new Distribution.Builder();
        for (int i = 0; i < 100; i++) {
            times.add(i < shortCalls ? shortNanos : longNanos);
        }
        return times.build();
    }

    private static FunctionLatency latency(Distribution wall, Distribution onCpu, long uncertainNanos) {
        return new FunctionLatency(F, wall.count(), 0, 0, Optional.of(Recorded.fates(LostCalls.NONE, 0, 0, 0, uncertainNanos, 0, 0,
                Optional.empty())), Map.of(Metric.WALL, wall, Metric.ON_CPU, onCpu));
    }

    /** "wall 0.1", "on_cpu p50 0.4". */
    private static String told(FunctionLatency latency) {
        return FigureError.of(latency).stream().map(error -> error.metric().id()
                + (error.percentile().isEmpty() ? "" : " p" + error.percentile().getAsInt())
                + String.format(Locale.ROOT, " %.1f", error.share())).collect(Collectors.joining(", "));
    }

    @Test
    void whatIsKnownWellIsNotTold() {
        Distribution same = mixed(100, 1 << 20, 0);
        assertThat(told(latency(same, same, 0))).isEmpty();
        assertThat(told(latency(same, same, 4 << 20))).isEmpty();
        assertThat(told(latency(same, same, 6 << 20))).as("of all figures").isEqualTo("wall 0.1");
    }

    /** The mean is nearly that of the long calls. */
    @Test
    void halfOfTheCallsAreShort() {
        Distribution wall = mixed(60, 1_000, 1_000_000);
        // 100 ns in each call.
        assertThat(told(latency(wall, wall, 10_000))).isEqualTo("wall p50 0.1");
        assertThat(FigureError.perCallNanos(latency(wall, wall, 10_000))).isEqualTo(100);
        assertThat(told(latency(mixed(95, 1_000, 1_000_000), wall, 10_000))).startsWith("wall p50 0.1, wall p90 0.1");
        assertThat(told(latency(wall, wall, 4_000))).as("40 ns of 1 µs").isEmpty();
    }

    /** What was removed was time on a CPU, and most of the call is none. */
    @Test
    void aCallThatSleepsHasLittleTimeOnACpu() {
        Distribution wall = mixed(100, 10_000_000, 0);
        assertThat(told(latency(wall, mixed(100, 1_000, 0), 10_000))).isEqualTo("on_cpu 0.1");
        assertThat(told(latency(wall, mixed(60, 1_000, 100_000), 10_000))).isEqualTo("on_cpu p50 0.1");
    }

    @Test
    void anErrorThatIsHardlyLargerIsNotToldBesideAnother() {
        Distribution wall = mixed(60, 1_000, 2_000);
        // The mean is 1 400 ns.
        assertThat(told(latency(wall, wall, 14_000))).isEqualTo("wall 0.1");
        assertThat(told(latency(mixed(60, 1_000, 20_000), wall, 100_000))).isEqualTo("wall 0.1, wall p50 1.0, on_cpu 0.7");
        Distribution little = mixed(100, 100, 0);
        assertThat(told(latency(little, little, 200_000))).as("more than all of it").isEqualTo("wall 20.0");
    }

    /** Long calls have more probed calls within them. */
    @Test
    void aboveTheMeanThePercentilesErrorIsTheMeans() {
        Distribution wall = mixed(10, 1_000, 1_000_000);
        assertThat(told(latency(wall, wall, 4_000_000))).isEmpty();
    }

    @Test
    void nothingIsToldOfWhatIsNotThereOrNotKnown() {
        Distribution none = times();
        assertThat(FigureError.of(latency(none, none, 100))).isEmpty();
        assertThat(FigureError.of(latency(times(0, 0), times(0, 0), 100))).as("the verdict says that nothing is left").isEmpty();
        assertThat(FigureError.of(new FunctionLatency(F, 1, 0, 0, Map.of(Metric.WALL, times(10))))).isEmpty();
        ProbedFunction wallOnly = new ProbedFunction(0, "f", new ProbePoint.SystemCall("read"), Mechanism.TRACEPOINT, Set.of(Metric.WALL),
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0);
        FunctionLatency call = new FunctionLatency(wallOnly, 100, 0, 0, latency(none, none, 10_000).fates(),
                Map.of(Metric.WALL, mixed(100, 10_000_000, 0)));
        assertThat(FigureError.of(call)).as("time on a CPU was not measured").isEmpty();
    }

    /** Its buckets are lost with a damaged file; count and sum are not. */
    @Test
    void withoutBucketsTheMeanIsToldAlone() {
        Distribution sums = new Distribution.Builder().addTotals(100, 100_000, 2_000).build();
        assertThat(told(latency(sums, sums, 10_000))).isEqualTo("wall 0.1");
    }
}
