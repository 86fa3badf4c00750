// SPDX-License-Identifier: EPL-2.0
package org.kview.session.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.kview.model.LatencySnapshot;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SampleSurvey;
import org.kview.session.SessionException;
import org.kview.session.format.SurveyFile;
import org.kview.session.read.NotesFile;
import org.kview.session.read.SessionReader;
import org.kview.session.read.SessionSummary;
import org.kview.session.read.TraceFiles;
import org.kview.session.repair.SessionSalvage;
import org.kview.session.report.CsvReport;
import org.kview.session.report.HtmlReport;
import org.kview.session.report.JsonReport;
import org.kview.session.report.TableReport;
import org.kview.session.report.TableStyle;
import org.kview.session.write.HostsFolder;

/**
 * Sessions that somebody changed on purpose, file by file: each opens, or is refused with a sentence, and every report of
 * it can be made.
 *
 * <p>{@code KVIEW_FUZZ_SESSIONS} how many, {@code KVIEW_FUZZ_SEED} the first one's seed; scripts/fuzz sets them.
 */
@Tag("slow")
class HostileSessionTest {
    private static final int SESSIONS = 500;
    private static final int THREADS = 2;

    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();

    private static long setting(String name, long otherwise) {
        return Optional.ofNullable(System.getenv(name)).map(Long::parseLong).orElse(otherwise);
    }

    @Test
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void changedSessionsBreakNothing() throws Exception {
        long first = setting("KVIEW_FUZZ_SEED", 1);
        long sessions = setting("KVIEW_FUZZ_SESSIONS", SESSIONS);
        Path shm = Path.of("/dev/shm");
        Path folder = Files.isWritable(shm) ? Files.createTempDirectory(shm, "kview-fuzz-")
                : Files.createTempDirectory("kview-fuzz-");
        Queue<AssertionError> failures = new ConcurrentLinkedQueue<>();
        try {
            Map<String, byte[]> one = one(folder.resolve("one.kview"));
            Map<String, byte[]> several = several(folder.resolve("several.kview"));
            AtomicLong next = new AtomicLong(first);
            try (var threads = Executors.newFixedThreadPool(THREADS)) {
                for (int i = 0; i < THREADS; i++) {
                    threads.execute(() -> {
                        for (long seed = next.getAndIncrement(); seed < first + sessions && failures.isEmpty();
                                seed = next.getAndIncrement()) {
                            try {
                                play(folder.resolve(Long.toString(seed)), seed, seed % 8 == 0 ? several : one);
                            } catch (Throwable e) {
                                failures.add(new AssertionError("KVIEW_FUZZ_SEED=" + seed
                                        + " KVIEW_FUZZ_SESSIONS=1 shows: " + e, e));
                            }
                        }
                    });
                }
            }
        } finally {
            delete(folder);
        }
        if (!failures.isEmpty()) {
            throw failures.peek();
        }
        assertThat(opened.get() + refused.get()).isEqualTo((int) sessions);
        if (sessions >= SESSIONS) {
            assertThat(opened.get()).as("sessions that still open").isBetween((int) sessions / 5, (int) sessions * 9 / 10);
        }
        System.out.println("fuzzed " + sessions + " sessions: " + opened + " opened, " + refused + " were refused");
    }

    private static Map<String, byte[]> one(Path session) throws IOException {
        SampleRecording.record(session);
        Files.writeString(session.resolve("notes.json"), """
                {"schema":"kview-notes/1","text":"slow","tags":["a"],
                 "bookmarks":[{"text":"b","function":{"name":"price_basket","binary":"/x"},"begin_ns":1,"end_ns":2}]}""");
        Files.write(session.resolve("survey.json"), SurveyFile.encode(SampleSurvey.findings()));
        return read(session);
    }

    private static Map<String, byte[]> several(Path session) throws IOException {
        Files.createDirectory(session);
        for (Path host : HostsFolder.create(session, java.util.List.of("web-1", "web-2")).values()) {
            SampleRecording.record(host);
        }
        return read(session);
    }

    private static Map<String, byte[]> read(Path session) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        try (Stream<Path> all = Files.walk(session)) {
            for (Path file : all.filter(Files::isRegularFile).sorted().toList()) {
                files.put(session.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private void play(Path folder, long seed, Map<String, byte[]> original) throws Exception {
        Map<String, byte[]> copy = new HashMap<>();
        original.forEach((name, bytes) -> copy.put(name, bytes.clone()));
        Map<String, byte[]> files = new SessionMutator(seed, copy).mutate();
        Random random = new Random(seed);
        Path session = random.nextInt(4) == 0 ? zip(folder, files, random) : write(folder.resolve("s.kview"), files);
        SessionSummary summary = SessionSummary.read(session);
        // Of the recording's own problems any text is taken; it is made safe where it is shown.
        assertThat(summary.problems()).noneMatch(String::isBlank);
        try (SessionReader reader = SessionReader.open(session)) {
            use(reader, random);
            opened.incrementAndGet();
        } catch (SessionException e) {
            isASentence(e.getMessage());
            refused.incrementAndGet();
            salvage(session, folder.resolve("salvaged"));
        }
        try {
            NotesFile.read(session);
        } catch (SessionException e) {
            isASentence(e.getMessage());
        }
        delete(folder);
    }

    /** What does not open may be salvaged, and opens then. */
    private static void salvage(Path session, Path target) throws IOException {
        if (!Files.isDirectory(session)) {
            return;
        }
        Files.createDirectory(target);
        try {
            SessionSalvage.salvage(session, target, Progress.NONE);
        } catch (SessionException e) {
            isASentence(e.getMessage());
            return;
        }
        SessionReader.open(target).close();
    }

    private static void use(SessionReader reader, Random random) throws Exception {
        LatencySnapshot figures = reader.snapshot();
        assertThat(figures.problems()).noneMatch(String::isBlank);
        assertThat(TableReport.of(figures, TableStyle.PLAIN)).doesNotContain("\u001b", "\u0000", "\u202e");
        assertThat(CsvReport.of(figures)).doesNotContain("\n=");
        assertThat(JsonReport.of(figures)).startsWith("{");
        if (random.nextInt(8) == 0) {
            assertThat(HtmlReport.of(figures)).doesNotContain("<script");
        }
        reader.intervals(() -> (id, metric, end, buckets) -> {
            assertThat(end).isNotNegative();
            assertThat(figures.functions()).anyMatch(f -> f.function().id() == id);
        });
        for (SessionReader.HostTrace trace : reader.traces()) {
            assertThat(TraceFiles.scan(trace.folder()).isWhole()).isTrue();
        }
    }

    private static void isASentence(String problem) {
        assertThat(problem).isNotBlank().doesNotContain("Exception", "mistake in this program");
    }

    private static Path write(Path session, Map<String, byte[]> files) throws IOException {
        for (var file : files.entrySet()) {
            Path path = session.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, file.getValue());
        }
        Files.createDirectories(session);
        return session;
    }

    /** With names and bytes of the zip itself changed, too. */
    private static Path zip(Path folder, Map<String, byte[]> files, Random random) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (var file : files.entrySet()) {
                String root = random.nextInt(60) == 0 ? "../" : random.nextInt(60) == 0 ? "b.kview/" : "a.kview/";
                zip.putNextEntry(new ZipEntry(root + file.getKey()));
                zip.write(file.getValue());
            }
        }
        byte[] written = bytes.toByteArray();
        for (int i = random.nextInt(3); i > 0; i--) {
            // The directory at the end is what is read first.
            int at = random.nextBoolean() ? random.nextInt(written.length)
                    : written.length - 1 - random.nextInt(Math.min(600, written.length));
            written[at] = (byte) random.nextInt();
        }
        Files.createDirectories(folder);
        return Files.write(folder.resolve("s.kview.zip"), written);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList().reversed()) {
                Files.delete(file);
            }
        }
    }
}
