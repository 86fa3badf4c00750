// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTimesTest {
    @ParameterizedTest
    @CsvSource({"FITTING, 1931204, 1.93 ms", "MICROS, 1931204, '1,931.2 µs'", "MICROS, 49, <0.1 µs", "MICROS, 0, 0.0 µs",
            "MICROS, 960, 1.0 µs", "NANOS, 1931204, '1,931,204 ns'", "NANOS, 0, 0 ns"})
    void allHaveTheUnit(TableTimes.Unit unit, double nanos, String text) {
        assertThat(TableTimes.text(nanos, unit)).isEqualTo(text);
    }
}
