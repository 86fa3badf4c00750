// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import org.kview.model.SafeText;

/** Names, numbers, texts and signs of a metadata text, one after the other. */
final class MetadataTokens {
    private static final char END = '\0';
    private static final int MOST_SHOWN_CHARS = 40;
    private static final int MOST_CHARS = 200;

    private enum Kind {
        NAME, NUMBER, TEXT, SIGN, END
    }

    private final String text;
    private int at;
    private int line = 1;
    private Kind kind;
    /** Without quotes, where it is a text. */
    private String token;

    MetadataTokens(String text) throws CtfException {
        this.text = text;
        advance();
    }

    CtfException expected(String what) {
        String found = switch (kind) {
            case END -> "it ends";
            case TEXT -> "a text stands";
            default -> "'" + SafeText.line(token, MOST_SHOWN_CHARS) + "' stands";
        };
        return wrong(found + " where " + what + " is expected");
    }

    CtfException wrong(String what) {
        return new CtfException("line " + line + " of the metadata: " + SafeText.line(what, MOST_CHARS));
    }

    boolean isAtEnd() {
        return kind == Kind.END;
    }

    boolean is(String sign) {
        return (kind == Kind.SIGN || kind == Kind.NAME) && token.equals(sign);
    }

    /** Takes a sign or a word if it stands here. */
    boolean accept(String sign) throws CtfException {
        boolean here = is(sign);
        if (here) {
            advance();
        }
        return here;
    }

    void expect(String sign) throws CtfException {
        if (!accept(sign)) {
            throw expected("'" + sign + "'");
        }
    }

    boolean isName() {
        return kind == Kind.NAME;
    }

    boolean isNumber() {
        return kind == Kind.NUMBER;
    }

    /** A name, such as {@code packet.header}. */
    String name() throws CtfException {
        if (kind != Kind.NAME) {
            throw expected("a name");
        }
        return take();
    }

    /** A name or a text. */
    String label() throws CtfException {
        if (kind != Kind.NAME && kind != Kind.TEXT) {
            throw expected("a name or a text");
        }
        return take();
    }

    /** A name, a text or a number. */
    String value() throws CtfException {
        return kind == Kind.NUMBER ? take() : label();
    }

    long number() throws CtfException {
        if (kind != Kind.NUMBER) {
            throw expected("a number");
        }
        return number(take());
    }

    /** A number as C writes it: decimal, octal or hexadecimal. A number of 2^63 or more is read as unsigned. */
    long number(String digits) throws CtfException {
        boolean negative = digits.startsWith("-");
        int end = digits.length();
        while (end > 1 && "uUlL".indexOf(digits.charAt(end - 1)) >= 0) {
            end--;
        }
        String rest = digits.substring(negative ? 1 : 0, end);
        int radix = rest.startsWith("0x") || rest.startsWith("0X") ? 16 : rest.length() > 1 && rest.startsWith("0") ? 8 : 10;
        try {
            String plain = radix == 16 ? rest.substring(2) : rest;
            return negative ? Long.parseLong("-" + plain, radix) : Long.parseUnsignedLong(plain, radix);
        } catch (NumberFormatException e) {
            throw wrong("a number stands there that can't be read");
        }
    }

    /** Skips a declaration that this version does not know, including the semicolon that ends it. */
    void skipStatement() throws CtfException {
        int open = 0;
        while (open > 0 || !is(";")) {
            if (isAtEnd()) {
                throw expected("';'");
            }
            open += is("{") ? 1 : is("}") ? -1 : 0;
            if (open < 0) {
                throw expected("';'");
            }
            advance();
        }
        advance();
    }

    private String take() throws CtfException {
        String taken = token;
        advance();
        return taken;
    }

    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : END;
    }

    private void advance() throws CtfException {
        skipBlank();
        int begin = at;
        char c = peek(0);
        if (at == text.length()) {
            kind = Kind.END;
            token = "";
            return;
        } else if (isLetter(c)) {
            kind = Kind.NAME;
            while (isLetter(peek(0)) || isDigit(peek(0)) || peek(0) == '.' && isLetter(peek(1))) {
                at++;
            }
        } else if (isDigit(c) || c == '-' && isDigit(peek(1))) {
            kind = Kind.NUMBER;
            at++;
            while (isLetter(peek(0)) || isDigit(peek(0))) {
                at++;
            }
        } else if (c == '"') {
            kind = Kind.TEXT;
            token = text();
            return;
        } else {
            kind = Kind.SIGN;
            at += c == ':' && peek(1) == '=' ? 2 : c == '.' && peek(1) == '.' && peek(2) == '.' ? 3 : 1;
        }
        token = text.substring(begin, at);
    }

    private String text() throws CtfException {
        StringBuilder unescaped = new StringBuilder();
        at++;
        while (peek(0) != '"') {
            if (at >= text.length() || peek(0) == '\n') {
                throw wrong("a text does not end");
            }
            at += peek(0) == '\\' && at + 1 < text.length() ? 1 : 0;
            unescaped.append(text.charAt(at++));
        }
        at++;
        return unescaped.toString();
    }

    private void skipBlank() throws CtfException {
        for (;;) {
            char c = peek(0);
            if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
                line += c == '\n' ? 1 : 0;
                at++;
            } else if (c == '/' && peek(1) == '*') {
                int end = text.indexOf("*/", at + 2);
                if (end < 0) {
                    throw wrong("a comment does not end");
                }
                line += (int) text.substring(at, end).chars().filter(each -> each == '\n').count();
                at = end + 2;
            } else if (c == '/' && peek(1) == '/') {
                int end = text.indexOf('\n', at);
                at = end < 0 ? text.length() : end;
            } else {
                return;
            }
        }
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
