// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.files.Disk;
import org.kview.session.read.SessionReader;
import org.kview.session.write.LatencyLogWriter.Joining;
import org.kview.testing.Recorded;

/** Long recordings of many functions have lines of more than an interval. */
class JoinedIntervalsTest {
    @TempDir
    Path temp;

    private final SampleRecording recording = new SampleRecording(SampleRecording.functions());

    private SessionWriter writer(String name, Joining joining) throws Exception {
        return SessionWriter.create(temp.resolve(name), SampleRecording.INFO, SampleRecording.functions(),
                Optional.empty(), Disk.REAL, joining);
    }

    /** How long the intervals of the log's lines of one tag are, in ms, in their order. */
    private List<Long> lines(String name) throws Exception {
        try (Stream<String> lines = Files.lines(temp.resolve(name).resolve("latency.hlog"), StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.startsWith("Tag=0:price_basket:wall,"))
                    .map(line -> Math.round(Double.parseDouble(line.split(",")[2]) * 1000)).toList();
        }
    }

    @Test
    void shortOnesHaveALineForEachInterval() throws Exception {
        try (SessionWriter writer = writer("short.kview", Joining.USUAL)) {
            for (int i = 0; i < 40; i++) {
                writer.append(recording.interval(1));
            }
        }
        assertThat(lines("short.kview")).hasSize(40).containsOnly(500L);
    }

    /** Never longer than the part of the recording that a comparison takes for a slice. */
    @Test
    void longOnesHaveLinesOfPowersOfTwo() throws Exception {
        LatencySnapshot written;
        try (SessionWriter writer = writer("long.kview", new Joining(1, 8))) {
            for (int i = 0; i < 160; i++) {
                writer.append(recording.interval(3));
            }
            writer.finish(State.STOPPED, "", Optional.empty());
            written = writer.snapshot();
        }
        List<Long> lines = lines("long.kview");
        assertThat(new TreeSet<>(lines)).containsExactly(500L, 1000L, 2000L, 4000L, 8000L);
        assertThat(lines.stream().mapToLong(Long::longValue).sum()).isEqualTo(80_000);
        assertThat(lines.subList(0, lines.size() - 1)).isSorted();
        long before = 0;
        for (long line : lines) {
            assertThat(line).isLessThanOrEqualTo(Math.max(500, before / 8 + 1000));
            before += line;
        }
        try (SessionReader reader = SessionReader.open(temp.resolve("long.kview"))) {
            assertThat(reader.snapshot()).isEqualTo(written);
            assertThat(reader.snapshot().problems()).isEmpty();
        }
    }

    /** By its bytes: an hour of some functions keeps each interval. */
    @Test
    void smallOnesKeepEachInterval() throws Exception {
        try (SessionWriter writer = writer("small.kview", new Joining(1 << 20, 8))) {
            for (int i = 0; i < 160; i++) {
                writer.append(recording.interval(1));
            }
        }
        assertThat(lines("small.kview")).hasSize(160).containsOnly(500L);
    }

    /** It is told apart by no line's time. */
    @Test
    void timeWithoutCallsIsInNoLine() throws Exception {
        try (SessionWriter writer = writer("idle.kview", new Joining(1, 8))) {
            int called = 0;
            while (called < 64 || lines("idle.kview").stream().mapToLong(Long::longValue).sum() == called * 500L) {
                writer.append(recording.interval(1));
                called++;
            }
            LatencyInterval idle = recording.interval(1);
            writer.append(Recorded.interval(idle.beginNanos(), idle.endNanos(), List.of(), idle.losses(), false));
            assertThat(lines("idle.kview").stream().mapToLong(Long::longValue).sum()).isEqualTo(called * 500L);
            LatencyInterval after = recording.interval(1);
            writer.append(Recorded.interval(after.beginNanos(), after.endNanos(), after.functions(), after.losses(), true));
            assertThat(lines("idle.kview").getLast()).isEqualTo(500L);
        }
    }

    /** Nothing that the checkpoint tells of is still to be written. */
    @Test
    void oneThatIsCutOffOpensWithItsLastCheckpoint() throws Exception {
        int opened = 0;
        try (SessionWriter writer = writer("cut.kview", new Joining(1, 8))) {
            for (int i = 0; i < 100; i++) {
                LatencyInterval next = recording.interval(2);
                writer.append(Recorded.interval(next.beginNanos(), next.endNanos(), next.functions(), next.losses(),
                        i % 7 == 0));
                LatencySnapshot figures = writer.snapshot();
                Path copy = Files.createDirectories(temp.resolve("copy-" + i + ".kview"));
                for (String file : List.of("session.json", "symbols.json", "latency.hlog")) {
                    Files.copy(temp.resolve("cut.kview").resolve(file), copy.resolve(file));
                }
                try (SessionReader reader = SessionReader.open(copy)) {
                    assertThat(reader.snapshot().problems()).isEmpty();
                    assertThat(reader.snapshot().functions()).allMatch(f -> f.wall().hasBuckets());
                    if (i % 7 == 0) {
                        assertThat(reader.snapshot().functions()).isEqualTo(figures.functions());
                        opened++;
                    }
                }
            }
        }
        assertThat(opened).isEqualTo(15);
    }
}
