// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.sessions;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.cli.KviewCommand;
import org.kview.cli.console.Console;
import org.kview.cli.console.ExitCode;
import org.kview.session.report.TableStyle;

/** What the command says; what it prints of a session is tested where that is made, and with real recordings. */
class CallsCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        Console console = new Console(new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8), false, TableStyle.PLAIN);
        return new KviewCommand(console, () -> "1.2.3").run(List.of(arguments));
    }

    @Test
    void aMistakeInAFilterIsPointedAt() {
        assertThat(run("calls", "s.kview", "--where", "wall > 10ms && caus == lock")).isEqualTo(ExitCode.WRONG_ARGUMENTS);
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "kview: --where, column 16: 'caus' is no column; did you mean cause?",
                "  wall > 10ms && caus == lock",
                "                 ^",
                "kview: 'kview calls --help' tells what is understood.");
        assertThat(out.size()).isZero();
    }

    @Test
    void soIsOneInAnOrder() {
        assertThat(run("calls", "s.kview", "--sort", "quickness")).isEqualTo(ExitCode.WRONG_ARGUMENTS);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("--sort, column 1: 'quickness' is no column; they are host target start")
                .contains("  quickness\n  ^\n");
    }

    /** The arguments are looked at before the session is. */
    @Test
    void aSessionThatIsNotThereIsOneSentence() {
        Path none = Path.of("/nonexistent.kview");
        assertThat(run("calls", none.toString(), "--where", "wall > 1ms", "--json")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(none + " does not exist").hasLineCount(1);
        assertThat(out.size()).isZero();
    }

    /** A real session, in whose description price_basket goes on to another function by a jump. */
    private static Path marked(Path folder) throws IOException {
        Path zip = Path.of(System.getProperty("kview.recordings"), "demo.kview.zip");
        Path session = folder.resolve("demo.kview");
        try (FileSystem recording = FileSystems.newFileSystem(zip); Stream<Path> files = Files.walk(recording.getPath("demo.kview"))) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.toString()));
            }
        }
        Path json = session.resolve("session.json");
        String basket = "\"name\" : \"price_basket\",";
        Files.writeString(json, Files.readString(json).replace(basket, basket + " \"goes_on_to\" : [ \"settle\" ],"));
        return session;
    }

    /** Standard output is for whoever reads columns; what has to be known beside them is on standard error, whatever the form. */
    @Test
    void whatHasToBeKnownOfAFunctionIsSaidBesideItsCalls(@TempDir Path folder) throws IOException {
        String session = marked(folder).toString();
        String note = "kview: price_basket: its time is only that until it goes on to settle.";
        for (List<String> form : List.of(List.<String>of(), List.of("--csv"), List.of("--json"))) {
            List<String> arguments = new ArrayList<>(List.of("calls", session, "--top", "1", "--function", "price_basket"));
            arguments.addAll(form);
            out.reset();
            err.reset();
            assertThat(run(arguments.toArray(String[]::new))).isEqualTo(ExitCode.DONE);
            assertThat(err.toString(StandardCharsets.UTF_8).lines()).containsOnlyOnce(note);
            String printed = out.toString(StandardCharsets.UTF_8);
            assertThat(printed).hasLineCount(form.contains("--json") ? 1 : 2).contains("price_basket");
            assertThat(printed.contains("\"marks\":[\"until it goes on to settle\"]")).isEqualTo(form.contains("--json"));
        }
        err.reset();
        run("calls", session, "--function", "flush_cache");
        assertThat(err.toString(StandardCharsets.UTF_8)).as("none of its calls is printed").doesNotContain("price_basket");
    }

    @Test
    void soItIsWhereDistributionsTraceTablesOrProfileAreExported(@TempDir Path folder) throws IOException {
        String session = marked(folder).toString();
        for (String form : List.of("--ctf", "--hlog", "--parquet", "--pprof")) {
            err.reset();
            assertThat(run("export", session, form, folder.resolve("out" + form).toString())).isEqualTo(ExitCode.DONE);
            assertThat(err.toString(StandardCharsets.UTF_8).lines()).as(form).containsOnlyOnce("kview: price_basket: its time is only that until it goes on to settle.");
        }
    }
}
