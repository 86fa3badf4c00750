// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

class LatencyAccumulatorTest {
    private static final ProbedFunction F = function(0, "f", 180, 2000);
    private static final ProbedFunction G = function(1, "g", 180, 4000);

    private static ProbedFunction function(int id, String name, long inner, long call) {
        return Recorded.function(id, name, name, "/bin/x", 1, 1, 1, ExitKind.RETURN_SITES, inner, call);
    }

    private static LatencyInterval interval(Losses losses, FunctionInterval... parts) {
        return Recorded.interval(0, 1, List.of(parts), losses, false);
    }

    private static Distribution of(long... nanos) {
        Distribution.Builder builder = new Distribution.Builder();
        for (long value : nanos) {
            builder.add(value);
        }
        return builder.build();
    }

    @Test
    void timesAddUpAndCountersAreTheLatest() {
        LatencyAccumulator sum = new LatencyAccumulator(List.of(F, G));
        sum.add(interval(new Losses(1, 0, 0, 0, 0),
                new FunctionInterval(0, 3, 0, 0, Map.of(Metric.WALL, of(100, 200), Metric.ON_CPU, of(50, 60)))));
        sum.add(interval(new Losses(4, 1, 0, 2, 0), new FunctionInterval(0, 5, 1, 1, Map.of(Metric.WALL, of(300)))));

        FunctionLatency f = sum.functions().get(0);
        assertThat(f.calls()).isEqualTo(5);
        assertThat(f.abandoned()).isEqualTo(1);
        assertThat(f.unfinished()).isEqualTo(1);
        assertThat(f.wall()).isEqualTo(of(100, 200, 300));
        assertThat(f.onCpu()).isEqualTo(of(50, 60));
        assertThat(f.distribution(Metric.LOCK)).isEqualTo(Distribution.EMPTY);
        assertThat(sum.functions().get(1).calls()).isZero();
        assertThat(sum.losses()).isEqualTo(new Losses(4, 1, 0, 2, 0));
    }

    @Test
    void anUnknownFunctionChangesNothing() {
        LatencyAccumulator sum = new LatencyAccumulator(List.of(F));
        assertThatThrownBy(() -> sum.add(interval(Losses.NONE,
                new FunctionInterval(0, 1, 0, 0, Map.of(Metric.WALL, of(1))), new FunctionInterval(7, 1, 0, 0, Map.of()))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(sum.functions().get(0).calls()).isZero();
    }

    @Test
    void idsCountFromZero() {
        assertThatThrownBy(() -> new LatencyAccumulator(List.of(G))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theCostOfACallIsTheMeanOverCalls() {
        LatencyAccumulator sum = new LatencyAccumulator(List.of(F, G));
        sum.add(interval(Losses.NONE, new FunctionInterval(0, 3, 0, 0, Map.of()),
                new FunctionInterval(1, 1, 0, 0, Map.of())));
        assertThat(sum.overhead()).isEqualTo(Recorded.overhead(2500, true));
    }

    @Test
    void oneFunctionWithoutCalibrationIsNotCalibrated() {
        assertThat(new LatencyAccumulator(List.of(F, function(1, "g", 0, 0))).overhead().calibrated()).isFalse();
        assertThat(new LatencyAccumulator(List.of(F, function(1, "syscall:read", 0, 900))).overhead().calibrated())
                .as("of system calls the whole cost is known").isTrue();
        assertThat(new LatencyAccumulator(List.of(function(0, "syscall:read", 0, 900))).overhead().calibrated())
                .as("and nothing is subtracted").isFalse();
        assertThat(new LatencyAccumulator(List.of()).overhead()).isEqualTo(Recorded.overhead(0, false));
    }

    @Test
    void whatWasHandedOutDoesNotChange() {
        LatencyAccumulator sum = new LatencyAccumulator(List.of(F));
        List<FunctionLatency> before = sum.functions();
        sum.add(interval(Losses.NONE, new FunctionInterval(0, 1, 0, 0, Map.of(Metric.WALL, of(1)))));
        assertThat(before.get(0).wall().isEmpty()).isTrue();
    }

    /** Of thousands of functions most are not called in an interval: nothing is built anew for those. */
    @Test
    void whatDidNotChangeIsNotBuiltAnew() {
        LatencyAccumulator sum = new LatencyAccumulator(List.of(F, G));
        sum.add(interval(Losses.NONE,
                new FunctionInterval(0, 1, 0, 0, Map.of(Metric.WALL, of(5), Metric.LOCK, of(3))),
                new FunctionInterval(1, 1, 0, 0, Map.of(Metric.WALL, of(7)))));
        List<FunctionLatency> before = sum.functions();
        assertThat(sum.functions()).usingElementComparator((a, b) -> a == b ? 0 : 1).isEqualTo(before);
        sum.add(interval(Losses.NONE, new FunctionInterval(0, 2, 0, 0, Map.of(Metric.WALL, of(6)))));
        List<FunctionLatency> after = sum.functions();
        assertThat(after.get(1)).isSameAs(before.get(1));
        assertThat(after.get(0).distribution(Metric.LOCK)).isSameAs(before.get(0).distribution(Metric.LOCK));
        assertThat(after.get(0).calls()).isEqualTo(2);
        assertThat(after.get(0).wall()).isEqualTo(of(5, 6));
        assertThat(before.get(0).wall()).isEqualTo(of(5));
    }
}
