// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo;
import org.kview.recording.Recorder;
import org.kview.recording.Recording;
import org.kview.recording.RecordingObserver;
import org.kview.session.SessionException;
import org.kview.session.read.SessionReader;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.TableReport;
import org.kview.session.report.TableStyle;
import org.kview.targets.Agent;
import org.kview.targets.values.TargetException;

/**
 * A host that says anything: mutated recordings, from the greeting to the report. Nothing may break but
 * with a sentence for the user, and nothing be written outside the session.
 *
 * <p>{@code KVIEW_FUZZ_STREAMS} how many, {@code KVIEW_FUZZ_SEED} the first one's seed; scripts/fuzz sets them.
 */
@Tag("slow")
class HostileHostTest {
    private static final int STREAMS = 1_000;
    private static final int AT_ONCE = 256;
    private static final int PROGRESS = 50_000;
    /** A request that gets no answer costs a stream that long. */
    private static final Duration UNANSWERED = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    /** A recording that waits for ever does so whatever this is; one on a host that is busy may take its time. */
    private static final Duration END = Duration.ofMinutes(5);

    private final Queue<Throwable> uncaught = new ConcurrentLinkedQueue<>();
    private final AtomicInteger recorded = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    private static long setting(String name, long otherwise) {
        return Optional.ofNullable(System.getenv(name)).map(Long::parseLong).orElse(otherwise);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void mutatedStreamsBreakNothing() throws Exception {
        long first = setting("KVIEW_FUZZ_SEED", 1);
        long streams = setting("KVIEW_FUZZ_STREAMS", STREAMS);
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> uncaught.add(e));
        // Sessions are many and small: in memory, where there is such a folder.
        Path shm = Path.of("/dev/shm");
        Path folder = Files.isWritable(shm) ? Files.createTempDirectory(shm, "kview-fuzz-")
                : Files.createTempDirectory("kview-fuzz-");
        try {
            playAll(folder, first, streams);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(null);
            delete(folder);
        }
        assertThat(uncaught).isEmpty();
        assertThat(recorded.get() + refused.get()).isEqualTo((int) streams);
        if (streams >= STREAMS) {
            assertThat(recorded.get()).as("streams that got as far as a session").isGreaterThan((int) streams / 10);
        }
        System.out.println("fuzzed " + streams + " streams: " + recorded + " became sessions, " + refused + " were refused");
    }

    /** Many at once: each waits more than it works. */
    private void playAll(Path folder, long first, long streams) throws Exception {
        var atOnce = new Semaphore(AT_ONCE);
        var failures = new ConcurrentLinkedQueue<AssertionError>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (long seed = first; seed < first + streams && failures.isEmpty(); seed++) {
                long own = seed;
                atOnce.acquire();
                if (seed > first && (seed - first) % PROGRESS == 0) {
                    System.out.println("up to seed " + (seed - AT_ONCE) + " nothing was found");
                }
                threads.execute(() -> {
                    try {
                        play(folder.resolve(Long.toString(own)), own);
                    } catch (Throwable e) {
                        failures.add(new AssertionError("KVIEW_FUZZ_SEED=" + own + " KVIEW_FUZZ_STREAMS=1 shows: " + e, e));
                    } finally {
                        atOnce.release();
                    }
                });
            }
        }
        if (!failures.isEmpty()) {
            throw failures.peek();
        }
    }

    @Test
    void theHonestStreamIsASession() throws Exception {
        Path folder = Files.createTempDirectory("kview-fuzz-");
        try {
            LatencySnapshot figures = record(folder.resolve("s.kview"), new ReplayedAgent(
                    Mutator.unchanged(Conversation.honest()), PATIENCE)).orElseThrow();
            assertThat(figures.problems()).isEmpty();
            assertThat(figures.info().state()).as(figures.info().stateNote()).isEqualTo(SessionInfo.State.PROCESS_ENDED);
            assertThat(figures.functions()).extracting(f -> f.calls()).containsExactly(6L, 6L);
        } finally {
            delete(folder);
        }
    }

    private void play(Path folder, long seed) throws Exception {
        Files.createDirectory(folder);
        Path session = folder.resolve("s.kview");
        Optional<LatencySnapshot> figures = record(session, new ReplayedAgent(
                new Mutator(seed).mutate(Conversation.honest()), UNANSWERED));
        try (Stream<Path> made = Files.list(folder)) {
            assertThat(made).as("nothing beside the session").allMatch(session::equals);
        }
        if (Files.exists(session)) {
            read(session);
        }
        (figures.isPresent() ? recorded : refused).incrementAndGet();
        delete(folder);
    }

    /** Empty if it was refused with a sentence. */
    private static Optional<LatencySnapshot> record(Path session, ReplayedAgent transport) throws Exception {
        try (Agent agent = Agent.connect(transport)) {
            Recording recording = new Recorder(agent, "host").start(Conversation.scope(),
                    Conversation.request(session), new RecordingObserver() { });
            if (!recording.isDone()) {
                awaitEnd(recording);
            }
            recording.endProgram(Duration.ZERO);
            return Optional.of(recording.await().figures());
        } catch (TargetException | SessionException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContain("mistake in this program");
            return Optional.empty();
        }
    }

    private static void awaitEnd(Recording recording) throws InterruptedException {
        Thread waiting = Thread.startVirtualThread(() -> {
            try {
                recording.await();
            } catch (SessionException | InterruptedException e) {
                // Whoever asks for the result is told.
            }
        });
        assertThat(waiting.join(END)).as("the recording ends with its host").isTrue();
    }

    /** Whatever was written opens, and every report of it can be made and shown. */
    private static void read(Path session) throws SessionException {
        try (SessionReader reader = SessionReader.open(session)) {
            LatencySnapshot figures = reader.snapshot();
            assertThat(TableReport.of(figures, TableStyle.PLAIN))
                    .doesNotContain("\u001b", "\u0000", "\u0007", "\u202e");
            assertThat(HtmlReport.of(figures)).doesNotContain("<script");
            assertThat(CsvReport.of(figures)).doesNotContain("\n=");
            assertThat(JsonReport.of(figures)).startsWith("{");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }
}
