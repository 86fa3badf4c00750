/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import org.HdrHistogram.Histogram;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;

/**
 * What an interval log holds, added up. A log may be damaged or hostile: lines that can't be read
 * are counted and left out, and none makes the reader take more memory than the line is long.
 */
final class LatencyLogReader {
    /** Cookie, payload length, normalizing offset, digits, lowest, highest, ratio: see HdrHistogram. */
    private static final int HEADER_BYTES = 40;
    private static final int COMPRESSED_HEADER_BYTES = 8;
    /** A count takes at most nine bytes. */
    private static final int MAX_PAYLOAD_BYTES = LatencyBuckets.COUNT * 9;
    /** The base64 text of the longest payload, with its tag, is shorter. */
    private static final int MAX_LINE_BYTES = 64 * 1024;
    private static final double NANOS_PER_SECOND = 1e9;
    /** An agent records at most 1,024 functions with some dozen metrics each; a distribution takes 5 KB. */
    private static final int MAX_TAGS = 1 << 15;

    private final Map<LogTag, Distribution.Builder> sums = new LinkedHashMap<>();
    private final LineVisitor visitor;
    private int badLines;
    /** Of the line that follows. */
    private Optional<IntervalTotals> totals = Optional.empty();

    /** Is told of the lines that can be read, in their order. */
    @FunctionalInterface
    interface LineVisitor {
        /**
         * One line.
         *
         * @param beginNanos of its interval, since the recording's start; 0 if that can't be read
         * @param buckets    with count and total if the log tells them exactly, else with neither; without
         *                   maximum
         */
        void line(LogTag tag, long beginNanos, Distribution buckets);

        /** What had been counted at the end of an interval. */
        default void counts(IntervalComments.Line line) {
            // Of no interest to most.
        }
    }

    private LatencyLogReader(LineVisitor visitor) {
        this.visitor = visitor;
    }

    /**
     * Reads a log.
     *
     * @param limitBytes what lies beyond does not belong to the checkpoint
     * @throws IOException if it can't be read at all
     */
    static LatencyLogReader read(Path file, long limitBytes) throws IOException {
        return read(file, limitBytes, (tag, beginNanos, buckets) -> { });
    }

    /** Likewise, and tells of each line. */
    static LatencyLogReader read(Path file, long limitBytes, LineVisitor visitor) throws IOException {
        LatencyLogReader reader = new LatencyLogReader(visitor);
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            StringBuilder line = new StringBuilder();
            long left = limitBytes;
            for (int b = -1; left > 0 && (b = in.read()) >= 0; left--) {
                if (b == '\n') {
                    reader.line(line.toString());
                    line.setLength(0);
                } else if (line.length() <= MAX_LINE_BYTES) {
                    line.append((char) b);
                }
            }
            if (!line.isEmpty()) {
                reader.badLines++;
            }
        }
        return reader;
    }

    /** Lines that could not be read. */
    int badLines() {
        return badLines;
    }

    /** The buckets' counts, without count, total and maximum: the log does not know them exactly. */
    Optional<Distribution> buckets(LogTag tag) {
        return Optional.ofNullable(sums.get(tag)).map(Distribution.Builder::build);
    }

    Iterable<LogTag> tags() {
        return sums.keySet();
    }

    private void line(String line) {
        if (line.isBlank() || line.startsWith("#") || line.startsWith("\"")) {
            totals = IntervalTotals.decode(line);
            IntervalComments.decode(line).ifPresent(visitor::counts);
            return;
        }
        Optional<IntervalTotals> own = totals;
        totals = Optional.empty();
        String[] fields = line.split(",", -1);
        boolean tagged = fields.length == 5 && fields[0].startsWith("Tag=");
        if (tagged && LogTag.isOfNewerMetric(fields[0].substring(4))) {
            return;
        }
        Optional<LogTag> tag = tagged ? LogTag.decode(fields[0].substring(4)) : Optional.empty();
        boolean tooMany = tag.isPresent() && sums.size() >= MAX_TAGS && !sums.containsKey(tag.get());
        Optional<Histogram> histogram = tag.isEmpty() || tooMany ? Optional.empty() : decode(fields[4]);
        if (histogram.isEmpty()) {
            badLines++;
            return;
        }
        Distribution.Builder buckets = new Distribution.Builder();
        int limit = LatencyBuckets.indexOf(histogram.get().getMaxValue());
        for (int i = 0; i <= limit; i++) {
            // Only a hostile log holds a negative count; its sums then fail the checksum.
            buckets.addBucket(i, Math.max(0, histogram.get().getCountAtValue(LatencyBuckets.lowNanos(i))));
        }
        Distribution added = buckets.build();
        sums.computeIfAbsent(tag.get(), t -> new Distribution.Builder()).add(added);
        LogTag read = tag.get();
        visitor.line(read, nanos(fields[1]), own.flatMap(t -> t.with(read, added)).orElse(added));
    }

    private static long nanos(String seconds) {
        try {
            double value = Double.parseDouble(seconds);
            return value > 0 && value < Long.MAX_VALUE / NANOS_PER_SECOND ? Math.round(value * NANOS_PER_SECOND) : 0;
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static Optional<Histogram> decode(String base64) {
        try {
            byte[] bytes = Base64.getDecoder().decode(base64.getBytes(StandardCharsets.ISO_8859_1));
            if (!isOurs(bytes)) {
                return Optional.empty();
            }
            return Optional.of(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0));
        } catch (DataFormatException | RuntimeException e) {
            // HdrHistogram answers damaged bytes with many kinds of unchecked exceptions.
            return Optional.empty();
        }
    }

    /** Looks at the header before HdrHistogram believes its sizes and allocates them. */
    private static boolean isOurs(byte[] bytes) throws DataFormatException {
        if (bytes.length <= COMPRESSED_HEADER_BYTES) {
            return false;
        }
        Inflater inflater = new Inflater();
        try {
            inflater.setInput(bytes, COMPRESSED_HEADER_BYTES, bytes.length - COMPRESSED_HEADER_BYTES);
            byte[] header = new byte[HEADER_BYTES];
            if (inflater.inflate(header) != HEADER_BYTES) {
                return false;
            }
            ByteBuffer fields = ByteBuffer.wrap(header);
            int payloadBytes = fields.getInt(4);
            int digits = fields.getInt(12);
            long lowest = fields.getLong(16);
            long highest = fields.getLong(24);
            return payloadBytes >= 0 && payloadBytes <= MAX_PAYLOAD_BYTES
                    && digits == LatencyLog.SIGNIFICANT_DIGITS && lowest == 1 && highest >= 2
                    && highest <= LatencyLog.HIGHEST_NANOS;
        } finally {
            inflater.end();
        }
    }
}
