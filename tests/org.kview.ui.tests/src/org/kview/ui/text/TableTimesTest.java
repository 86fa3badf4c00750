// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTimesTest {
    @ParameterizedTest
    @CsvSource({"FITTING, 1931204, 1.93 ms", "MICROS, 1931204, '1,931.2'", "MICROS, 49, <0.1", "MICROS, 0, 0.0",
            "MICROS, 960, 1.0", "NANOS, 1931204, '1,931,204'", "NANOS, 0, 0"})
    void theUnitIsThereWhereEachHasAnother(TableTimes.Unit unit, double nanos, String text) {
        assertThat(TableTimes.text(nanos, unit)).isEqualTo(text);
    }
}
