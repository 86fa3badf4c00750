// SPDX-License-Identifier: EPL-2.0
package org.kview.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What can't be recorded says so: exit code, and one sentence with what to do. */
class RecordErrorsTest {
    @TempDir
    private Path folder;

    @Test
    void aProcessThatHasEnded() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Kview.Result result = record("--pid", "" + ended.pid(), "--probe", "true:main");
        assertSentence(result, 1, "" + ended.pid());
    }

    @Test
    void aProcessThatIsAboutToGo() throws Exception {
        // The shell's child stays behind as a zombie, dead with its number still taken: it ends once nobody waits for it any more.
        Process shell = new ProcessBuilder("sh", "-c", "exec 3<&0; cat <&3 & echo $!; exec sleep 600").start();
        try (var out = shell.inputReader()) {
            String zombie = out.readLine();
            while (!Files.readString(Path.of("/proc/" + shell.pid() + "/comm")).equals("sleep\n")) {
                Thread.sleep(10);
            }
            shell.getOutputStream().close();
            while (!Files.readString(Path.of("/proc/" + zombie + "/stat")).contains(") Z ")) {
                Thread.sleep(10);
            }
            assertSentence(record("--pid", zombie, "--probe", "sleep:main"), 1, zombie);
        } finally {
            shell.destroyForcibly();
        }
    }

    @Test
    void aFunctionThatDoesNotExistHasItsNeighboursNamed() throws Exception {
        Kview.Result result = record("--probe", "kview-demo:render_pgae", "--", Workload.DEMO.toString());
        assertSentence(result, 1, "render_pgae");
        assertThat(result.errors()).contains("render_page");
    }

    @Test
    void aGlobThatMatchesNothing() throws Exception {
        assertSentence(record("--probe", "kview-demo:zzz*", "--", Workload.DEMO.toString()), 1, "zzz*");
    }

    @Test
    void aBinaryThatTheProcessDoesNotMap() throws Exception {
        assertSentence(record("--probe", "libnothing.so:f", "--", Workload.DEMO.toString()), 1, "libnothing.so");
    }

    @Test
    void aStrippedBinary() throws Exception {
        Path stripped = folder.resolve("stripped");
        assertThat(new ProcessBuilder("strip", "-s", "-o", stripped.toString(), Workload.DEMO.toString()).inheritIO()
                .start().waitFor()).isZero();
        assertSentence(record("--probe", "stripped:render_page", "--", stripped.toString()), 1, "stripped");
    }

    @Test
    void aProgramThatDoesNotExist() throws Exception {
        assertSentence(record("--probe", "x:main", "--", "./no-such-program"), 1, "no-such-program");
    }

    @Test
    void aFolderThatExistsIsLeftAlone() throws Exception {
        Files.createDirectory(folder.resolve("s.kview"));
        Files.writeString(folder.resolve("s.kview/mine"), "precious");
        Kview.Result result = Kview.run(folder, "record", "--probe", "kview-demo:poll_queue", "-o", "s.kview", "--",
                Workload.DEMO.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.errors()).contains("s.kview exists already");
        assertThat(folder.resolve("s.kview/mine")).hasContent("precious");
    }

    @Test
    void aSecondRecordingIntoTheSameFolderWhileTheFirstRuns() throws Exception {
        try (Running workload = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600");
                Running first = Running.kview(folder, "record", "--pid", "" + workload.pid(), "--probe",
                        "kview-demo:poll_queue", "-o", "s.kview").awaitSaid("recording process")) {
            Kview.Result second = Kview.run(folder, "record", "--pid", "" + workload.pid(), "--probe",
                    "kview-demo:poll_queue", "-o", "s.kview");
            assertThat(second.exitCode()).isEqualTo(1);
            assertThat(second.errors()).contains("s.kview exists already");
            assertThat(first.signal("INT").await().exitCode()).isZero();
        }
    }

    /** One who can read the product: not where the checkout is below a folder of root's own. */
    @Test
    void aUserWithoutTheRight() throws Exception {
        List<String> asAnother = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all");
        List<String> look = new ArrayList<>(asAnother);
        look.addAll(List.of("test", "-r", System.getProperty("kview.launcher"), "-a", "-x", System.getProperty("kview.agent")));
        assumeThat(new ProcessBuilder(look).inheritIO().start().waitFor()).as("another user can't read this checkout").isZero();
        // What commands prepare once, of which that user has only to read it.
        assertThat(Kview.run(folder, "--version").exitCode()).isZero();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (Running workload = Workload.waiting(Workload.DEMO, "--only", "poll_queue", "--seconds", "600")) {
            List<String> command = new ArrayList<>(asAnother);
            ProcessBuilder builder = Kview.builder(folder, "record", "--pid", "" + workload.pid(), "--probe",
                    "kview-demo:poll_queue", "-o", "s.kview");
            command.addAll(builder.command());
            try (Running kview = Running.start(builder.command(command))) {
                assertSentence(kview.await(), 4, "root");
            }
        }
        assertThat(folder.resolve("s.kview")).doesNotExist();
    }

    private Kview.Result record(String... arguments) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("record", "-o", "s.kview"));
        all.addAll(List.of(arguments));
        return Kview.run(folder, all.toArray(String[]::new));
    }

    private void assertSentence(Kview.Result result, int exitCode, String names) {
        assertThat(result.exitCode()).as(result.errors()).isEqualTo(exitCode);
        assertThat(result.errors()).startsWith("kview: ").contains(names).doesNotContain("\tat ").hasLineCount(1);
        assertThat(result.output()).isEmpty();
        assertThat(folder.resolve("s.kview")).as("no session is left behind").doesNotExist();
    }
}
