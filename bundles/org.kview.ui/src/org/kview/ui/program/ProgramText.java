// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.program;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import org.kview.model.SafeText;

/**
 * Makes text of what a program writes into one of its streams, as it may be shown: colours are left out, each way to end a
 * line is a line feed, and characters that could control a view are replaced. A character may come in pieces. Not safe for
 * use by several threads.
 */
final class ProgramText {
    private static final Pattern COLOUR = Pattern.compile("\u001b\\[[0-9;]*m");
    /** The beginning of a colour's sequence that has not arrived completely. */
    private static final Pattern BEGUN_COLOUR = Pattern.compile("\u001b(\\[[0-9;]{0,16})?\\z");

    private final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE).onUnmappableCharacter(CodingErrorAction.REPLACE);
    private ByteBuffer rest = ByteBuffer.allocate(0);
    private String begun = "";
    private boolean afterReturn;

    /** What is to be shown of the next bytes. */
    String add(byte[] bytes) {
        ByteBuffer in = ByteBuffer.allocate(rest.remaining() + bytes.length).put(rest).put(bytes).flip();
        CharBuffer out = CharBuffer.allocate(in.remaining() + 1);
        decoder.reset().decode(in, out, false);
        rest = in.slice();
        String text = COLOUR.matcher(begun + out.flip()).replaceAll("");
        var cut = BEGUN_COLOUR.matcher(text);
        int end = cut.find() ? cut.start() : text.length();
        begun = text.substring(end);
        return SafeText.lines(lines(text.substring(0, end)));
    }

    private String lines(String text) {
        StringBuilder lines = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\n' || !afterReturn) {
                lines.append(c == '\r' ? '\n' : c);
            }
            afterReturn = c == '\r';
        }
        return lines.toString();
    }
}
