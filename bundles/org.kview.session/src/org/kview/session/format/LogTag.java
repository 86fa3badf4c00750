// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Optional;

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
public record LogTag(int functionId, String name, Metric metric) implements Comparable<LogTag> {
    private static final int MOST_DIGITS = 9;

    public String encode() {
        return functionId + ":" + escape(name) + ":" + metric.id();
    }

    /** Empty if the text is no such tag. */
    public static Optional<LogTag> decode(String tag) {
        int first = idEnd(tag);
        int last = tag.lastIndexOf(':');
        if (first < 0 || last == first) {
            return Optional.empty();
        }
        return Metric.ofId(tag.substring(last + 1)).flatMap(metric -> unescape(tag.substring(first + 1, last))
                .map(name -> new LogTag(Integer.parseInt(tag.substring(0, first)), name, metric)));
    }

    /** Whether it is the tag of a metric that only a newer version knows. */
    public static boolean isOfNewerMetric(String tag) {
        int first = idEnd(tag);
        int last = tag.lastIndexOf(':');
        if (first < 0 || last == first || last + 1 == tag.length() || !isLetter(tag.charAt(last + 1))) {
            return false;
        }
        for (int i = last + 2; i < tag.length(); i++) {
            char c = tag.charAt(i);
            if (!isLetter(c) && !isDigit(c) && c != '_') {
                return false;
            }
        }
        return Metric.ofId(tag.substring(last + 1)).isEmpty();
    }

    /** Where the colon behind the id stands; -1 if there is no id. */
    private static int idEnd(String tag) {
        int end = 0;
        while (end < tag.length() && end <= MOST_DIGITS && isDigit(tag.charAt(end))) {
            end++;
        }
        return end > 0 && end <= MOST_DIGITS && end < tag.length() && tag.charAt(end) == ':' ? end : -1;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z';
    }

    /** Keeps maps of tags fast even if somebody chose names with equal hashes: such a map then orders its keys. */
    @Override
    public int compareTo(LogTag other) {
        int byId = Integer.compare(functionId, other.functionId);
        int byMetric = byId != 0 ? byId : metric.compareTo(other.metric);
        return byMetric != 0 ? byMetric : name.compareTo(other.name);
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
