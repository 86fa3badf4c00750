// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatencyFormatTest {

    @ParameterizedTest
    @CsvSource({"0, 0 ns", "7, 7 ns", "999, 999 ns", "999.6, 1.00 µs", "1930000, 1.93 ms", "19300000, 19.3 ms",
            "193000000, 193 ms", "9996, 10.0 µs", "99960, 100 µs", "3600000000000, 3600 s"})
    void threeDigitsAndTheUnitThatFits(double nanos, String text) {
        assertThat(LatencyFormat.nanos(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"7, 7 ns", "1931204, '1.93 ms = 1,931,204 ns'", "1000, '1.00 µs = 1,000 ns'"})
    void allDigitsOnDemand(long nanos, String text) {
        assertThat(LatencyFormat.exactly(nanos)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"17, 18, 17 ns", "0, 1, 0 ns", "32, 34, 32–34 ns", "1980000, 2110000, 1.98–2.11 ms",
            "960, 1024, 0.96–1.02 µs"})
    void bothEndsOfARangeInOneUnit(double low, double high, String text) {
        assertThat(LatencyFormat.range(low, high)).isEqualTo(text);
    }

    /** Also where a value is half way between two numbers, which not every double that looks so is. */
    @Test
    void roundedAsStringFormatDoes() {
        Random random = new Random(5);
        List<Double> values = new ArrayList<>(List.of(0.0, -0.0, 0.5, 1.5, 2.5, 0.05, 0.005, 1.005, 0.285, 2.675, 0.995, 99.995, 999.9999,
                -0.001, -0.5, 1e9, 1e18, 1e300, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
        for (int i = 0; i < 2000; i++) {
            values.add((random.nextInt(2_000_000) - 1_000_000) / 1000.0);
            values.add((random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(14)));
        }
        for (double value : values) {
            for (int decimals = 0; decimals <= 2; decimals++) {
                assertThat(LatencyFormat.fixed(value, decimals)).isEqualTo(String.format(Locale.ROOT, "%." + decimals + "f", value));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 7, -7, 999, 1000, -999, -1000, 999_999, 1_000_000, -1_000_000, Long.MAX_VALUE, Long.MIN_VALUE})
    void thousandsAreSeparated(long count) {
        assertThat(LatencyFormat.count(count)).isEqualTo(String.format(Locale.ROOT, "%,d", count));
    }

    @Test
    void countsAndShares() {
        assertThat(LatencyFormat.count(18204)).isEqualTo("18,204");
        assertThat(LatencyFormat.percent(0)).isEqualTo("0 %");
        assertThat(LatencyFormat.percent(0.001)).isEqualTo("<1 %");
        assertThat(LatencyFormat.percent(0.944)).isEqualTo("94 %");
    }
}
