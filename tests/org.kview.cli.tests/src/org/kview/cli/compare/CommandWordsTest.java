// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import picocli.CommandLine.TypeConversionException;

class CommandWordsTest {
    private static List<String> words(String text) {
        return new CommandWords.Converter().convert(text).words();
    }

    /** What is understood is understood as by a shell. */
    @ParameterizedTest
    @ValueSource(strings = {"ls", " ls   -l\t/tmp ", "a 'b c' d", "a \"b c\"d'e f'", "a '' \"\" b", "a \\  b\\'c \\\\",
            "a \"\\\"b\\\" \\\\ \\c \\$x\"", "a '$x `y` * | ; \\' \"* | ; > #~\"", "a b#c d~e x=1 {f} %g !h ^i @j", "env X=1 ls",
            "./a --n=3 --", "ä 'ö ü'"})
    void cutsAsAShellDoes(String text) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", "printf '%s\\0' " + text).start();
        String printed = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).isZero();
        assertThat(words(text)).isEqualTo(List.of(printed.split("\0", -1)).subList(0, printed.split("\0", -1).length - 1));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '^', quoteCharacter = '%', value = {"a | b^because of |", "a && b^because of &", "a;b^because of ;",
            "a > b^because of >", "a $x^because of $", "a `b`^because of `", "a *.c^because of *", "a b?^because of ?",
            "a [b]^because of [", "~/a^because of ~", "a #b^because of #", "(a)^because of (", "a \"$x\"^within double quotes",
            "a \"`x`\"^within double quotes", "a 'b^lacks a closing '", "a \"b^lacks a closing \"", "a \"b\\^lacks a closing \"",
            "a \\^ends with a backslash", "X=1 a^put env before it", "'  '^is no command"})
    void whatOnlyAShellCanDoIsRefused(String text, String says) {
        assertThatThrownBy(() -> words(text.equals("'  '") ? "  " : text)).isInstanceOf(TypeConversionException.class)
                .hasMessageContaining(says);
    }

    @Test
    void aSecondLineIsRefused() {
        assertThatThrownBy(() -> words("a\nb")).hasMessageContaining("its second line");
        assertThat(words("a 'b\nc'")).containsExactly("a", "b\nc");
    }
}
