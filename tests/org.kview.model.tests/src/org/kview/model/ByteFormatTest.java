// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteFormatTest {
    @ParameterizedTest
    @CsvSource({"0, 0 B", "512, 512 B", "1023, 1023 B", "1024, 1 KiB", "1536, 1.5 KiB", "421888, 412 KiB", "1048063, 1023 KiB",
            "1048575, 1 MiB", "2411725, 2.3 MiB", "9223372036854775807, 8 EiB"})
    void amountsHaveTheirUnit(long bytes, String text) {
        assertThat(ByteFormat.bytes(bytes)).isEqualTo(text);
    }
}
