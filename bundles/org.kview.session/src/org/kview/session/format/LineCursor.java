// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

/**
 * Reads a line of the interval log from its beginning, piece by piece. Once an expected piece is missing, all further
 * ones count as missing.
 */
final class LineCursor {
    private final String line;
    private int at;
    private boolean failed;

    LineCursor(String line) {
        this.line = line;
    }

    /** Whether everything that was asked for was there. */
    boolean isGood() {
        return !failed;
    }

    /** Whether all of the line was read. */
    boolean isAtEnd() {
        return !failed && at == line.length();
    }

    /** Passes over a text if it stands here. */
    boolean has(String text) {
        boolean here = !failed && line.startsWith(text, at);
        at += here ? text.length() : 0;
        return here;
    }

    /** Passes over a text. */
    void require(String text) {
        failed |= !has(text);
    }

    /** A number in decimal digits, as many as that. */
    long number(int leastDigits, int mostDigits) {
        int from = at;
        long value = 0;
        while (!failed && at < line.length() && at - from < mostDigits && line.charAt(at) >= '0' && line.charAt(at) <= '9') {
            value = 10 * value + line.charAt(at++) - '0';
        }
        failed |= at - from < leastDigits;
        return value;
    }

    /** A number in so many hexadecimal digits, in lower case. */
    long hex(int digits) {
        long value = 0;
        for (int i = 0; i < digits && !failed; i++) {
            int digit = at < line.length() ? Character.digit(line.charAt(at++), 16) : -1;
            failed |= digit < 0 || line.charAt(at - 1) >= 'A' && line.charAt(at - 1) <= 'F' || line.charAt(at - 1) > 'f';
            value = value << 4 | digit;
        }
        return value;
    }

    /** The text before the next such character, at least one character long. The character itself is skipped. */
    String before(char end) {
        int to = failed ? -1 : line.indexOf(end, at);
        if (to <= at) {
            failed = true;
            return "";
        }
        String text = line.substring(at, to);
        at = to + 1;
        return text;
    }
}
