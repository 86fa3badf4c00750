// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.SessionInfo.State;
import org.kview.session.SampleRecording;
import org.kview.session.files.Disk;
import org.kview.session.read.SessionReader;
import org.kview.session.repair.SessionRepair;
import org.kview.session.write.LatencyLogWriter.Joining;
import org.kview.testing.Recorded;

/** Long recordings of many functions have lines of more than an interval. */
class JoinedIntervalsTest {
    @TempDir
    Path temp;

    private final SampleRecording recording = new SampleRecording(SampleRecording.functions());

    private SessionWriter writer(String name, Joining joining) throws Exception {
        return writer(name, joining, System::nanoTime);
    }

    private SessionWriter writer(String name, Joining joining, LongSupplier nanoTime) throws Exception {
        return SessionWriter.create(temp.resolve(name), SampleRecording.INFO, SampleRecording.functions(),
                Optional.empty(), Disk.REAL, joining, new CheckpointPace(nanoTime));
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
                try (SessionReader reader = SessionReader.open(asItIs("cut.kview", "copy-" + i + ".kview"))) {
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

    /** After ten minutes, when a line covers one of them. */
    @Test
    void oneWhoseRecorderIsKilledLosesFiveSecondsAtMostAndNoPercentile() throws Exception {
        AtomicLong now = new AtomicLong();
        Map<Duration, List<FunctionLatency>> recorded = new HashMap<>();
        Set<Duration> checkpoints = new HashSet<>();
        Duration age = Duration.ZERO;
        try (SessionWriter writer = writer("killed.kview", new Joining(1, 8), now::get)) {
            for (int i = 0; i < 1200; i++) {
                now.addAndGet(500_000_000);
                writer.append(recording.interval(1));
                LatencySnapshot figures = writer.snapshot();
                recorded.put(figures.info().duration(), figures.functions());
                if (i >= 1000) {
                    try (SessionReader reader = SessionReader.open(temp.resolve("killed.kview"))) {
                        assertThat(reader.snapshot().problems()).isEmpty();
                        Duration known = reader.snapshot().info().duration();
                        assertThat(reader.snapshot().functions()).isEqualTo(recorded.get(known));
                        checkpoints.add(known);
                        age = Collections.max(List.of(age, figures.info().duration().minus(known)));
                    }
                }
            }
            assertThat(lines("killed.kview").getLast()).isEqualTo(64_000);
            assertThat(age).isLessThan(Duration.ofSeconds(5));
            // In 100 s: one in four seconds, and one with each of at most two lines.
            assertThat(checkpoints).hasSizeBetween(25, 28);
        }
    }

    @Test
    void whatTheLogLacksIsInIntervalsExportsAndSalvagedSessions() throws Exception {
        AtomicLong now = new AtomicLong();
        try (SessionWriter writer = writer("lacks.kview", new Joining(1, 8), now::get)) {
            boolean lacks = false;
            for (int i = 0; i < 1000 && !lacks; i++) {
                now.addAndGet(500_000_000);
                writer.append(recording.interval(1));
                lacks = Files.readString(temp.resolve("lacks.kview/session.json")).contains("\"pending\"");
            }
            assertThat(lacks).isTrue();
            Path killed = asItIs("lacks.kview", "killed.kview");
            SessionRepair.finish(killed);
            try (SessionReader reader = SessionReader.open(killed)) {
                LatencySnapshot figures = reader.snapshot();
                assertThat(figures.problems()).isEmpty();
                assertThat(figures.info().state()).isEqualTo(State.FAILED);
                assertThat(figures.functions()).isEqualTo(writer.snapshot().functions());
                AtomicLong calls = new AtomicLong();
                AtomicLong lastEnd = new AtomicLong();
                reader.intervals(() -> (id, metric, end, buckets) -> {
                    calls.addAndGet(id == 0 && metric == Metric.WALL ? buckets.count() : 0);
                    lastEnd.set(Math.max(lastEnd.get(), end));
                });
                assertThat(calls).hasValue(figures.functions().getFirst().wall().count());
                assertThat(lastEnd).hasValue(figures.info().duration().toNanos());
                reader.exportHlog(Files.createDirectory(temp.resolve("exported")).resolve("latency.hlog"));
                assertThat(lines("exported").stream().mapToLong(Long::longValue).sum())
                        .isEqualTo(figures.info().duration().toMillis())
                        .isGreaterThan(lines("killed.kview").stream().mapToLong(Long::longValue).sum());
            }
        }
    }

    private Path asItIs(String running, String name) throws Exception {
        Path copy = Files.createDirectories(temp.resolve(name));
        for (String file : List.of("session.json", "symbols.json", "latency.hlog")) {
            Files.copy(temp.resolve(running).resolve(file), copy.resolve(file));
        }
        return copy;
    }
}
