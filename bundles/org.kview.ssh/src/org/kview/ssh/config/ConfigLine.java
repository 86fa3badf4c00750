// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One line of a configuration file.
 *
 * @param file      where it is
 * @param number    its number, from 1
 * @param keyword   in lower case
 * @param arguments without quotes, and without a comment at the end
 * @param rest      everything after the keyword, unchanged
 */
record ConfigLine(Path file, int number, String keyword, List<String> arguments, String rest) {

    /** @return empty for a blank line or a comment */
    static Optional<ConfigLine> parse(Path file, int number, String line) throws SshConfigException {
        String text = line.strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return Optional.empty();
        }
        int end = 0;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end)) && text.charAt(end) != '=') {
            end++;
        }
        String keyword = text.substring(0, end).replace("\"", "").toLowerCase(Locale.ROOT);
        // One equals sign may stand between keyword and arguments.
        String rest = text.substring(end).strip();
        if (rest.startsWith("=")) {
            rest = rest.substring(1).strip();
        }
        return Optional.of(new ConfigLine(file, number, keyword, split(file, number, rest), rest));
    }

    private static List<String> split(Path file, int number, String text) throws SshConfigException {
        List<String> words = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
                continue;
            }
            if (c == '#') {
                break;
            }
            StringBuilder word = new StringBuilder();
            char quote = 0;
            for (; at < text.length() && (quote != 0 || !Character.isWhitespace(text.charAt(at))); at++) {
                c = text.charAt(at);
                if (c == '\\' && at + 1 < text.length() && isEscapable(text.charAt(at + 1), quote)) {
                    word.append(text.charAt(++at));
                } else if (quote == 0 && (c == '"' || c == '\'')) {
                    quote = c;
                } else if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            }
            if (quote != 0) {
                throw new SshConfigException("Line " + number + " of " + file + " has a quote that is not closed; close it");
            }
            words.add(word.toString());
        }
        return List.copyOf(words);
    }

    private static boolean isEscapable(char c, char quote) {
        return c == '"' || c == '\'' || c == '\\' || quote == 0 && c == ' ';
    }

    SshConfigException error(String what) {
        return new SshConfigException("Line " + number + " of " + file + " " + what + "; correct it");
    }

    /** @throws SshConfigException if there is none */
    String argument() throws SshConfigException {
        if (arguments.isEmpty() || arguments.getFirst().isEmpty()) {
            throw error("lacks the value of " + keyword);
        }
        return arguments.getFirst();
    }
}
