// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import org.junit.jupiter.api.Test;

class LogAxisTest {

    @Test
    void ticksStandAt1And2And5WithTheirUnits() {
        assertThat(new LogAxis(800, 6e6).ticks()).extracting(LogAxis.Tick::label).containsExactly("1 µs", "2 µs", "5 µs",
                "10 µs", "20 µs", "50 µs", "100 µs", "200 µs", "500 µs", "1 ms", "2 ms", "5 ms");
        assertThat(new LogAxis(0.5, 3).ticks()).extracting(LogAxis.Tick::label).containsExactly("1 ns", "2 ns");
        assertThat(new LogAxis(1e9, 3e13).ticks()).extracting(LogAxis.Tick::label).contains("1 s", "1000 s", "20000 s");
    }

    @Test
    void positionsAndTimesAreInverse() {
        LogAxis axis = new LogAxis(100, 1e8);
        assertThat(axis.position(100)).isZero();
        assertThat(axis.position(1e8)).isEqualTo(1);
        assertThat(axis.position(1e5)).isCloseTo(0.5, offset(1e-12));
        assertThat(axis.nanosAt(axis.position(4321))).isCloseTo(4321, offset(1e-6));
    }

    @Test
    void aSingleValueStillHasAnAxisWithTwoLabels() {
        for (double nanos = 0; nanos < 1e12; nanos = nanos * 1.7 + 1) {
            LogAxis axis = LogAxis.around(nanos, nanos + 1);
            assertThat(axis.ticks().size()).isGreaterThanOrEqualTo(2);
            assertThat(axis.position(nanos)).isBetween(0.0, 1.0);
        }
    }

    @Test
    void thereIsNoAxisToZero() {
        assertThatThrownBy(() -> new LogAxis(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LogAxis(5, 5)).isInstanceOf(IllegalArgumentException.class);
    }
}
