// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command line as a user types it: words, parted by blanks, quoted with ' or ", \ before a single character. */
final class CommandLine {
    private CommandLine() {
    }

    /** Empty if a quote is not closed, or a \ stands at the end. Nothing else is expanded: there is no shell. */
    static Optional<List<String>> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
                continue;
            }
            inWord = true;
            if (quote == 0 && (c == '\'' || c == '"')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            } else if (c == '\\' && quote != '\'') {
                if (++i == text.length()) {
                    return Optional.empty();
                }
                word.append(text.charAt(i));
            } else {
                word.append(c);
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return quote == 0 ? Optional.of(words) : Optional.empty();
    }
}
