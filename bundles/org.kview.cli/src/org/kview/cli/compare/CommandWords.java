// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.compare;

import java.util.ArrayList;
import java.util.List;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A command that is given as one argument, split into words as a shell would do it. No shell runs it, because a shell would
 * be a process of its own in each recording. So what only a shell can do is refused, instead of being handed to the program
 * as it stands.
 *
 * @param text  as it was given
 * @param words the program and its arguments, at least one
 */
record CommandWords(String text, List<String> words) {
    /** Without quotes, these do something in a shell wherever they stand. */
    private static final String SPECIAL = "|&;<>()$`*?[\n";
    /** These do so at the beginning of a word only. */
    private static final String SPECIAL_AT_BEGINNING = "~#";
    /** Within double quotes a backslash stands for itself before any other character. */
    private static final String ESCAPED_IN_QUOTES = "\"\\$`";

    CommandWords {
        words = List.copyOf(words);
    }

    static final class Converter implements ITypeConverter<CommandWords> {
        @Override
        public CommandWords convert(String text) {
            return new CommandWords(text, new Cutter(text).words());
        }
    }

    private static final class Cutter {
        private final String text;
        private final List<String> words = new ArrayList<>();
        private final StringBuilder word = new StringBuilder();
        private boolean inWord;
        private int at;

        Cutter(String text) {
            this.text = text;
        }

        List<String> words() {
            while (at < text.length()) {
                char c = text.charAt(at++);
                switch (c) {
                    case ' ', '\t' -> endWord();
                    case '\'' -> literal();
                    case '"' -> quoted();
                    case '\\' -> add(next("ends with a backslash"));
                    default -> plain(c);
                }
            }
            endWord();
            if (words.isEmpty()) {
                throw new TypeConversionException("'" + text + "' is no command");
            }
            if (words.getFirst().matches("[A-Za-z_][A-Za-z_0-9]*=.*")) {
                throw new TypeConversionException("'" + text + "' begins with a variable: put env before it, as in 'env "
                        + words.getFirst() + " ...'");
            }
            return words;
        }

        private void plain(char c) {
            if (SPECIAL.indexOf(c) >= 0 || !inWord && SPECIAL_AT_BEGINNING.indexOf(c) >= 0) {
                throw new TypeConversionException("'" + text + "' takes a shell, because of " + (c == '\n' ? "its second line" : c)
                        + " without quotes: quote it, or start a shell script that ends with exec and the program");
            }
            add(c);
        }

        private void literal() {
            inWord = true;
            for (char c = next("lacks a closing '"); c != '\''; c = next("lacks a closing '")) {
                word.append(c);
            }
        }

        private void quoted() {
            inWord = true;
            for (char c = next("lacks a closing \""); c != '"'; c = next("lacks a closing \"")) {
                if (c == '\\') {
                    char escaped = next("lacks a closing \"");
                    word.append(ESCAPED_IN_QUOTES.indexOf(escaped) < 0 ? "\\" : "").append(escaped);
                } else if (c == '$' || c == '`') {
                    throw new TypeConversionException("'" + text + "' takes a shell, because of " + c
                            + " within double quotes: put it into single quotes");
                } else {
                    word.append(c);
                }
            }
        }

        private char next(String otherwise) {
            if (at == text.length()) {
                throw new TypeConversionException("'" + text + "' " + otherwise);
            }
            return text.charAt(at++);
        }

        private void add(char c) {
            inWord = true;
            word.append(c);
        }

        private void endWord() {
            if (inWord) {
                words.add(word.toString());
                word.setLength(0);
                inWord = false;
            }
        }
    }
}
