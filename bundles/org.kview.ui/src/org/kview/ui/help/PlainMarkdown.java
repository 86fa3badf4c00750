// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.help;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Markdown as a text with bold stretches: as much of it as this project's documentation uses. Pictures are left out; of
 * links, only the text is kept.
 */
final class PlainMarkdown {
    private static final Pattern PICTURE = Pattern.compile("!\\[[^]]*\\]\\([^)]*\\)");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)\\]\\([^)]*\\)");
    private static final Pattern STRONG = Pattern.compile("\\*\\*(.+?)\\*\\*|(?<![*\\w])\\*([^*]+)\\*(?![*\\w])|`([^`]+)`");

    private final StringBuilder text = new StringBuilder();
    private final List<Stretch> bold = new ArrayList<>();

    /** A bold stretch, which begins at {@code start}. */
    record Stretch(int start, int length) {
    }

    static PlainMarkdown of(String title, List<String> lines) {
        PlainMarkdown plain = new PlainMarkdown();
        plain.heading(title);
        boolean code = false;
        boolean open = false;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("```")) {
                code = !code;
                open = plain.end(open);
            } else if (code) {
                plain.text.append("    ").append(line).append('\n');
            } else if (line.isBlank() || PICTURE.matcher(line.strip()).matches()) {
                open = plain.end(open);
                plain.gap();
            } else if (line.startsWith("#")) {
                open = plain.end(open);
                plain.heading(line.replaceFirst("^#+", "").strip());
            } else if (line.startsWith("|")) {
                open = plain.end(open);
                // The heads of columns are left out: as plain text they would look like any other line.
                if (i + 1 == lines.size() || !isRule(lines.get(i + 1))) {
                    plain.row(line);
                }
            } else {
                boolean item = line.matches("(-|\\d+\\.) .*");
                open = item ? plain.end(open) : open;
                plain.words((open ? " " : "") + (line.startsWith("- ") ? "• " + line.substring(2) : line.strip()));
                open = true;
            }
        }
        plain.end(open);
        return plain;
    }

    /** Ends a paragraph. */
    private boolean end(boolean open) {
        if (open) {
            text.append('\n');
        }
        return false;
    }

    /** An empty line, unless one is there. */
    private void gap() {
        if (!text.isEmpty() && !text.toString().endsWith("\n\n")) {
            text.append('\n');
        }
    }

    private void heading(String title) {
        gap();
        bold.add(new Stretch(text.length(), title.length()));
        text.append(title).append("\n\n");
    }

    /** Below the heads of a table. */
    private static boolean isRule(String line) {
        return line.matches("\\|[|: -]+");
    }

    /** A line of a table: its first cell stands out. */
    private void row(String line) {
        String[] cells = line.substring(1, Math.max(1, line.lastIndexOf('|'))).split("\\|");
        if (isRule(line)) {
            return;
        }
        String key = unmarked(cells[0].strip());
        bold.add(new Stretch(text.length(), key.length()));
        text.append(key);
        for (int i = 1; i < cells.length; i++) {
            words((i == 1 ? ":  " : ", ") + cells[i].strip());
        }
        text.append('\n');
    }

    private static String unmarked(String words) {
        return STRONG.matcher(LINK.matcher(words).replaceAll("$1")).replaceAll("$1$2$3");
    }

    private void words(String markdown) {
        String words = LINK.matcher(PICTURE.matcher(markdown).replaceAll("")).replaceAll("$1");
        Matcher strong = STRONG.matcher(words);
        int from = 0;
        while (strong.find()) {
            text.append(words, from, strong.start());
            String inner = strong.group(1) != null ? strong.group(1) : strong.group(2) != null ? strong.group(2) : strong.group(3);
            if (strong.group(3) == null) {
                bold.add(new Stretch(text.length(), inner.length()));
            }
            text.append(inner);
            from = strong.end();
        }
        text.append(words.substring(from));
    }

    String text() {
        return text.toString().stripTrailing() + "\n";
    }

    /** In the order of the text, none over another. */
    List<Stretch> bold() {
        return bold;
    }
}
