// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;

/** What a program writes is shown without what could steer a view, wherever it is cut into pieces. */
class ProgramTextTest {
    private static final String WRITTEN = "grün\t1\r\n\u001b[1;31mred\u001b[0m 名前 \ud83d\ude00\r50 %\rdone\n\u001b]0;title\u0007\u202e\u0000end\n";
    private static final String SHOWN = "grün\t1\nred 名前 \ud83d\ude00\n50 %\ndone\n\ufffd]0;title\ufffd\ufffd\ufffdend\n";

    @Test
    void nothingSteersTheView() {
        assertThat(new ProgramText().add(WRITTEN.getBytes(StandardCharsets.UTF_8))).isEqualTo(SHOWN);
    }

    @Test
    void piecesMakeNoDifference() {
        byte[] bytes = WRITTEN.getBytes(StandardCharsets.UTF_8);
        for (int size = 1; size < bytes.length; size++) {
            ProgramText text = new ProgramText();
            StringBuilder shown = new StringBuilder();
            for (int at = 0; at < bytes.length; at += size) {
                shown.append(text.add(java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + size))));
            }
            assertThat(shown).as("pieces of " + size).hasToString(SHOWN);
        }
    }

    @Test
    void whatIsNoTextIsReplaced() {
        assertThat(new ProgramText().add(new byte[] {'a', (byte) 0xff, (byte) 0xc3, 'b'})).isEqualTo("a\ufffd\ufffdb");
    }
}
