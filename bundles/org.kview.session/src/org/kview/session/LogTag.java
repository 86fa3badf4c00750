/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.kview.model.Metric;

/**
 * The tag of a line in the interval log: {@code ID:NAME:METRIC}, such as {@code 0:f_lock:wall}. The
 * name may hold colons; the id and the metric don't, so the first and the last one part it.
 *
 * <p>HdrHistogram's readers forbid commas and white space in a tag and read Latin-1. Those, the
 * percent sign and all that is not printable ASCII stand as %XX for each byte of their UTF-8.
 *
 * @param functionId as ProbedFunction.id()
 * @param name       the function's
 * @param metric     which of its metrics
 */
record LogTag(int functionId, String name, Metric metric) {
    private static final Pattern ANY = Pattern.compile("[0-9]{1,9}:.*:([a-z][a-z0-9_]*)");

    String encode() {
        return functionId + ":" + escape(name) + ":" + metric.id();
    }

    /** Empty if the text is no such tag. */
    static Optional<LogTag> decode(String tag) {
        int first = tag.indexOf(':');
        int last = tag.lastIndexOf(':');
        if (first < 1 || last == first || !tag.substring(0, first).matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        int id = Integer.parseInt(tag.substring(0, first));
        return Metric.ofId(tag.substring(last + 1)).flatMap(metric -> unescape(tag.substring(first + 1, last))
                .map(name -> new LogTag(id, name, metric)));
    }

    /** Whether it is the tag of a metric that only a newer version knows. */
    static boolean isOfNewerMetric(String tag) {
        Matcher matcher = ANY.matcher(tag);
        return matcher.matches() && Metric.ofId(matcher.group(1)).isEmpty();
    }

    private static String escape(String name) {
        StringBuilder escaped = new StringBuilder();
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            if (b > ' ' && b < 0x7f && b != ',' && b != '%') {
                escaped.append((char) b);
            } else {
                escaped.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return escaped.toString();
    }

    private static Optional<String> unescape(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '%') {
                bytes.write(c);
            } else if (i + 2 < text.length() && HexFormat.isHexDigit(text.charAt(i + 1))
                    && HexFormat.isHexDigit(text.charAt(i + 2))) {
                bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                return Optional.empty();
            }
        }
        return Optional.of(bytes.toString(StandardCharsets.UTF_8));
    }
}
