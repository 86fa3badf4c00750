/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.chart;

/** Text within XML and HTML. */
public final class Markup {
    private Markup() {
    }

    /**
     * Escapes a text for content and for attributes in double or single quotes. Characters that XML
     * does not allow become U+FFFD, and so do those that turn the direction of writing, by which a
     * name could pass for another.
     */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(isAllowed(c) ? c : 0xFFFD);
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c == '\t' || c == '\n' || c == '\r';
            case Character.SURROGATE, Character.UNASSIGNED -> false;
            case Character.FORMAT -> c == 0x200C || c == 0x200D;
            default -> true;
        };
    }
}
