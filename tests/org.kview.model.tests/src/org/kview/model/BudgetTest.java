// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
    @ParameterizedTest
    @CsvSource({"5%,50000,5%", "5,50000,5%", "0.5 %,5000,0.5%", "100%,1000000,100%", "0.0001%,1,0.0001%", "20%,200000,20%",
            "none,0,none", "NONE,0,none"})
    void isReadAndSaid(String text, int ppm, String said) {
        assertThat(Budget.parse(text)).contains(new Budget(ppm));
        assertThat(new Budget(ppm)).hasToString(said);
        assertThat(Budget.parse(said)).contains(new Budget(ppm));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0%", "101%", "-5%", "five", "5%%", "1e9", "0.00001%"})
    void whatIsNoShareIsNone(String text) {
        assertThat(Budget.parse(text)).isEmpty();
    }

    @Test
    void noneIsNoLimit() {
        assertThat(Budget.NONE.isLimited()).isFalse();
        assertThat(Budget.DEFAULT.share()).isEqualTo(0.05);
        assertThatThrownBy(() -> new Budget(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
