// SPDX-License-Identifier: EPL-2.0
package org.kview.session.format;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;

/**
 * The text of a session's interval log, as HdrHistogram's tools read it. A histogram with one
 * significant digit has exactly the buckets of {@link LatencyBuckets}, so counts pass unchanged.
 */
public final class LatencyLog {
    public static final int SIGNIFICANT_DIGITS = 1;
    /** The largest value of the last bucket, in ns. */
    public static final long HIGHEST_NANOS = LatencyBuckets.lowNanos(LatencyBuckets.COUNT - 1)
            + LatencyBuckets.widthNanos(LatencyBuckets.COUNT - 1) - 1;

    /** The beginning of a line that holds the sum of all lines of a tag. It is a comment, so other readers pass over it. */
    public static final String SUM_MARK = "#[Sum: ";

    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;

    private LatencyLog() {
    }

    /** What stands before the first interval. Times in the log count from {@code start}. */
    public static byte[] header(Instant start) {
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
     * @param comments   lines of {@link IntervalComments}, which come before them; may be empty
     */
    public static byte[] interval(long beginNanos, long endNanos, Map<LogTag, Distribution> added, String comments) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = latin1(bytes)) {
            out.append(comments);
            HistogramLogWriter writer = new HistogramLogWriter(out);
            Histogram histogram = empty();
            added.forEach((tag, distribution) -> {
                out.append(IntervalTotals.of(tag, distribution).line());
                histogram.reset();
                fill(histogram, distribution);
                histogram.setTag(tag.encode());
                writer.outputIntervalHistogram(beginNanos / NANOS_PER_SECOND, endNanos / NANOS_PER_SECOND,
                        histogram, NANOS_PER_MILLI);
            });
        }
        return bytes.toByteArray();
    }

    /** A line for each distribution, in full, so that the buckets can be read without the lines before. */
    public static byte[] sums(List<FunctionLatency> functions) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (FunctionLatency function : functions) {
            function.distributions().forEach((metric, distribution) -> {
                Histogram histogram = histogram(distribution);
                ByteBuffer packed = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
                int length = histogram.encodeIntoCompressedByteBuffer(packed);
                LogTag tag = new LogTag(function.function().id(), function.function().name(), metric);
                bytes.writeBytes((SUM_MARK + tag.encode() + " "
                        + Base64.getEncoder().encodeToString(Arrays.copyOf(packed.array(), length)) + "]\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
            });
        }
        return bytes.toByteArray();
    }

    public static Histogram histogram(Distribution distribution) {
        Histogram histogram = empty();
        fill(histogram, distribution);
        return histogram;
    }

    private static Histogram empty() {
        return new Histogram(1, HIGHEST_NANOS, SIGNIFICANT_DIGITS);
    }

    private static void fill(Histogram histogram, Distribution distribution) {
        for (int i = 0; i < distribution.bucketLimit(); i++) {
            if (distribution.bucket(i) > 0) {
                histogram.recordValueWithCount(LatencyBuckets.lowNanos(i), distribution.bucket(i));
            }
        }
    }

    /**
     * Ties the log to the totals in session.json: CRC-32 over (index, count) of every bucket that
     * holds a value, ascending, each as eight bytes, the least significant first.
     */
    static long checksum(Distribution distribution) {
        long[] counts = new long[distribution.bucketLimit()];
        Arrays.setAll(counts, distribution::bucket);
        return checksum(counts, counts.length);
    }

    /** Likewise of counts by bucket. */
    public static long checksum(long[] counts, int limit) {
        CRC32 crc = new CRC32();
        ByteBuffer pair = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < limit; i++) {
            if (counts[i] > 0) {
                pair.clear();
                crc.update(pair.putLong(i).putLong(counts[i]).flip());
            }
        }
        return crc.getValue();
    }

    static long lowestNanos(int bucket) {
        return LatencyBuckets.lowNanos(bucket);
    }

    /** The highest value of a bucket. The last one has none, as it also counts all larger values. */
    static long highestNanos(int bucket) {
        return bucket == LatencyBuckets.COUNT - 1 ? Long.MAX_VALUE
                : LatencyBuckets.lowNanos(bucket) + LatencyBuckets.widthNanos(bucket) - 1;
    }

    private static PrintStream latin1(ByteArrayOutputStream bytes) {
        return new PrintStream(bytes, false, StandardCharsets.ISO_8859_1);
    }
}
