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
    void aShortPartHasTicksAtEqualDistances() {
        assertThat(new LogAxis(2.04e6, 2.31e6).ticks()).extracting(LogAxis.Tick::label).containsExactly("2.05 ms", "2.10 ms",
                "2.15 ms", "2.20 ms", "2.25 ms", "2.30 ms");
        assertThat(new LogAxis(400, 900).ticks()).extracting(LogAxis.Tick::label).containsExactly("400 ns", "500 ns", "600 ns",
                "700 ns", "800 ns", "900 ns");
        for (double low = 1; low < 1e11; low *= 1.3) {
            for (double factor : new double[] {1.25, 2, 7}) {
                assertThat(new LogAxis(low, low * factor).ticks().size()).as("%f × %f", low, factor).isBetween(low < 10 ? 0 : 2, 9);
            }
        }
    }

    @Test
    void whatIsUnderThePointerStaysThereWhenOneZooms() {
        LogAxis whole = new LogAxis(100, 1e8);
        LogAxis part = whole.zoomed(0.3, 0.5, whole);
        assertThat(part.nanosAt(0.3)).isCloseTo(whole.nanosAt(0.3), offset(1e-6));
        assertThat(Math.log(part.maxNanos() / part.minNanos())).isCloseTo(Math.log(1e6) / 2, offset(1e-9));
        LogAxis all = part.zoomed(0.9, 5, whole);
        assertThat(all.minNanos()).as("no more than all").isCloseTo(100, offset(1e-6));
        assertThat(all.maxNanos()).isCloseTo(1e8, offset(1.0));
        LogAxis least = whole;
        for (int i = 0; i < 100; i++) {
            least = least.zoomed(0.5, 0.7, whole);
        }
        assertThat(least.maxNanos() / least.minNanos()).isCloseTo(1.25, offset(1e-6));
        assertThat(least.nanosAt(0.5)).isCloseTo(1e5, offset(1.0));
    }

    @Test
    void aPartMovesNoFurtherThanTheEnds() {
        LogAxis whole = new LogAxis(100, 1e8);
        LogAxis part = whole.part(1e4, 1e6);
        assertThat(part.moved(0.5, whole).minNanos()).isCloseTo(1e5, offset(1e-3));
        assertThat(part.moved(9, whole).maxNanos()).isCloseTo(1e8, offset(1.0));
        assertThat(part.moved(9, whole).minNanos()).isCloseTo(1e6, offset(1.0));
        assertThat(part.moved(-9, whole).minNanos()).isCloseTo(100, offset(1e-3));
        assertThat(whole.part(1, 50).minNanos()).as("a part beyond the end").isCloseTo(100, offset(1e-6));
    }

    @Test
    void thereIsNoAxisToZero() {
        assertThatThrownBy(() -> new LogAxis(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new LogAxis(5, 5)).isInstanceOf(IllegalArgumentException.class);
    }
}
