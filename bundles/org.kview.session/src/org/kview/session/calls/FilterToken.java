// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.BooleanParser;
import org.kview.model.SyntaxException;

/**
 * A piece of a filter's text.
 *
 * @param kind   what it is
 * @param text   as it stands there; of quoted text what is between the quotes
 * @param column where it begins, from 1
 */
record FilterToken(Kind kind, String text, int column) implements BooleanParser.Piece {
    enum Kind {
        /** The name of a column or a cause, or a unit. */
        WORD,
        /** With its sign, and what follows it without a blank. */
        NUMBER,
        QUOTED,
        /** A comparison, {@code && || !} or a parenthesis. */
        SIGN,
        END
    }

    private static final List<String> SIGNS = List.of("==", "!=", "<=", ">=", "&&", "||", "<", ">", "~", "!", "(", ")");

    @Override
    public boolean is(String sign) {
        return kind == Kind.SIGN && text.equals(sign);
    }

    @Override
    public boolean isEnd() {
        return kind == Kind.END;
    }

    @Override
    public String named() {
        return kind == Kind.END ? "the end" : kind == Kind.QUOTED ? "the text \"" + text + "\"" : "'" + text + "'";
    }

    /** Cuts a text into its pieces; the last one is its end. */
    static List<FilterToken> of(String text) throws SyntaxException {
        List<FilterToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
                continue;
            }
            int begin = at;
            if (c == '"' || c == '\'') {
                StringBuilder quoted = new StringBuilder();
                at = quoted(text, begin, quoted);
                tokens.add(new FilterToken(Kind.QUOTED, quoted.toString(), begin + 1));
            } else if (isDigit(c) || (c == '-' || c == '.') && at + 1 < text.length() && isDigit(text.charAt(at + 1))) {
                at = endOfWord(text, begin + 1, true);
                tokens.add(new FilterToken(Kind.NUMBER, text.substring(begin, at), begin + 1));
            } else if (isOfWord(c)) {
                at = endOfWord(text, begin, false);
                tokens.add(new FilterToken(Kind.WORD, text.substring(begin, at), begin + 1));
            } else {
                String sign = sign(text, begin);
                tokens.add(new FilterToken(Kind.SIGN, sign, begin + 1));
                at += sign.length();
            }
        }
        tokens.add(new FilterToken(Kind.END, "", text.length() + 1));
        return tokens;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isOfWord(char c) {
        return c == '_' || Character.isLetterOrDigit(c);
    }

    private static int endOfWord(String text, int begin, boolean points) {
        int at = begin;
        while (at < text.length() && (isOfWord(text.charAt(at)) || points && text.charAt(at) == '.')) {
            at++;
        }
        return at;
    }

    /**
     * Returns the index after the closing quote. A backslash before a quote, or before another backslash, makes that part of
     * the text.
     */
    private static int quoted(String text, int begin, StringBuilder quoted) throws SyntaxException {
        char quote = text.charAt(begin);
        for (int at = begin + 1; at < text.length(); at++) {
            char c = text.charAt(at);
            if (c == quote) {
                return at + 1;
            }
            if (c == '\\' && at + 1 < text.length() && text.charAt(at + 1) == quote) {
                at++;
            }
            quoted.append(text.charAt(at));
        }
        throw new SyntaxException("the quote " + quote + " that begins here is not closed", begin + 1);
    }

    private static String sign(String text, int begin) throws SyntaxException {
        for (String sign : SIGNS) {
            if (text.startsWith(sign, begin)) {
                return sign;
            }
        }
        throw new SyntaxException(switch (text.charAt(begin)) {
            case '=' -> "'=' compares nothing: write ==";
            case '&' -> "'&' means nothing: write &&";
            case '|' -> "'|' means nothing: write ||";
            default -> "'" + Character.toString(text.codePointAt(begin)) + "' means nothing here";
        }, begin + 1);
    }
}
