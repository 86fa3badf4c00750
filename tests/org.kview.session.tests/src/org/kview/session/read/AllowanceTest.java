// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.Allowance.Of;
import org.kview.session.format.LatencyLog;
import org.kview.session.write.SessionWriter;

/** What opening a session takes has limits, each counted; what is beyond them is refused, or left out and named. */
class AllowanceTest {
    @TempDir
    Path temp;

    private Path session;
    private LatencySnapshot written;

    @BeforeEach
    void record() throws Exception {
        session = temp.resolve("a.kview");
        written = SampleRecording.record(session);
    }

    private SessionReader open(Allowance allowance) throws SessionException {
        return SessionReader.open(session, Progress.NONE, allowance);
    }

    private static Allowance with(Of of, long most) {
        return Allowance.usual().with(of, most);
    }

    private long size(String name) throws Exception {
        return Files.size(session.resolve(name));
    }

    @Test
    void everyFileIsReadOnce() throws Exception {
        Allowance allowance = Allowance.usual();
        open(allowance).close();
        long files = size("session.json") + size("symbols.json") + size("latency.hlog") + size("trace/cpu_0")
                + size("trace/cpu_1");
        assertThat(allowance.readBytes()).isEqualTo(files);
        assertThat(Of.TEXT.most() - allowance.left(Of.TEXT))
                .isEqualTo(size("session.json") + size("symbols.json") + size("packets.crc32"));
        assertThat(Of.CHECKED_TRACE.most() - allowance.left(Of.CHECKED_TRACE)).isEqualTo(size("trace/cpu_0") + size("trace/cpu_1"));
        assertThat(Of.FUNCTIONS.most() - allowance.left(Of.FUNCTIONS)).isEqualTo(written.functions().size());
    }

    @Test
    void moreFunctionsThanThereAreAnywhereAreRefused() throws Exception {
        open(with(Of.FUNCTIONS, 4)).close();
        assertThatThrownBy(() -> open(with(Of.FUNCTIONS, 3))).isInstanceOf(SessionException.class)
                .hasMessageContaining("functions are more than any session has");
    }

    @Test
    void theFilesOfAllHostsTogetherHaveALimit() throws Exception {
        assertThatThrownBy(() -> open(with(Of.TEXT, 100))).isInstanceOf(SessionException.class)
                .hasMessageContaining("larger than any session is");
        try (SessionReader reader = open(with(Of.TEXT, size("session.json") + 1))) {
            assertThat(reader.snapshot().problems()).hasSize(2).anyMatch(p -> p.startsWith("symbols.json"))
                    .anyMatch(p -> p.startsWith("packets.crc32"));
        }
    }

    @Test
    void aLogIsReadAsFarAsItMayBe() throws Exception {
        try (SessionReader reader = open(with(Of.LOG, size("latency.hlog") / 2))) {
            assertThat(reader.snapshot().problems()).hasSize(2).anyMatch(p -> p.contains("of which not all is read"))
                    .anyMatch(p -> p.startsWith("The percentiles"));
            assertThat(reader.snapshot().functions()).extracting(f -> f.calls())
                    .isEqualTo(written.functions().stream().map(f -> f.calls()).toList());
        }
    }

    /** What a line is unpacked to counts, too: a short one may hold much. */
    @Test
    void whatALineHoldsCounts() throws Exception {
        Allowance allowance = Allowance.usual();
        open(allowance).close();
        assertThat(Of.LOG.most() - allowance.left(Of.LOG)).isGreaterThan(size("latency.hlog") + 40 * 13);
    }

    @Test
    void bucketsHaveALimit() throws Exception {
        try (SessionReader reader = open(with(Of.BUCKETS, 1000))) {
            assertThat(reader.snapshot().problems()).anyMatch(p -> p.startsWith("The percentiles"));
            assertThat(reader.snapshot().functions().stream().flatMap(f -> f.distributions().values().stream())
                    .mapToLong(d -> d.bucketLimit()).sum()).isBetween(1L, 1000L);
        }
    }

    /** Lines of functions that session.json does not know take no memory at all. */
    @Test
    void tagsThatNobodyKnowsTakeNothing() throws Exception {
        Allowance before = Allowance.usual();
        open(before).close();
        Path log = session.resolve("latency.hlog");
        String line = Files.readAllLines(log, StandardCharsets.ISO_8859_1).stream().filter(l -> l.startsWith("Tag="))
                .findFirst().orElseThrow();
        try (OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
            for (int i = 0; i < 1000; i++) {
                out.write(("Tag=" + i + ":g" + i + ":wall" + line.substring(line.indexOf(',')) + "\n").getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        Path json = session.resolve("session.json");
        Files.writeString(json, Files.readString(json).replaceFirst("(\"latency_log\" : \\{\\s*\"bytes\" : )[0-9]+", "$1" + Files.size(log)));
        Allowance allowance = Allowance.usual();
        try (SessionReader reader = open(allowance)) {
            assertThat(allowance.left(Of.BUCKETS)).isEqualTo(before.left(Of.BUCKETS));
            assertThat(reader.snapshot().problems()).anyMatch(p -> p.contains("1000 of its lines can't be read"));
            assertThat(reader.snapshot().functions()).isEqualTo(written.functions());
        }
    }

    @Test
    void aTraceIsComparedWithItsChecksumsUpToALimit() throws Exception {
        Path stream = session.resolve("trace/cpu_1");
        byte[] bytes = Files.readAllBytes(stream);
        bytes[bytes.length - 9] ^= 1;
        Files.write(stream, bytes);
        try (SessionReader reader = open(with(Of.CHECKED_TRACE, size("trace/cpu_0")))) {
            assertThat(reader.snapshot().problems()).singleElement().asString().startsWith("The trace has")
                    .contains("when it is exported");
            assertThat(reader.trace()).isPresent();
            List<String> told = new ArrayList<>();
            reader.exportCtf(temp.resolve("ctf"), told::add);
            assertThat(told).singleElement().asString().contains("cpu_1 is damaged");
            assertThat(temp.resolve("ctf/cpu_0")).hasSameBinaryContentAs(session.resolve("trace/cpu_0"));
        }
    }

    @Test
    void packetsHaveALimit() throws Exception {
        open(with(Of.PACKETS, 3)).close();
        try (SessionReader reader = open(with(Of.PACKETS, 2))) {
            assertThat(reader.snapshot().problems()).singleElement().asString().contains("more packets than any trace has");
            assertThat(reader.trace()).isEmpty();
        }
    }

    @Test
    void aDamagedTraceThatIsLargeIsNotCopied() throws Exception {
        Path stream = session.resolve("trace/cpu_0");
        byte[] bytes = Files.readAllBytes(stream);
        bytes[100] ^= 1;
        Files.write(stream, bytes);
        try (SessionReader reader = open(with(Of.COPIED_TRACE, 10))) {
            assertThat(reader.snapshot().problems()).hasSize(2).anyMatch(p -> p.contains("too large to be copied"));
            assertThat(reader.trace()).isEmpty();
            reader.exportCtf(temp.resolve("ctf"), Assertions::fail);
            assertThat(temp.resolve("ctf/cpu_1")).hasSameBinaryContentAs(session.resolve("trace/cpu_1"));
        }
    }

    @Test
    void moreStreamsThanAnyHostHasCpusAreNotRead() throws Exception {
        open(with(Of.STREAMS, 2)).close();
        try (SessionReader reader = open(with(Of.STREAMS, 1))) {
            assertThat(reader.snapshot().problems()).singleElement().asString().contains("more streams than hosts have CPUs");
        }
    }

    private Path zip() throws Exception {
        Path zip = temp.resolve("z.kview.zip");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip)); Stream<Path> files = Files.walk(session)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new ZipEntry("a.kview/" + session.relativize(file)));
                Files.copy(file, out);
            }
        }
        return zip;
    }

    @Test
    void aZipThatUnpacksToMuchIsRefused() throws Exception {
        Path zip = zip();
        assertThatThrownBy(() -> SessionReader.open(zip, Progress.NONE, with(Of.UNPACKED, 1000)))
                .isInstanceOf(SessionException.class).hasMessageContaining("unpack it once, and open its folder");
        SessionReader.open(zip).close();
    }

    /** Wherever it is cancelled, it ends there. */
    @Test
    void openingCanBeEnded() throws Exception {
        Path zip = zip();
        for (Path path : List.of(session, zip)) {
            AtomicInteger heard = new AtomicInteger();
            SessionReader.open(path, (done, total) -> {
                assertThat(done).isBetween(0L, total);
                return heard.incrementAndGet() > 0;
            }).close();
            assertThat(heard.get()).isGreaterThan(4);
            for (int i = 1; i <= heard.get(); i++) {
                AtomicInteger left = new AtomicInteger(i);
                assertThatThrownBy(() -> SessionReader.open(path, (done, total) -> left.decrementAndGet() > 0))
                        .as(path + " at " + i).isInstanceOf(CancellationException.class);
            }
        }
    }

    /** Their log is longer than what it takes to write sums. */
    private LatencySnapshot recordLong() throws Exception {
        session = temp.resolve("long.kview");
        SampleRecording recording = new SampleRecording(SampleRecording.functions());
        try (SessionWriter writer = SessionWriter.create(session, SampleRecording.INFO, SampleRecording.functions(), Optional.empty())) {
            while (Files.size(session.resolve("latency.hlog")) < SessionWriter.SUMS_FROM_BYTES) {
                writer.append(recording.interval(20));
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
            return writer.snapshot();
        }
    }

    @Test
    void ofALongLogTheSumsAreRead() throws Exception {
        LatencySnapshot recorded = recordLong();
        Allowance whole = Allowance.usual();
        try (SessionReader reader = open(whole)) {
            assertThat(reader.snapshot()).isEqualTo(recorded);
        }
        assertThat(whole.readBytes()).isGreaterThan(SessionWriter.SUMS_FROM_BYTES);
        Allowance sums = with(Of.LOG_WITHOUT_SUMS, SessionWriter.SUMS_FROM_BYTES / 2);
        try (SessionReader reader = open(sums)) {
            assertThat(reader.snapshot()).isEqualTo(recorded);
            long[] calls = {0};
            reader.intervals(() -> (id, metric, end, buckets) -> calls[0] += metric.isCause() ? 0 : buckets.count());
            assertThat(calls[0]).isPositive();
        }
        assertThat(sums.readBytes()).isLessThan(SessionWriter.SUMS_FROM_BYTES / 4);
    }

    /** The lines are there, and say the same. */
    @Test
    void damagedSumsCostNothing() throws Exception {
        LatencySnapshot recorded = recordLong();
        Path log = session.resolve("latency.hlog");
        String text = Files.readString(log, StandardCharsets.ISO_8859_1);
        int sum = text.indexOf(LatencyLog.SUM_MARK);
        for (int at : new int[] {sum + 3, sum + LatencyLog.SUM_MARK.length(), sum + 60, text.length() - 3}) {
            StringBuilder damaged = new StringBuilder(text);
            damaged.setCharAt(at, (char) (damaged.charAt(at) ^ 1));
            Files.writeString(log, damaged, StandardCharsets.ISO_8859_1);
            try (SessionReader reader = open(with(Of.LOG_WITHOUT_SUMS, 1000))) {
                assertThat(reader.snapshot()).as("damaged at " + at).isEqualTo(recorded);
            }
        }
    }
}
