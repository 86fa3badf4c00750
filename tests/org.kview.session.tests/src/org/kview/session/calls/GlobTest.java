// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"``|``|true", "*|``|true", "?|``|false", "a*|a|true", "a*c|abbc|true",
            "a*c|abbcd|false", "*b*|abc|true", "a?c|abc|true", "a?c|ac|false", "[abc]x|bx|true", "[!abc]x|bx|false", "[^a]x|bx|true",
            "[a-c]x|bx|true", "[a-c]x|dx|false", "[!a-c]x|dx|true", "[]a]|]|true", "[a-]|-|true", "op[]|op[]|true", "op[*|op[1]|true",
            "a\\*|a*|true", "a\\*|ab|false", "a\\|a\\|true", "**a**|bab|true", "price_*|price_basket|true", "price|price_basket|false",
            "PRICE_*|price_basket|false"})
    void matchesAsAShellDoes(String pattern, String text, boolean matches) {
        assertThat(new Glob(pattern).matches(text)).isEqualTo(matches);
    }

    /** An expression would try each way to cut the text into pieces. */
    @Test
    void manyStarsTakeNoLonger() {
        assertThat(new Glob("*a".repeat(200) + "b").matches("a".repeat(5000))).isFalse();
    }
}
