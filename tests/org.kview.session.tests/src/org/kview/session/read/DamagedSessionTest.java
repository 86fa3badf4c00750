// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.TableReport;
import org.kview.session.report.TableStyle;
import org.kview.session.write.SessionWriter;

/**
 * Whatever is cut off or flipped in a session's files: it opens with figures that are those of a
 * checkpoint, or that are missing and said to be, or it is refused with a sentence.
 */
@Tag("slow")
class DamagedSessionTest {
    private static final int INTERVALS = 6;

    @TempDir
    Path temp;

    private Path original;
    private LatencySnapshot whole;

    @BeforeEach
    void recordASession() throws SessionException {
        original = temp.resolve("original.kview");
        SampleRecording recording = new SampleRecording(SampleRecording.functions());
        try (SessionWriter writer = SessionWriter.create(original, SampleRecording.INFO, SampleRecording.functions(),
                Optional.of(SampleRecording.METADATA))) {
            for (int i = 0; i < INTERVALS; i++) {
                writer.append(recording.interval(20));
                writer.appendPacket(i % 2, SampleRecording.packet(i % 2, 3 + i, i * 8), 3 + i);
            }
            writer.finish(State.STOPPED, "", Optional.empty());
            whole = writer.snapshot();
        }
    }

    private Path copy(String name) throws IOException {
        Path copy = temp.resolve(name);
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(original.relativize(file).toString()),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return copy;
    }

    private static final List<String> FILES = List.of("session.json", "latency.hlog", "symbols.json", "trace/metadata",
            "trace/cpu_0", "trace/cpu_1", "packets.crc32");

    @ParameterizedTest
    @ValueSource(strings = {"session.json", "latency.hlog", "symbols.json", "trace/metadata", "trace/cpu_0", "packets.crc32"})
    void cutOffAnywhere(String name) throws Exception {
        byte[] bytes = Files.readAllBytes(original.resolve(name));
        TreeSet<Integer> lengths = new TreeSet<>(List.of(0, 1, bytes.length - 1));
        Random random = new Random(name.hashCode());
        for (int i = 0; i < 100; i++) {
            lengths.add(random.nextInt(bytes.length));
        }
        Path damaged = copy(name.replace("/", "-") + ".kview");
        int opened = 0;
        for (int length : lengths) {
            Files.write(damaged.resolve(name), Arrays.copyOf(bytes, length));
            opened += opensHonestly(damaged, name + " cut to " + length) ? 1 : 0;
        }
        // Without session.json's last newline nothing is missing; any other cut there is beyond reading.
        assertThat(opened).isEqualTo(name.equals("session.json") ? 1 : lengths.size());
    }

    @Test
    void flippedBits() throws Exception {
        Random random = new Random(7);
        for (String name : FILES) {
            byte[] bytes = Files.readAllBytes(original.resolve(name));
            Path damaged = copy(name.replace("/", "-") + ".kview");
            for (int i = 0; i < 50; i++) {
                byte[] flipped = bytes.clone();
                int at = random.nextInt(flipped.length);
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(damaged.resolve(name), flipped);
                opensHonestly(damaged, name + " with a bit flipped at " + at);
            }
        }
    }

    @Test
    void piecesOverwrittenWithRubbish() throws Exception {
        Random random = new Random(8);
        for (String name : FILES) {
            byte[] bytes = Files.readAllBytes(original.resolve(name));
            Path damaged = copy(name.replace("/", "-") + ".kview");
            for (int i = 0; i < 30; i++) {
                byte[] rubbish = new byte[1 + random.nextInt(60)];
                random.nextBytes(rubbish);
                byte[] damagedBytes = bytes.clone();
                int at = random.nextInt(bytes.length);
                System.arraycopy(rubbish, 0, damagedBytes, at, Math.min(rubbish.length, bytes.length - at));
                Files.write(damaged.resolve(name), damagedBytes);
                opensHonestly(damaged, name + " with rubbish at " + at);
            }
        }
    }

    @Test
    void aCrashAtAnyMomentLeavesACheckpoint() throws Exception {
        Path running = temp.resolve("running.kview");
        SampleRecording recording = new SampleRecording(SampleRecording.functions());
        List<LatencySnapshot> checkpoints = new ArrayList<>();
        try (SessionWriter writer = SessionWriter.create(running, SampleRecording.INFO, SampleRecording.functions(),
                Optional.empty())) {
            checkpoints.add(writer.snapshot());
            for (int i = 0; i < 40; i++) {
                writer.append(recording.interval(5));
                checkpoints.add(writer.snapshot());
                if (i % 10 == 0) {
                    Thread.sleep(410);
                }
                // Any copy of the folder is what a crash would have left.
                try (SessionReader reader = SessionReader.open(running)) {
                    assertThat(checkpoints).contains(reader.snapshot());
                    assertThat(reader.snapshot().problems()).isEmpty();
                }
            }
        }
    }

    /** False if it was refused. */
    private boolean opensHonestly(Path session, String how) throws Exception {
        LatencySnapshot found;
        try (SessionReader reader = SessionReader.open(session)) {
            found = reader.snapshot();
            if (reader.trace().isPresent()) {
                assertThat(TraceFiles.scan(reader.trace().get()).isWhole()).as(how).isTrue();
            }
        } catch (SessionException e) {
            assertThat(e.getMessage()).as(how).isNotBlank().doesNotContain("Exception");
            return false;
        }
        if (found.problems().isEmpty()) {
            // Damage that no sentence tells of must not have touched a figure.
            assertThat(found).as(how).isEqualTo(whole);
        }
        if (found.problems().stream().noneMatch(p -> p.startsWith("session.json was changed"))) {
            for (int i = 0; i < whole.functions().size(); i++) {
                sameOrLost(found.functions().get(i), whole.functions().get(i), how);
            }
        }
        // No report may stumble over what is missing.
        JsonReport.of(found);
        CsvReport.of(found);
        HtmlReport.of(found);
        TableReport.of(found, TableStyle.PLAIN);
        return true;
    }

    private static void sameOrLost(FunctionLatency found, FunctionLatency expected, String how) {
        assertThat(found.calls()).as(how).isEqualTo(expected.calls());
        for (Metric metric : Metric.values()) {
            Distribution f = found.distribution(metric);
            Distribution e = expected.distribution(metric);
            assertThat(f.count()).as(how).isEqualTo(e.count());
            assertThat(f.totalNanos()).as(how).isEqualTo(e.totalNanos());
            assertThat(f.maxNanos()).as(how).isEqualTo(e.maxNanos());
            assertThat(!f.hasBuckets() || f.equals(e)).as(how).isTrue();
        }
    }
}
