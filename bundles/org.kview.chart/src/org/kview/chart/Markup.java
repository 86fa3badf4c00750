// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import org.kview.model.SafeText;

/** Text within XML and HTML. */
public final class Markup {
    private Markup() {
    }

    /**
     * Escapes a text for content and for attributes in double or single quotes. Characters that XML does not allow
     * become U+FFFD. So do characters that change the direction of writing, because with them one name could look like
     * another.
     */
    public static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int at = 0, c; at < text.length(); at += Character.charCount(c)) {
            c = text.codePointAt(at);
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.appendCodePoint(c == '\n' || c == '\t' || c == '\r' || SafeText.isShown(c) ? c : 0xFFFD);
            }
        }
        return escaped.toString();
    }
}
