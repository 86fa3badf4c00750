// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

import org.kview.model.LatencyBuckets;
import org.kview.session.format.LatencyLog;

/**
 * Decodes the histograms of an interval log one after the other, into the same array. None takes more memory than the
 * largest that there can be, whatever it claims.
 *
 * <pre>
 *   base64 of
 *   0        4        8
 *   +--------+--------+-----------------------------------
 *   |cookie 2| length | zlib of
 *   +--------+--------+  0        4        8         12       16       24        32      40
 *                        +--------+--------+---------+--------+--------+---------+-------+--------
 *                        |cookie 1| length | offset 0| digits | lowest | highest | ratio | counts
 *                        +--------+--------+---------+--------+--------+---------+-------+--------
 * </pre>
 *
 * The counts are zigzag LEB128 of nine bytes at most, a negative one stands for that many empty buckets. With our digits and
 * lowest value the buckets are those of {@link LatencyBuckets}, one by one.
 */
final class HistogramDecoder implements AutoCloseable {
    private static final int OUTER_COOKIE = 0x1c849304 | 0x10;
    private static final int INNER_COOKIE = 0x1c849303 | 0x10;
    private static final int OUTER_BYTES = 8;
    private static final int INNER_BYTES = 40;
    private static final int MOST_COUNT_BYTES = 9;
    private static final int MOST_INNER_BYTES = INNER_BYTES + LatencyBuckets.COUNT * MOST_COUNT_BYTES;
    private static final byte[] DIGITS = digits();

    private final long[] counts = new long[LatencyBuckets.COUNT];
    private final Inflater inflater = new Inflater();
    private final byte[] inner = new byte[MOST_INNER_BYTES];
    private byte[] outer = new byte[1 << 12];
    private int limit;
    private int unpackedBytes;

    private static byte[] digits() {
        byte[] values = new byte[1 << Byte.SIZE];
        Arrays.fill(values, (byte) -1);
        String alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        for (int i = 0; i < alphabet.length(); i++) {
            values[alphabet.charAt(i)] = (byte) i;
        }
        return values;
    }

    /**
     * Decodes a text.
     *
     * @return false if it is no histogram of ours; {@link #counts} is of no use then
     */
    boolean decode(byte[] text, int from, int to) {
        unpackedBytes = 0;
        int bytes = decode64(text, from, to);
        if (bytes <= OUTER_BYTES) {
            return false;
        }
        ByteBuffer header = ByteBuffer.wrap(outer, 0, bytes);
        int packed = header.getInt(4);
        if (header.getInt(0) != OUTER_COOKIE || packed < 0 || packed > bytes - OUTER_BYTES) {
            return false;
        }
        inflater.reset();
        inflater.setInput(outer, OUTER_BYTES, packed);
        try {
            while (unpackedBytes < inner.length && !inflater.finished()) {
                int more = inflater.inflate(inner, unpackedBytes, inner.length - unpackedBytes);
                if (more == 0) {
                    break;
                }
                unpackedBytes += more;
            }
        } catch (DataFormatException e) {
            return false;
        }
        return unpackedBytes >= INNER_BYTES && read(ByteBuffer.wrap(inner, 0, unpackedBytes));
    }

    /** How many calls are in each bucket; what lies at and beyond {@link #limit} has no meaning. */
    long[] counts() {
        return counts;
    }

    /** One more than the highest bucket with a value. */
    int limit() {
        return limit;
    }

    /** How much the last text took besides its own length. */
    int unpackedBytes() {
        return unpackedBytes;
    }

    /** The bytes of a base64 text into {@link #outer}; -1 if it is none. */
    private int decode64(byte[] text, int from, int to) {
        int end = to;
        while (end > from && to - end < 2 && text[end - 1] == '=') {
            end--;
        }
        int length = end - from;
        if (length % 4 == 1 || end < to && (to - from) % 4 != 0) {
            return -1;
        }
        if (outer.length < length) {
            outer = new byte[length];
        }
        int at = 0;
        int bits = 0;
        int invalid = 0;
        int i = from;
        for (; i + 4 <= end; i += 4) {
            int a = DIGITS[text[i] & 0xff];
            int b = DIGITS[text[i + 1] & 0xff];
            int c = DIGITS[text[i + 2] & 0xff];
            int d = DIGITS[text[i + 3] & 0xff];
            invalid |= a | b | c | d;
            bits = a << 18 | b << 12 | c << 6 | d;
            outer[at++] = (byte) (bits >> 16);
            outer[at++] = (byte) (bits >> 8);
            outer[at++] = (byte) bits;
        }
        if (i < end) {
            int a = DIGITS[text[i] & 0xff];
            int b = DIGITS[text[i + 1] & 0xff];
            int c = i + 2 < end ? DIGITS[text[i + 2] & 0xff] : 0;
            invalid |= a | b | c;
            outer[at++] = (byte) (a << 2 | b >> 4);
            if (i + 2 < end) {
                outer[at++] = (byte) (b << 4 | c >> 2);
            }
        }
        return invalid < 0 ? -1 : at;
    }

    private boolean read(ByteBuffer in) {
        int countBytes = in.getInt(4);
        long highest = in.getLong(24);
        return in.getInt(0) == INNER_COOKIE && countBytes >= 0 && countBytes <= in.limit() - INNER_BYTES
                && in.getInt(8) == 0 && in.getInt(12) == LatencyLog.SIGNIFICANT_DIGITS && in.getLong(16) == 1
                && highest >= 2 && highest <= LatencyLog.HIGHEST_NANOS && readCounts(INNER_BYTES + countBytes);
    }

    private boolean readCounts(int end) {
        limit = 0;
        int bucket = 0;
        for (int at = INNER_BYTES; at < end;) {
            long value = 0;
            int shift = 0;
            byte b;
            do {
                if (at == end) {
                    return false;
                }
                b = inner[at++];
                // The ninth byte holds eight bits.
                boolean last = shift == 7 * (MOST_COUNT_BYTES - 1);
                value |= (last ? b & 0xffL : b & 0x7fL) << shift;
                shift += 7;
                if (last) {
                    break;
                }
            } while (b < 0);
            long count = value >>> 1 ^ -(value & 1);
            if (count < 0) {
                if (count < -(LatencyBuckets.COUNT - bucket)) {
                    return false;
                }
                int next = bucket - (int) count;
                Arrays.fill(counts, bucket, next, 0);
                bucket = next;
            } else {
                if (bucket == LatencyBuckets.COUNT) {
                    return false;
                }
                counts[bucket++] = count;
                limit = count > 0 ? bucket : limit;
            }
        }
        return true;
    }

    @Override
    public void close() {
        inflater.end();
    }
}
