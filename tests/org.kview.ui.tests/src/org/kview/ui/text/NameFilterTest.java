// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameFilterTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "''                | anything            | true",
        "bask              | price_Basket        | true",
        "BASK              | price_basket        | true",
        "bask              | flush_cache         | false",
        "price*            | price_basket        | true",
        "price*            | reprice_basket      | false",
        "*::push_back*     | std::vector::push_back(int) | true",
        "f?o               | foo                 | true",
        "f?o               | fooo                | false",
        "operator[]        | Map::operator[](int) | true",
        "*[]*              | Map::operator[](int) | true",
        "a.c               | abc                 | false",
        "*\\E.*            | x                   | false"})
    void letsThrough(String filter, String name, boolean through) {
        assertThat(NameFilter.of(filter).test(name)).isEqualTo(through);
    }
}
