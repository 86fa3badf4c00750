// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.List;

/**
 * A piece of a condition's text.
 *
 * @param text   as it stands there; of quoted text what is between the quotes
 * @param column where it begins, from 1
 */
record ConditionToken(Kind kind, String text, int column) implements BooleanParser.Piece {
    enum Kind {
        WORD, NUMBER, QUOTED, SIGN, END
    }

    private static final List<String> SIGNS = List.of("==", "!=", "<=", ">=", "&&", "||", "<", ">", "!", "(", ")", "&");

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
        return kind == Kind.END ? "the end" : "'" + text + "'";
    }

    /** The last one is the end. */
    static List<ConditionToken> of(String text) throws SyntaxException {
        List<ConditionToken> tokens = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            char c = text.charAt(at);
            int begin = at;
            if (Character.isWhitespace(c)) {
                at++;
            } else if (c == '"' || c == '\'') {
                at = text.indexOf(c, begin + 1) + 1;
                if (at == 0) {
                    throw new SyntaxException("the quote " + c + " that begins here is not closed", begin + 1);
                }
                tokens.add(new ConditionToken(Kind.QUOTED, text.substring(begin + 1, at - 1), begin + 1));
            } else if (isDigit(c) || c == '-') {
                at = endOfWord(text, begin + 1);
                tokens.add(new ConditionToken(Kind.NUMBER, text.substring(begin, at), begin + 1));
            } else if (isOfWord(c)) {
                at = endOfWord(text, begin);
                tokens.add(new ConditionToken(Kind.WORD, text.substring(begin, at), begin + 1));
            } else {
                String sign = sign(text, begin);
                at += sign.length();
                tokens.add(new ConditionToken(Kind.SIGN, sign, begin + 1));
            }
        }
        tokens.add(new ConditionToken(Kind.END, "", text.length() + 1));
        return tokens;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isOfWord(char c) {
        return c == '_' || c == '.' || Character.isLetterOrDigit(c);
    }

    private static int endOfWord(String text, int begin) {
        int at = begin;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static String sign(String text, int at) throws SyntaxException {
        for (String sign : SIGNS) {
            if (text.startsWith(sign, at)) {
                return sign;
            }
        }
        throw new SyntaxException(switch (text.charAt(at)) {
            case '=' -> "'=' compares nothing: write ==";
            case '|' -> "'|' means nothing: write ||";
            default -> "'" + Character.toString(text.codePointAt(at)) + "' means nothing here";
        }, at + 1);
    }
}
