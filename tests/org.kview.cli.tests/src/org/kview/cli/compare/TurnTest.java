// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnTest {
    @ParameterizedTest
    @ValueSource(ints = {3, 4, 5, 12})
    void eachPairHasBothAndEitherIsFirstAsOften(int count) {
        Set<String> orders = new HashSet<>();
        for (long seed = 0; seed < 200; seed++) {
            List<Turn> order = Turn.order(count, seed);
            assertThat(order).hasSize(2 * count).isEqualTo(Turn.order(count, seed));
            int firstA = 0;
            for (int i = 0; i < count; i++) {
                Turn one = order.get(2 * i);
                Turn other = order.get(2 * i + 1);
                assertThat(one.isA()).isNotEqualTo(other.isA());
                assertThat(one.number()).isEqualTo(i + 1);
                assertThat(other.number()).isEqualTo(i + 1);
                firstA += one.isA() ? 1 : 0;
            }
            assertThat(firstA).isBetween(count / 2, (count + 1) / 2);
            orders.add(Turn.text(order));
        }
        assertThat(orders).as("what is left to chance").hasSizeGreaterThanOrEqualTo(6);
    }

    @Test
    void eachHasASessionOfItsOwn() {
        assertThat(new Turn(true, 3).session(Path.of("out"))).isEqualTo(Path.of("out/a-3.kview"));
        assertThat(new Turn(false, 12).session(Path.of("out"))).isEqualTo(Path.of("out/b-12.kview"));
        assertThat(Turn.text(List.of(new Turn(true, 1), new Turn(false, 1)))).isEqualTo("A B");
    }
}
