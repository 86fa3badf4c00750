// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.util.Optional;

import org.kview.model.Distribution;

/**
 * The number of values in a line of the interval log, and their sum, which the buckets of the line's histogram do not tell
 * exactly. It is a comment before that line, which other readers of such logs, and older versions of this one, pass over.
 *
 * @param tag   that of the line, as it stands there
 * @param count of values
 * @param nanos their sum
 */
public record IntervalTotals(String tag, long count, long nanos) {
    static final String MARK = "#[Totals: ";
    private static final int MOST_DIGITS = 18;

    static IntervalTotals of(LogTag tag, Distribution distribution) {
        return new IntervalTotals(tag.encode(), distribution.count(), distribution.totalNanos());
    }

    /** With its end. */
    String line() {
        return MARK + tag + " count=" + count + " total=" + nanos + "]\n";
    }

    /** Empty if the line is another one. */
    public static Optional<IntervalTotals> decode(String line) {
        LineCursor cursor = new LineCursor(line.stripTrailing());
        cursor.require(MARK);
        String tag = cursor.before(' ');
        cursor.require("count=");
        long count = cursor.number(1, MOST_DIGITS);
        cursor.require(" total=");
        long nanos = cursor.number(1, MOST_DIGITS);
        cursor.require("]");
        return cursor.isAtEnd() ? Optional.of(new IntervalTotals(tag, count, nanos)) : Optional.empty();
    }

    /** The buckets together with these totals; empty if they don't belong together, as in a damaged log. */
    public Optional<Distribution> with(LogTag line, Distribution buckets) {
        long values = 0;
        double least = 0;
        double most = 0;
        for (int i = 0; i < buckets.bucketLimit(); i++) {
            values += buckets.bucket(i);
            least += (double) buckets.bucket(i) * LatencyLog.lowestNanos(i);
            most += (double) buckets.bucket(i) * LatencyLog.highestNanos(i);
        }
        return line.encode().equals(tag) && values == count && nanos >= least && nanos <= most
                ? Optional.of(new Distribution.Builder().add(buckets).addTotals(count, nanos, 0).build())
                : Optional.empty();
    }
}
