// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.kview.model.ProbedFunction.ExitKind;
import org.kview.testing.Recorded;

/** What became of calls, summed up over intervals. */
class CallFatesTest {
    private static final ProbedFunction F = Recorded.function(0, "f", "f", "/bin/x", 1, 1, 1, ExitKind.UNKNOWN, 0, 0);
    private static final LostCalls LOST = new LostCalls(1, 2, 3, 4, 5);

    private static CallFates fates(LostCalls lost, long uncertainNanos) {
        return Recorded.fates(lost, 6, 7, 8, uncertainNanos, 9, 10, Optional.of(new CallFates.ProbesOff(11, "Too dear.",
                Optional.empty(), 0)));
    }

    private static Map<Metric, Distribution> walls(int calls) {
        Distribution.Builder wall = new Distribution.Builder();
        for (int i = 0; i < calls; i++) {
            wall.add(100);
        }
        return Map.of(Metric.WALL, wall.build());
    }

    @Test
    void eachCallHasAFate() {
        FunctionLatency whole = new FunctionLatency(F, 30, 2, 3, Optional.of(fates(LOST, 0)), walls(10));
        assertThat(whole.unaccountedCalls()).isZero();
        assertThat(new FunctionLatency(F, 31, 2, 3, Optional.of(fates(LOST, 0)), walls(10)).unaccountedCalls()).isOne();
        assertThat(new FunctionLatency(F, 29, 2, 3, Optional.of(fates(LOST, 0)), walls(10)).unaccountedCalls())
                .isEqualTo(-1);
        assertThat(new FunctionLatency(F, 31, 2, 3, walls(10)).unaccountedCalls()).as("of an agent that does not say")
                .isZero();
    }

    @Test
    void anErrorIsAShareOfTheTotal() {
        FunctionLatency f = new FunctionLatency(F, 10, 0, 0, Optional.of(fates(LostCalls.NONE, 100)), walls(10));
        assertThat(f.errorShare()).hasValue(0.1);
        assertThat(new FunctionLatency(F, 10, 0, 0, walls(10)).errorShare()).isEmpty();
    }

    @Test
    void theLastIntervalThatTellsCounts() {
        var sum = new LatencyAccumulator(List.of(F));
        sum.add(new LatencyInterval(0, 1, List.of(new FunctionInterval(0, 1, 0, 0, Optional.of(fates(LOST, 1)), Map.of())),
                Losses.NONE, new ProcessShare(5, 100), false));
        sum.add(new LatencyInterval(1, 2, List.of(new FunctionInterval(0, 2, 0, 0, Optional.of(fates(LOST, 2)), Map.of())),
                Losses.NONE, new ProcessShare(12, 200), false));
        sum.add(new LatencyInterval(2, 3, List.of(), Losses.NONE, new ProcessShare(15, 300), true));
        assertThat(sum.functions().getFirst().fates()).contains(fates(LOST, 2));
        assertThat(sum.overhead().process().share()).hasValue(0.05);
    }

    @Test
    void thoseOfTwoHostsAddUp() {
        CallFates both = fates(LOST, 1).plus(fates(LOST, 2));
        assertThat(both.lost()).isEqualTo(new LostCalls(2, 4, 6, 8, 10));
        assertThat(both.lost().total()).isEqualTo(30);
        assertThat(both.cutCalls()).isEqualTo(12);
        assertThat(both.cost().uncertainNanos()).isEqualTo(3);
        assertThat(both.probesOff()).isPresent();
    }

    @Test
    void aHostThatSaysAnythingIsRefused() {
        assertThatThrownBy(() -> new LostCalls(-1, 0, 0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fates(LOST, Long.MAX_VALUE)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new ProcessShare(-1, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Losses(0, 0, 0, 0, 0, 0, -1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
