// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;

/**
 * Makes text from elsewhere (hosts, programs, sessions, files) safe to show: to people, on terminals, in pages, dialogs
 * and logs. Characters that could control a terminal, begin a new line, change the direction of writing or be overlooked
 * become U+FFFD: control characters of both sets, format characters except the joiners that scripts need, separators of
 * lines and paragraphs, halves of surrogate pairs, and characters that Unicode has not assigned.
 */
public final class SafeText {
    private static final char REPLACED = '\uFFFD';
    private static final char ESCAPE = '\u001b';

    private SafeText() {
    }

    /** One line. */
    public static String line(String text) {
        return text.codePoints().allMatch(SafeText::isShown) ? text : filter(text, false, false);
    }

    /** One line, and no longer than so many characters; what is cut off leaves an ellipsis. */
    public static String line(String text, int maxChars) {
        String line = line(text.length() > 4 * maxChars ? text.substring(0, 4 * maxChars) : text);
        return line.length() <= maxChars ? line
                : line.substring(0, Character.isHighSurrogate(line.charAt(maxChars - 1)) ? maxChars - 1 : maxChars) + "…";
    }

    /** Each text as one line, for a table's row. */
    public static String[] cells(String... texts) {
        return Arrays.stream(texts).map(SafeText::line).toArray(String[]::new);
    }

    /** Several lines: line feeds and tabulators stay. */
    public static String lines(String text) {
        return filter(text, true, false);
    }

    /** Several lines with colours: sequences that select how characters look stay, too, but no others. */
    public static String colouredLines(String text) {
        return filter(text, true, true);
    }

    /** A JSON text with the same meaning: characters that would be replaced are escaped instead. */
    public static String json(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean pair = Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
            int point = pair ? text.codePointAt(i) : c;
            if (c == '\n' || c == '\t' || isShown(point)) {
                escaped.appendCodePoint(point);
            } else {
                escaped.append("\\u%04x".formatted((int) c));
                if (pair) {
                    escaped.append("\\u%04x".formatted((int) text.charAt(i + 1)));
                }
            }
            i += pair ? 1 : 0;
        }
        return escaped.toString();
    }

    /** Whether a character is shown as itself within a line. */
    public static boolean isShown(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.UNASSIGNED, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.FORMAT -> codePoint == 0x200C || codePoint == 0x200D;
            default -> true;
        };
    }

    private static String filter(String text, boolean lines, boolean colours) {
        StringBuilder shown = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int colour = colours && c == ESCAPE ? endOfColour(text, i) : i;
            if (colour > i) {
                shown.append(text, i, colour);
                i = colour;
                continue;
            }
            shown.appendCodePoint(isShown(c) || lines && (c == '\n' || c == '\t') ? c : REPLACED);
            i += Character.charCount(c);
        }
        return shown.toString();
    }

    /** The index after {@code ESC [ digits and semicolons m}; the same index if none begins there. */
    private static int endOfColour(String text, int begin) {
        int at = begin + 1;
        if (at >= text.length() || text.charAt(at) != '[') {
            return begin;
        }
        for (at++; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == 'm') {
                return at + 1;
            }
            if (c != ';' && (c < '0' || c > '9')) {
                return begin;
            }
        }
        return begin;
    }
}
