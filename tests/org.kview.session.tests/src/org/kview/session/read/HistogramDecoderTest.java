// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.session.format.LatencyLog;

/** It reads what HdrHistogram reads, and nothing else. */
class HistogramDecoderTest {
    private static byte[] encode(Histogram histogram) {
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        return Arrays.copyOf(buffer.array(), histogram.encodeIntoCompressedByteBuffer(buffer));
    }

    private static Distribution random(Random random) {
        Distribution.Builder builder = new Distribution.Builder();
        int filled = random.nextInt(4) == 0 ? LatencyBuckets.COUNT : random.nextInt(40);
        for (int i = 0; i < filled; i++) {
            builder.addBucket(random.nextInt(LatencyBuckets.COUNT), 1 + (random.nextLong() >>> 2 + random.nextInt(62)));
        }
        return builder.build();
    }

    private static Optional<Distribution> decode(HistogramDecoder decoder, String text) {
        byte[] line = ("x," + text + "\n").getBytes(StandardCharsets.ISO_8859_1);
        return decoder.decode(line, 2, line.length - 1)
                ? Optional.of(Distribution.ofBuckets(decoder.counts(), decoder.limit())) : Optional.empty();
    }

    @Test
    void anyDistributionComesBack() {
        Random random = new Random(1);
        try (HistogramDecoder decoder = new HistogramDecoder()) {
            for (int i = 0; i < 2000; i++) {
                Distribution sent = random(random);
                assertThat(decode(decoder, Base64.getEncoder().encodeToString(encode(LatencyLog.histogram(sent))))).hasValue(sent);
            }
        }
    }

    private static byte[] pack(byte[] inner) {
        Deflater deflater = new Deflater();
        deflater.setInput(inner);
        deflater.finish();
        byte[] packed = new byte[2 * inner.length + 100];
        int length = deflater.deflate(packed);
        deflater.end();
        return ByteBuffer.allocate(8 + length).putInt(0x1c849304 | 0x10).putInt(length).put(packed, 0, length).array();
    }

    private static byte[] unpack(byte[] outer) throws Exception {
        Inflater inflater = new Inflater();
        inflater.setInput(outer, 8, outer.length - 8);
        ByteArrayOutputStream inner = new ByteArrayOutputStream();
        byte[] piece = new byte[8192];
        for (int n = inflater.inflate(piece); n > 0; n = inflater.inflate(piece)) {
            inner.write(piece, 0, n);
        }
        inflater.end();
        return inner.toByteArray();
    }

    /** Whatever is changed within or without: what HdrHistogram makes of it is read, or nothing. */
    @Test
    void changedOnesAreReadAsHdrHistogramReadsThemOrNotAtAll() throws Exception {
        Random random = new Random(2);
        int read = 0;
        try (HistogramDecoder decoder = new HistogramDecoder()) {
            for (int i = 0; i < 5000; i++) {
                byte[] bytes = encode(LatencyLog.histogram(random(random)));
                byte[] inner = unpack(bytes);
                inner[random.nextInt(inner.length)] = (byte) random.nextInt();
                byte[] changed = random.nextBoolean() ? pack(inner) : bytes;
                if (random.nextInt(4) == 0) {
                    changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(8));
                }
                Optional<Distribution> found = decode(decoder, Base64.getEncoder().encodeToString(changed));
                if (found.isPresent()) {
                    read++;
                    Histogram theirs = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(changed), 0);
                    for (int b = 0; b < LatencyBuckets.COUNT; b++) {
                        assertThat(found.get().bucket(b)).as("bucket " + b + " of " + i)
                                .isEqualTo(Math.max(0, theirs.getCountAtValue(LatencyBuckets.lowNanos(b))));
                    }
                }
            }
        }
        assertThat(read).isGreaterThan(1000);
    }

    @Test
    void whatIsNoBase64IsNone() {
        String good = Base64.getEncoder().encodeToString(encode(LatencyLog.histogram(new Distribution.Builder().add(5).build())));
        try (HistogramDecoder decoder = new HistogramDecoder()) {
            assertThat(decode(decoder, good)).isPresent();
            for (String bad : new String[] {"", "=", "====", "A", "!!!!", good + "!", good + "=", "\u00e9" + good.substring(1), "AAAA"}) {
                assertThat(decode(decoder, bad)).as(bad).isEmpty();
            }
        }
    }
}
