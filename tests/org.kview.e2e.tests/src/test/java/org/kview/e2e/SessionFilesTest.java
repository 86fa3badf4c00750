// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reports and exports of a real session, whole and damaged. */
class SessionFilesTest {
    @TempDir
    private static Path recorded;
    @TempDir
    private Path folder;
    private Path session;

    @BeforeAll
    static void record() throws Exception {
        Kview.Result result = Kview.run(recorded, "record", "--probe", "kview-demo:poll_queue", "--probe",
                "kview-demo:render_page", "--events", "-o", "s.kview", "--", Workload.DEMO.toString(), "--only",
                "poll_queue,render_page", "--seconds", "2");
        assertThat(result.exitCode()).as(result.errors()).isZero();
    }

    @BeforeEach
    void copy() throws IOException {
        session = folder.resolve("s.kview");
        Path original = recorded.resolve("s.kview");
        try (Stream<Path> files = Files.walk(original)) {
            for (Path file : files.toList()) {
                Files.copy(file, session.resolve(original.relativize(file).toString()));
            }
        }
    }

    @Test
    void reportsInEveryForm() throws Exception {
        assertThat(Kview.run(folder, "report", "s.kview").output()).contains("poll_queue").contains("sleep");
        assertThat(Kview.run(folder, "report", "s.kview", "--html", "r.html").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("r.html"))).contains("poll_queue").contains("<html");
        assertThat(Kview.run(folder, "report", "s.kview", "--csv", "r.csv").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("r.csv"))).contains("poll_queue,");
        assertThat(Kview.run(folder, "report", "s.kview", "--png", "r.png").exitCode()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("r.png"))).startsWith(0x89, 'P', 'N', 'G');
    }

    @Test
    void comparesInEveryForm() throws Exception {
        Kview.Result table = Kview.run(folder, "compare", "s.kview", "s.kview");
        assertThat(table.exitCode()).as(table.errors()).isZero();
        assertThat(table.output()).contains("Both are the same recording.").contains("poll_queue");
        assertThat(Kview.run(folder, "compare", "s.kview", "s.kview", "--json").output())
                .contains("\"schema\" : \"kview-compare/1\"").contains("\"changed\" : 0");
        assertThat(Kview.run(folder, "compare", "s.kview", "s.kview", "--html", "c.html").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("c.html"))).contains("poll_queue").contains("<html");
    }

    @Test
    void exportsItsParts() throws Exception {
        assertThat(Kview.run(folder, "export", "s.kview", "--hlog", "r.hlog").exitCode()).isZero();
        assertThat(Files.readString(folder.resolve("r.hlog"))).contains("Tag=");
        assertThat(Kview.run(folder, "export", "s.kview", "--pprof", "r.pb.gz").output()).isEqualTo("r.pb.gz\n");
        assertThat(Files.readAllBytes(folder.resolve("r.pb.gz"))).startsWith(0x1f, 0x8b);
        assertThat(Kview.run(folder, "export", "s.kview", "--parquet", "tables").output()).isEqualTo("tables\n");
        try (Stream<Path> files = Files.walk(folder.resolve("tables/calls")).filter(Files::isRegularFile)) {
            assertThat(files).extracting(file -> file.getParent().getFileName().toString())
                    .containsExactlyInAnyOrder("function=poll_queue", "function=render_page");
        }
        assertThat(Kview.run(folder, "export", "s.kview", "--ctf", "ctf").exitCode()).isZero();
        assertThat(CtfTrace.read(folder.resolve("ctf")).events())
                .isEqualTo(CtfTrace.read(session.resolve("trace")).events()).isPositive();
        anExportedTraceIsImportedWithTheSameFigures();
    }

    /** libbabeltrace2 reads it. */
    private void anExportedTraceIsImportedWithTheSameFigures() throws Exception {
        Kview.Result imported = Kview.run(folder, "import", "ctf", "-o", "i.kview");
        assertThat(imported.exitCode()).as(imported.errors()).isZero();
        assertThat(imported.output()).contains("imported from").endsWith("session i.kview\n");
        Session recording = Session.read(session);
        Session again = Session.read(folder.resolve("i.kview"));
        assertThat(again.json().at("/provenance/imported/trace").asText()).endsWith("/ctf");
        // What is not in the trace can't be in the figures that are made of it.
        if (recording.loss("events_dropped") == 0) {
            for (String name : List.of("poll_queue", "render_page")) {
                for (String part : List.of("wall", "on_cpu", "off_cpu")) {
                    assertThat(again.function(name).json().path(part)).isEqualTo(recording.function(name).json().path(part));
                }
            }
        }
    }

    @Test
    void aReportThatCantBeWrittenSaysWhere() throws Exception {
        assertSentence(Kview.run(folder, "report", "s.kview", "--html", "no/such/folder/r.html"), "no/such/folder");
        assertSentence(Kview.run(folder, "report", "s.kview", "--html", "/proc/r.html"), "/proc/r.html");
    }

    @Test
    void aReportThatNobodyCouldReadIsAFailure() throws Exception {
        Path errors = folder.resolve("errors");
        Process report = Kview.builder(folder, "report", "s.kview", "--json").redirectOutput(new File("/dev/full"))
                .redirectError(errors.toFile()).start();
        assertThat(report.waitFor()).isEqualTo(1);
        assertThat(Files.readString(errors)).startsWith("kview: ").hasLineCount(1);
    }

    @Test
    void whatIsNoSessionIsNamed() throws Exception {
        assertSentence(Kview.run(folder, "report", "none.kview"), "none.kview");
        Files.createDirectory(folder.resolve("empty.kview"));
        assertSentence(Kview.run(folder, "report", "empty.kview"), "empty.kview");
    }

    @Test
    void aDamagedDescriptionIsNamed() throws Exception {
        Files.writeString(session.resolve("session.json"), "{\"schema\":");
        assertSentence(Kview.run(folder, "report", "s.kview"), "session.json");
    }

    /** The rest still opens, and the damage is named. */
    @ParameterizedTest
    @CsvSource({"latency.hlog, 0.5", "latency.hlog, 0", "symbols.json, 0.5"})
    void aTruncatedFileIsNamedAndTheRestOpens(String file, double kept) throws Exception {
        try (RandomAccessFile bytes = new RandomAccessFile(session.resolve(file).toFile(), "rw")) {
            bytes.setLength((long) (bytes.length() * kept));
        }
        assertOpensAndNames(file);
    }

    @ParameterizedTest
    @CsvSource({"latency.hlog", "symbols.json"})
    void aMissingFileIsNamedAndTheRestOpens(String file) throws Exception {
        Files.delete(session.resolve(file));
        assertOpensAndNames(file);
    }

    private void assertOpensAndNames(String file) throws Exception {
        Kview.Result result = Kview.run(folder, "report", "s.kview", "--json");
        assertThat(result.exitCode()).as(result.errors()).isZero();
        assertThat(result.errors()).contains(file);
        assertThat(result.output()).contains("\"problems\"").contains(file);
    }

    private static void assertSentence(Kview.Result result, String names) {
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(1);
        assertThat(result.errors()).startsWith("kview: ").contains(names).doesNotContain("\tat ").hasLineCount(1);
        assertThat(result.output()).isEmpty();
    }
}
