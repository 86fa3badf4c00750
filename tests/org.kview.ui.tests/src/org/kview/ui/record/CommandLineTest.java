// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandLineTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "./a  b c          | [./a, b, c]",
        "a 'b c' d         | [a, b c, d]",
        "a \"b 'c'\"       | [a, b 'c']",
        "a b\\ c           | [a, b c]",
        "a ''              | [a, ]",
        "a 'x\\y'          | [a, x\\y]",
        "a --b='c d'       | [a, --b=c d]",
        "a $HOME *.c ; rm  | [a, $HOME, *.c, ;, rm]"})
    void parts(String line, String words) {
        assertThat(CommandLine.words(line).orElseThrow().toString()).isEqualTo(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"a 'b", "a \"b", "a \\"})
    void saysWhereAQuoteIsOpen(String line) {
        assertThat(CommandLine.words(line)).isEmpty();
    }

    @Test
    void globsUnlessOneWasTyped() {
        assertThat(FunctionPage.glob(" price ")).isEqualTo("*price*");
        assertThat(FunctionPage.glob("price*")).isEqualTo("price*");
        assertThat(FunctionPage.glob("")).isEqualTo("*");
    }
}
