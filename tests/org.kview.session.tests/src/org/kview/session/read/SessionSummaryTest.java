// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbedFunction;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.read.SessionSummary.State;
import org.kview.session.write.SessionWriter;

class SessionSummaryTest {
    @TempDir
    Path temp;

    @Test
    void ofAFolderAndOfItsZipTellTheSame() throws Exception {
        Path session = temp.resolve("shop.kview");
        LatencySnapshot figures = SampleRecording.record(session);
        Path zip = temp.resolve("shop.kview.zip");
        SessionCopy.toZip(session, zip, "shop.kview", Progress.NONE);
        for (Path path : new Path[] {session, zip}) {
            SessionSummary summary = SessionSummary.read(path);
            assertThat(summary.name()).isEqualTo("shop");
            assertThat(summary.state()).isEqualTo(State.WHOLE);
            assertThat(summary.info()).contains(figures.info());
            assertThat(summary.functions()).isEqualTo(SampleRecording.functions().stream().map(ProbedFunction::name)
                    .toList());
            assertThat(summary.events()).isTrue();
            assertThat(summary.problems()).isEmpty();
            assertThat(summary.zip()).isEqualTo(path == zip);
        }
        assertThat(SessionSummary.read(zip).bytes()).isEqualTo(Files.size(zip));
    }

    @Test
    void whileItIsRecordedItIsSoAndCutOffWhenItsRecorderDied() throws Exception {
        Path session = temp.resolve("a.kview");
        try (SessionWriter writer = SampleRecording.begin(session)) {
            assertThat(SessionSummary.read(session).state()).isEqualTo(State.RECORDING);
            // Asking must not have given up the lock.
            assertThat(SessionSummary.read(session).state()).isEqualTo(State.RECORDING);
        }
        assertThat(SessionSummary.read(session).state()).isEqualTo(State.CUT_OFF);
        assertThat(session.resolve(".lock")).doesNotExist();
        Path crashed = SampleRecording.cutOff(temp.resolve("b.kview"));
        assertThat(crashed.resolve(".reserve")).exists();
        assertThat(SessionSummary.read(crashed).state()).isEqualTo(State.CUT_OFF);
        assertThat(SessionSummary.read(crashed).salvageable()).isTrue();
    }

    /** The lock of another process, taken as a recorder takes it, and that process killed. */
    @Test
    void anotherProcessHoldsItUntilItIsKilled() throws Exception {
        Path session = SampleRecording.cutOff(temp.resolve("a.kview"));
        Process other = new ProcessBuilder("python3", "-c", "import fcntl, sys, time\n"
                + "f = open(sys.argv[1], 'w')\nfcntl.lockf(f, fcntl.LOCK_EX)\nprint('held', flush=True)\n"
                + "time.sleep(600)", session.resolve(".lock").toString()).start();
        try {
            assertThat(other.inputReader().readLine()).isEqualTo("held");
            assertThat(SessionSummary.read(session).state()).isEqualTo(State.RECORDING);
        } finally {
            other.destroyForcibly().waitFor();
        }
        assertThat(SessionSummary.read(session).state()).isEqualTo(State.CUT_OFF);
    }

    @Test
    void damagedItSaysWhy() throws Exception {
        Path session = temp.resolve("a.kview");
        SampleRecording.record(session);
        Files.writeString(session.resolve("session.json"), "{\"schema\" : ");
        SessionSummary cut = SessionSummary.read(session);
        assertThat(cut.state()).isEqualTo(State.DAMAGED);
        assertThat(cut.problems()).containsExactly("session.json is damaged: it is cut off or no JSON");
        assertThat(cut.salvageable()).isTrue();
        assertThat(cut.bytes()).isPositive();

        Path empty = Files.createDirectory(temp.resolve("empty.kview"));
        assertThat(SessionSummary.read(empty).salvageable()).isFalse();
        assertThat(SessionSummary.read(empty).problems()).singleElement().asString().startsWith("session.json is missing");
    }

    @Test
    void aZipThatIsNoneAndOneThatUnpacksToTooMuch() throws Exception {
        Path none = Files.writeString(temp.resolve("none.kview.zip"), "no zip");
        assertThat(SessionSummary.read(none).problems()).hasSize(2).allMatch(p -> p.contains("no zip file"));
        Path bomb = temp.resolve("bomb.kview.zip");
        try (OutputStream file = Files.newOutputStream(bomb); ZipOutputStream out = new ZipOutputStream(file)) {
            out.putNextEntry(new ZipEntry("a.kview/session.json"));
            for (int i = 0; i < 65; i++) {
                out.write(new byte[1 << 20]);
            }
        }
        assertThat(SessionSummary.read(bomb).problems().getFirst()).contains("far too large");
    }

    @Test
    void ofANewerVersionSaysWhichAndWhatToDo() throws Exception {
        Path session = temp.resolve("a.kview");
        SampleRecording.record(session);
        Path json = session.resolve("session.json");
        Files.writeString(json, Files.readString(json).replace("kview-session/1", "kview-session/7"));
        assertThat(SessionSummary.read(session).problems()).singleElement().asString()
                .contains("kview-session/7").contains("kview-session/3").contains("update");
    }
}
