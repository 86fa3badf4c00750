// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A line of a table for spreadsheets, as RFC 4180 has it. */
public final class CsvLine {
    private static final String END = "\r\n";
    private static final Pattern NEGATIVE = Pattern.compile("-[0-9]+(\\.[0-9]+)?");

    private CsvLine() {
    }

    /** Some fields, with the line's end. */
    public static String of(List<String> fields) {
        return fields.stream().map(CsvLine::field).collect(Collectors.joining(",", "", END));
    }

    private static String field(String text) {
        // A spreadsheet takes such a text for a formula and runs it; an apostrophe makes it a text.
        String safe = !text.isEmpty() && "=+-@\t\r".indexOf(text.charAt(0)) >= 0 && !isNumber(text) ? "'" + text : text;
        boolean quoted = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\r' || c == '\n');
        return quoted ? "\"" + safe.replace("\"", "\"\"") + "\"" : safe;
    }

    /** A negative number begins with a sign, but can't be taken for a formula. */
    private static boolean isNumber(String text) {
        return NEGATIVE.matcher(text).matches();
    }
}
