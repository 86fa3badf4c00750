// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.zip.Deflater;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;

class LatencyLogTest {

    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(strings = {"f_lock", "", ":", "a:b::c", "operator,(int)", "100%", "tab\there\nline", "prüfe_名前",
            "../../etc/passwd", "Tag=x,1,2,3", "a b", "\u0000\u007f", "#comment", "%41", "\ud83d\ude00"})
    void anyNameMakesATagThatComesBack(String name) {
        LogTag tag = new LogTag(12, name, Metric.BLOCK_IO);
        assertThat(tag.encode()).matches("[!-+\\--~]+");
        assertThat(LogTag.decode(tag.encode())).contains(tag);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "f", "1:f", "x:f:wall", "1:f:none", "1:%zz:wall", "1:%4:wall", "-1:f:wall",
            "99999999999:f:wall", ":f:wall"})
    void whatIsNoTagIsNone(String text) {
        assertThat(LogTag.decode(text)).isEmpty();
    }

    @Test
    void aReadableNameIsReadableInTheTag() {
        assertThat(new LogTag(3, "std::vector<int>::at", Metric.ON_CPU).encode())
                .isEqualTo("3:std::vector<int>::at:on_cpu");
    }

    private LatencyLogReader read(String text) throws IOException {
        return LatencyLogReader.read(Files.writeString(temp.resolve("l"), text, StandardCharsets.ISO_8859_1),
                Long.MAX_VALUE);
    }

    private static String line(LogTag tag, Distribution distribution) {
        return new String(LatencyLog.interval(0, 500_000_000, Map.of(tag, distribution), ""), StandardCharsets.ISO_8859_1);
    }

    @Test
    void countsPassUnchanged() throws IOException {
        Distribution.Builder builder = new Distribution.Builder();
        for (long nanos = 0; nanos < 1L << 44; nanos = nanos * 9 / 8 + 1) {
            builder.add(nanos);
        }
        Distribution distribution = builder.build();
        LogTag tag = new LogTag(0, "f", Metric.WALL);
        LatencyLogReader log = read(line(tag, distribution) + line(tag, distribution));
        assertThat(log.badLines()).isZero();
        Distribution found = log.buckets(tag).orElseThrow();
        for (int i = 0; i < distribution.bucketLimit(); i++) {
            assertThat(found.bucket(i)).isEqualTo(2 * distribution.bucket(i));
        }
    }

    @Test
    void badLinesAreCountedAndTheRestIsRead() throws IOException {
        LogTag tag = new LogTag(0, "f", Metric.WALL);
        String good = line(tag, new Distribution.Builder().add(5).build());
        LatencyLogReader log = read(good + "rubbish\n" + good.replace("Tag=0", "Tag=x") + good
                + "Tag=0:f:wall,0,1,2,!!!!\n" + "Tag=0:f:wall,0,1,2,\n" + good.stripTrailing());
        assertThat(log.badLines()).isEqualTo(5);
        assertThat(log.buckets(tag).orElseThrow().bucket(5)).isEqualTo(2);
    }

    @Test
    void aHistogramThatClaimsToBeHugeTakesNoMemory() throws Exception {
        ByteBuffer header = ByteBuffer.allocate(40);
        header.putInt(0x1c849303 | 0x10).putInt(Integer.MAX_VALUE - 64).putInt(0).putInt(5).putLong(1)
                .putLong(Long.MAX_VALUE / 2).putDouble(1);
        Deflater deflater = new Deflater();
        deflater.setInput(header.array());
        deflater.finish();
        byte[] compressed = new byte[200];
        int length = deflater.deflate(compressed);
        deflater.end();
        byte[] bytes = ByteBuffer.allocate(8 + length).putInt(0x1c849304 | 0x10).putInt(length)
                .put(compressed, 0, length).array();
        LatencyLogReader log = read("Tag=0:f:wall,0,1,2," + Base64.getEncoder().encodeToString(bytes) + "\n");
        assertThat(log.badLines()).isEqualTo(1);
    }

    @Test
    void aLineWithoutEndTakesNoMemoryEither() throws IOException {
        assertThat(read("x".repeat(5_000_000)).badLines()).isEqualTo(1);
    }

    @Test
    void otherToolsMayMergeOurLinesAndWeReadThem() throws IOException {
        Histogram histogram = LatencyLog.histogram(new Distribution.Builder().add(1000).add(2000).build());
        histogram.add(LatencyLog.histogram(new Distribution.Builder().add(1000).build()));
        ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        String base64 = Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
        Distribution found = read("Tag=0:f:wall,0.0,0.5,2.0," + base64 + "\n").buckets(new LogTag(0, "f", Metric.WALL))
                .orElseThrow();
        assertThat(found.bucket(LatencyBuckets.indexOf(1000))).isEqualTo(2);
        assertThatThrownBy(() -> LatencyLogReader.read(temp.resolve("none"), 1)).isInstanceOf(IOException.class);
    }
}
