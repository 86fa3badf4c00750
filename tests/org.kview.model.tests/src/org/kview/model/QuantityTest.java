// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
    @ParameterizedTest
    @CsvSource({"COUNT, 0, 0", "COUNT, 0.0004, <0.01", "COUNT, 0.005, 0.01", "COUNT, 0.25, 0.25", "COUNT, 4.5, 4.5", "COUNT, 18204, '18,204'", "BYTES, 0, 0 B",
            "BYTES, 0.3, <1 B", "BYTES, 2048, 2 KiB", "NANOSECONDS, 0, 0 ns", "NANOSECONDS, 0.2, <1 ns", "NANOSECONDS, 1930000, 1.93 ms"})
    void whatIsNotNoneDoesNotLookLikeIt(Quantity.Unit unit, double value, String text) {
        assertThat(new Quantity("q", "what is counted", unit).text(value)).isEqualTo(text);
    }
}
