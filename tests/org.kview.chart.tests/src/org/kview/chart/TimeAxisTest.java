// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class TimeAxisTest {
    @Test
    void marksStandAtRoundTimes() {
        assertThat(new TimeAxis(0, 20_000_000_000L).ticks(8).stream().map(TimeAxis.Tick::label)).containsExactly("0", "5", "10",
                "15", "20");
        assertThat(new TimeAxis(12_345_000_000L, 12_345_900_000L).ticks(5).stream().map(TimeAxis.Tick::label))
                .containsExactly("12.3450", "12.3452", "12.3454", "12.3456", "12.3458");
        assertThat(new TimeAxis(-3, 2).ticks(10).stream().map(TimeAxis.Tick::label)).containsExactly("-0.000000003",
                "-0.000000002", "-0.000000001", "0.000000000", "0.000000001", "0.000000002");
    }

    @Test
    void neverMoreMarksThanFit() {
        for (long span = 1; span < 1L << 60; span = span * 3 + 1) {
            for (int most : new int[] {1, 4, 9}) {
                assertThat(new TimeAxis(17, 17 + span).ticks(most)).hasSizeLessThanOrEqualTo(most + 1);
            }
        }
    }

    @Test
    void positionsAndTimesAreEachOthersInverse() {
        TimeAxis axis = new TimeAxis(1_000, 3_000);
        assertThat(axis.position(1_500)).isEqualTo(0.25);
        assertThat(axis.nanosAt(0.25)).isEqualTo(1_500);
        assertThatThrownBy(() -> new TimeAxis(5, 5)).isInstanceOf(IllegalArgumentException.class);
    }
}
