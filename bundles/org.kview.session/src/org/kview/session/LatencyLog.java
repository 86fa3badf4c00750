/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.zip.CRC32;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;

/**
 * The text of a session's interval log, as HdrHistogram's tools read it. A histogram with one
 * significant digit has exactly the buckets of {@link LatencyBuckets}, so counts pass unchanged.
 */
final class LatencyLog {
    static final int SIGNIFICANT_DIGITS = 1;
    /** The largest value of the last bucket, in ns. */
    static final long HIGHEST_NANOS = LatencyBuckets.lowNanos(LatencyBuckets.COUNT - 1)
            + LatencyBuckets.widthNanos(LatencyBuckets.COUNT - 1) - 1;

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private LatencyLog() {
    }

    /** What stands before the first interval. Times in the log count from {@code start}. */
    static byte[] header(Instant start) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = latin1(bytes)) {
            HistogramLogWriter writer = new HistogramLogWriter(out);
            writer.outputComment("[Kview Workbench: latencies in ns, tags are FUNCTION_ID:FUNCTION:METRIC]");
            writer.outputLogFormatVersion();
            writer.outputStartTime(start.toEpochMilli());
            writer.outputLegend();
        }
        return bytes.toByteArray();
    }

    /**
     * The lines of an interval.
     *
     * @param beginNanos since the recording's start
     * @param endNanos   likewise
     */
    static byte[] interval(long beginNanos, long endNanos, Map<LogTag, Distribution> added) {
        return interval(beginNanos, endNanos, added, "");
    }

    /** Likewise, with lines of {@link IntervalComments} before them. */
    static byte[] interval(long beginNanos, long endNanos, Map<LogTag, Distribution> added, String comments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = latin1(bytes)) {
            out.append(comments);
            HistogramLogWriter writer = new HistogramLogWriter(out);
            added.forEach((tag, distribution) -> {
                out.append(IntervalTotals.of(tag, distribution).line());
                Histogram histogram = histogram(distribution);
                histogram.setTag(tag.encode());
                writer.outputIntervalHistogram(beginNanos / NANOS_PER_SECOND, endNanos / NANOS_PER_SECOND,
                        histogram, NANOS_PER_MILLI);
            });
        }
        return bytes.toByteArray();
    }

    static Histogram histogram(Distribution distribution) {
        Histogram histogram = new Histogram(1, HIGHEST_NANOS, SIGNIFICANT_DIGITS);
        for (int i = 0; i < distribution.bucketLimit(); i++) {
            if (distribution.bucket(i) > 0) {
                histogram.recordValueWithCount(LatencyBuckets.lowNanos(i), distribution.bucket(i));
            }
        }
        return histogram;
    }

    /**
     * Ties the log to the totals in session.json: CRC-32 over (index, count) of every bucket that
     * holds a value, ascending, each as eight bytes, the least significant first.
     */
    static long checksum(Distribution distribution) {
        CRC32 crc = new CRC32();
        for (int i = 0; i < distribution.bucketLimit(); i++) {
            if (distribution.bucket(i) > 0) {
                update(crc, i);
                update(crc, distribution.bucket(i));
            }
        }
        return crc.getValue();
    }

    static long lowestNanos(int bucket) {
        return LatencyBuckets.lowNanos(bucket);
    }

    /** Of the last bucket, which also counts what lies beyond it, no value is too large. */
    static long highestNanos(int bucket) {
        return bucket == LatencyBuckets.COUNT - 1 ? Long.MAX_VALUE
                : LatencyBuckets.lowNanos(bucket) + LatencyBuckets.widthNanos(bucket) - 1;
    }

    private static void update(CRC32 crc, long value) {
        for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
            crc.update((int) (value >> shift) & 0xff);
        }
    }

    private static PrintStream latin1(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, false, StandardCharsets.ISO_8859_1);
    }
}
