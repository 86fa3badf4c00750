// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatencyFormatTest {

    @ParameterizedTest
    @CsvSource({"0, 0 ns", "7, 7 ns", "999, 999 ns", "999.6, 1.00 µs", "1930000, 1.93 ms", "19300000, 19.3 ms",
            "193000000, 193 ms", "9996, 10.0 µs", "99960, 100 µs", "3600000000000, 3600 s"})
    void threeDigitsAndTheUnitThatFits(double nanos, String text) {
        assertThat(LatencyFormat.nanos(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"17, 18, 17 ns", "0, 1, 0 ns", "32, 34, 32–34 ns", "1980000, 2110000, 1.98–2.11 ms",
            "960, 1024, 0.96–1.02 µs"})
    void bothEndsOfARangeInOneUnit(double low, double high, String text) {
        assertThat(LatencyFormat.range(low, high)).isEqualTo(text);
    }

    @Test
    void countsAndShares() {
        assertThat(LatencyFormat.count(18204)).isEqualTo("18,204");
        assertThat(LatencyFormat.percent(0)).isEqualTo("0 %");
        assertThat(LatencyFormat.percent(0.001)).isEqualTo("<1 %");
        assertThat(LatencyFormat.percent(0.944)).isEqualTo("94 %");
    }
}
