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

    private final Map<LogTag, Distribution.Builder> sums = new LinkedHashMap<>();
    private int badLines;

    /**
     * Reads a log.
     *
     * @param limitBytes what lies beyond does not belong to the checkpoint
     * @throws IOException if it can't be read at all
     */
    static LatencyLogReader read(Path file, long limitBytes) throws IOException {
        LatencyLogReader reader = new LatencyLogReader();
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
            return;
        }
        String[] fields = line.split(",", -1);
        Optional<LogTag> tag = fields.length == 5 && fields[0].startsWith("Tag=")
                ? LogTag.decode(fields[0].substring(4)) : Optional.empty();
        Optional<Histogram> histogram = tag.isEmpty() ? Optional.empty() : decode(fields[4]);
        if (histogram.isEmpty()) {
            badLines++;
            return;
        }
        Distribution.Builder sum = sums.computeIfAbsent(tag.get(), t -> new Distribution.Builder());
        int limit = LatencyBuckets.indexOf(histogram.get().getMaxValue());
        for (int i = 0; i <= limit; i++) {
            // Only a hostile log holds a negative count; its sums then fail the checksum.
            sum.addBucket(i, Math.max(0, histogram.get().getCountAtValue(LatencyBuckets.lowNanos(i))));
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
