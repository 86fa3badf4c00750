// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;

import org.junit.jupiter.api.Test;

class SafeTextTest {
    private static final String HOSTILE = "\u001b[2J\u0007\r\u0000\u009b31m\u202e\u2066\u2028\ufeff\ud800\u00ad\ud83d";

    @Test
    void nothingSteersATerminalOrTurnsTheDirection() {
        assertThat(SafeText.line("a" + HOSTILE + "\nb\tc")).isEqualTo("a\ufffd[2J" + "\ufffd".repeat(4) + "31m" + "\ufffd".repeat(7)
                + "\ufffdb\ufffdc");
        assertThat(SafeText.lines("a\nb\tc\r\u001b[31md")).isEqualTo("a\nb\tc\ufffd\ufffd[31md");
        assertThat(SafeText.colouredLines("\u001b[1;31mred\u001b[0m\u001b[2J\u001b]0;title\u0007\u001b[31\u001b"))
                .isEqualTo("\u001b[1;31mred\u001b[0m\ufffd[2J\ufffd]0;title\ufffd\ufffd[31\ufffd");
    }

    @Test
    void whatPeopleWriteStays() {
        String text = "größer – 1 µs · 日本 नमस्\u200dते 👩\u200d🔧 “quoted”…";
        assertThat(SafeText.line(text)).isSameAs(text);
        assertThat(SafeText.line("abcdef", 3)).isEqualTo("abc…");
        assertThat(SafeText.line("ab👩d", 3)).isEqualTo("ab…");
        assertThat(SafeText.line("ab", 3)).isEqualTo("ab");
    }

    @Test
    void jsonKeepsItsMeaning() {
        assertThat(SafeText.json("{\"a\" :\n\t\"\u009b\u202e\ud800x\udb40\udc01µ\"}"))
                .isEqualTo("{\"a\" :\n\t\"\\u009b\\u202e\\ud800x\\udb40\\udc01µ\"}");
    }

    @Test
    void whateverComesNothingHiddenIsLeft() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int c = random.nextInt(20); c > 0; c--) {
                text.append((char) (random.nextBoolean() ? random.nextInt(0x3000) : random.nextInt(0x10000)));
            }
            String line = SafeText.line(text.toString());
            assertThat(line.codePoints().allMatch(SafeText::isShown)).isTrue();
            assertThat(line.codePointCount(0, line.length())).isEqualTo(text.codePointCount(0, text.length()));
            assertThat(SafeText.json(text.toString()).codePoints().allMatch(c -> c == '\n' || c == '\t' || SafeText.isShown(c))).isTrue();
        }
    }
}
