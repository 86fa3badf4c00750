// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.LogTag;
import org.kview.session.report.ReportFile;
import org.kview.session.write.SessionWriter;

/** Sessions that somebody made to be read for ever, or to fill the memory: refused, or opened without what is too much. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SessionLimitsTest {
    @TempDir
    Path temp;

    private Path session() throws Exception {
        Path session = temp.resolve("a.kview");
        SampleRecording.record(session);
        return session;
    }

    private static void pipe(Path path) throws Exception {
        assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    }

    @Test
    void millionsOfMembersAreRefused() throws Exception {
        Path session = session();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(session.resolve("session.json")))) {
            out.write("{\"schema\":\"kview-session/1\"".getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < 1_100_000; i++) {
                out.write((",\"m" + i + "\":0").getBytes(StandardCharsets.US_ASCII));
            }
            out.write('}');
        }
        assertThatThrownBy(() -> SessionReader.open(session)).isInstanceOf(SessionException.class).hasMessageContaining("session.json is damaged: it holds more values");
        assertThat(SessionSummary.read(session).state()).isEqualTo(SessionSummary.State.DAMAGED);
    }

    @Test
    void whatIsNestedForEverIsRefused() throws Exception {
        Path session = session();
        Files.writeString(session.resolve("session.json"), "{\"a\":".repeat(200_000));
        assertThatThrownBy(() -> SessionReader.open(session)).isInstanceOf(SessionException.class);
    }

    /** Each would have a file that stays open. */
    @Test
    void noMoreStreamsThanLinuxNumbersCpus() throws Exception {
        try (SessionWriter writer = SampleRecording.begin(temp.resolve("b.kview"))) {
            writer.appendPacket(8191, SampleRecording.packet(8191, 1, 0), 1);
            assertThatThrownBy(() -> writer.appendPacket(8192, SampleRecording.packet(8192, 1, 0), 1))
                    .isInstanceOf(SessionException.class).hasMessageContaining("of a CPU that can't be: 8192");
        }
    }

    @Test
    void hugeFilesAreNotRead() throws Exception {
        Path session = session();
        try (RandomAccessFile file = new RandomAccessFile(session.resolve("symbols.json").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).singleElement().asString().contains("symbols.json").contains("too large");
            assertThat(reader.snapshot().functions()).isNotEmpty();
        }
        try (RandomAccessFile file = new RandomAccessFile(session.resolve("session.json").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        assertThatThrownBy(() -> SessionReader.open(session)).isInstanceOf(SessionException.class).hasMessageContaining("too large");
    }

    @Test
    void aHugeMetadataIsNotRead() throws Exception {
        Path session = session();
        long bytes = 3L << 30;
        try (RandomAccessFile file = new RandomAccessFile(session.resolve("trace/metadata").toFile(), "rw")) {
            file.setLength(bytes);
        }
        Path json = session.resolve("session.json");
        Files.writeString(json, Files.readString(json).replaceFirst("(\"metadata\" : \\{\\s*\"bytes\" : )[0-9]+", "$1" + bytes));
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot().problems()).anyMatch(p -> p.startsWith("trace/metadata is damaged"));
            assertThat(reader.trace()).isEmpty();
        }
    }

    /** More distributions than any recording has: those beyond are not kept. */
    @Test
    void aLogOfCountlessTagsDoesNotFillTheMemory() throws Exception {
        Path session = session();
        Path log = session.resolve("latency.hlog");
        String line = Files.readAllLines(log, StandardCharsets.ISO_8859_1).stream().filter(l -> l.startsWith("Tag=")).findFirst().orElseThrow();
        String rest = line.substring(line.indexOf(','));
        Path hostile = temp.resolve("hostile.hlog");
        int lines = 200_000;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(hostile))) {
            for (int i = 0; i < lines; i++) {
                out.write(("Tag=" + i + ":f" + i + ":wall" + rest + "\n").getBytes(StandardCharsets.ISO_8859_1));
            }
        }
        LatencyLogReader reader = LatencyLogReader.read(hostile, Long.MAX_VALUE);
        int kept = 0;
        for (LogTag _ : reader.tags()) {
            kept++;
        }
        assertThat(kept).isBetween(13 * 1024, 50_000);
        assertThat(reader.badLines()).isEqualTo(lines - kept);
    }

    @Test
    void aStartInNoCalendarIsDamage() throws Exception {
        for (String start : List.of("+1000000000-12-31T23:59:59Z", "-1000000000-01-01T00:00:00Z", "1969-12-31T23:59:59Z",
                "+10000-01-01T00:00:00Z")) {
            Path session = temp.resolve(start.replace(':', '-') + ".kview");
            SampleRecording.record(session);
            Path json = session.resolve("session.json");
            Files.writeString(json, Files.readString(json).replaceFirst("\"start\" : \"[^\"]*\"", "\"start\" : \"" + start + "\""));
            assertThatThrownBy(() -> SessionReader.open(session)).isInstanceOf(SessionException.class).hasMessageContaining("start");
        }
    }

    @Test
    void aPipeIsNoSession() throws Exception {
        Path pipe = temp.resolve("a.kview.zip");
        pipe(pipe);
        assertThatThrownBy(() -> SessionReader.open(pipe)).isInstanceOf(SessionException.class).hasMessageContaining("no session");
        assertThat(SessionSummary.read(pipe).state()).isEqualTo(SessionSummary.State.DAMAGED);
        Path session = session();
        for (String name : List.of("symbols.json", "latency.hlog", "notes.json", "survey.json", "trace/metadata", "trace/cpu_0",
                "session.json")) {
            Files.deleteIfExists(session.resolve(name));
            pipe(session.resolve(name));
            SessionSummary.read(session);
            try (SessionReader reader = SessionReader.open(session)) {
                assertThat(reader.snapshot().problems()).as(name).isNotEmpty();
            } catch (SessionException e) {
                assertThat(name).isEqualTo("session.json");
            }
        }
    }

    @Test
    void nothingIsWrittenIntoAPipeThatPerhapsNobodyReads() throws Exception {
        Path pipe = temp.resolve("out.html");
        pipe(pipe);
        assertThatThrownBy(() -> ReportFile.write(pipe, "x")).isInstanceOf(SessionException.class).hasMessageContaining("named pipe");
        ReportFile.write(Path.of("/dev/null"), "x");
    }

    @Test
    void summariesNeverFailWhoeverElseReads() throws Exception {
        Path session = SampleRecording.cutOff(temp.resolve("cut.kview"));
        List<Callable<SessionSummary.State>> reads = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            reads.add(() -> SessionSummary.read(session).state());
        }
        try (var threads = Executors.newFixedThreadPool(4)) {
            for (var read : threads.invokeAll(reads)) {
                assertThat(read.get()).isEqualTo(SessionSummary.State.CUT_OFF);
            }
        }
    }
}
