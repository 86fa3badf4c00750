// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.Metric;
import org.kview.model.SafeText;

/**
 * Lines for a terminal. Names come from binaries and files that anyone may have written: characters that could control a
 * terminal are not passed on. Not safe for use by several threads.
 */
public final class TerminalText {
    private static final String RESET = "\u001b[0m";

    private final TableStyle style;
    private final StringBuilder out = new StringBuilder();

    public TerminalText(TableStyle style) {
        this.style = style;
    }

    public void line(String line) {
        styled(printable(line));
    }

    /** A line that stands out where the terminal can do that. */
    public void bold(String line) {
        styled(style.colour() ? "\u001b[1m" + printable(line) + RESET : printable(line));
    }

    /** A sentence, in as many lines as it takes. */
    public void sentence(String sentence) {
        wrapped("", "", sentence);
    }

    /** Likewise, each line of it behind an indent. */
    public void note(String indent, String sentence) {
        wrapped(indent, indent, sentence);
    }

    /** Likewise, one that must not be overlooked. */
    public void warning(String sentence) {
        wrapped(style.colour() ? "\u001b[1;31m!! " + RESET : "!! ", "   ", sentence);
    }

    /** A line that contains colours and nothing else that has not been made {@link #printable}. */
    public void styled(String line) {
        String kept = line.stripTrailing();
        out.append(style.unicode() ? kept : ascii(kept)).append('\n');
    }

    /** All lines so far. */
    @Override
    public String toString() {
        return out.toString();
    }

    private void wrapped(String first, String indent, String sentence) {
        List<String> lines = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        for (String word : printable(sentence).split(" ")) {
            if (!current.isEmpty() && indent.length() + current.length() + 1 + word.length() > style.width()) {
                lines.add(current.toString());
                current.setLength(0);
            }
            current.append(current.isEmpty() ? "" : " ").append(word);
        }
        lines.add(current.toString());
        for (int i = 0; i < lines.size(); i++) {
            styled((i == 0 ? first : indent) + lines.get(i));
        }
    }

    /** A text without characters that could control a terminal. */
    public static String printable(String text) {
        return SafeText.line(text);
    }

    private static String ascii(String text) {
        return text.replace("µs", "us").replace('·', '-').replace('–', '-').replace('−', '-').replace("→", "->")
                .replace("±", "+-").replace('\uFFFD', '?').replaceAll("[^\\x00-\\x7f]", "?");
    }

    /** A text in a metric's colour, for terminals that know colours. */
    public static String coloured(Metric metric, String text) {
        int rgb = metric.rgb();
        return "\u001b[38;2;" + (rgb >> 16 & 0xff) + ";" + (rgb >> 8 & 0xff) + ";" + (rgb & 0xff) + "m" + text + RESET;
    }

    /** A text, filled up on its right. */
    public static String left(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    /** A text after blanks, one at least. */
    public static String right(String text, int width) {
        return " ".repeat(Math.max(1, width - text.length())) + text;
    }
}
