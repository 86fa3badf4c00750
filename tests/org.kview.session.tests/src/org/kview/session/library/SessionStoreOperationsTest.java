// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionNotes;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.NotesFile;
import org.kview.session.read.SessionReader;
import org.kview.session.write.SessionWriter;

class SessionStoreOperationsTest {
    @TempDir
    Path temp;

    private Path session;
    private LatencySnapshot recorded;

    @BeforeEach
    void record() throws IOException {
        session = temp.resolve("shop.kview");
        recorded = SampleRecording.record(session);
        NotesFile.read(session).write(SessionNotes.NONE.withText("mine"));
    }

    private void isTheSession(Path path) throws IOException {
        try (SessionReader reader = SessionReader.open(path)) {
            assertThat(reader.snapshot()).isEqualTo(recorded);
            assertThat(reader.trace()).isPresent();
        }
        assertThat(NotesFile.read(path).notes().text()).isEqualTo("mine");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(temp)) {
            return files.map(f -> f.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkout", "a b%20c", "50% of #1; rm -rf ~ & 'x' \"y\"", "Größe 测试", "C:\\temp", "-rf",
        "shop.kview.old"})
    void renamed(String name) throws Exception {
        Path renamed = SessionStore.rename(session, name);
        assertThat(names()).containsExactly(name + ".kview");
        isTheSession(renamed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", ".", "..", ".hidden", "a/b", "../up", "new\nline", "tab\there", "nul\0",
        "rtl\u202etxt"})
    void namesThatAreNone(String name) throws Exception {
        assertThatThrownBy(() -> SessionStore.rename(session, name)).isInstanceOf(SessionException.class)
                .message().endsWith(".").doesNotContain("Exception");
        assertThat(names()).containsExactly("shop.kview");
        isTheSession(session);
    }

    @Test
    void aNameThatIsTooLong() throws Exception {
        assertThatThrownBy(() -> SessionStore.rename(session, "ü".repeat(101))).hasMessageContaining("too long");
        isTheSession(SessionStore.rename(session, "ü".repeat(100)));
    }

    @Test
    void nothingThatIsThereIsWrittenOver() throws Exception {
        Path folder = Files.createDirectory(temp.resolve("empty.kview"));
        Path zip = Files.writeString(temp.resolve("taken.kview.zip"), "mine");
        Path link = Files.createSymbolicLink(temp.resolve("link.kview"), Path.of("nowhere"));
        for (Path taken : List.of(folder, link)) {
            assertThatThrownBy(() -> SessionStore.rename(session, taken.getFileName().toString().replace(".kview", "")))
                    .isInstanceOf(SessionException.class).hasMessage(taken + " exists already: choose another name");
            assertThatThrownBy(() -> SessionStore.copy(session, taken, Progress.NONE))
                    .hasMessage(taken + " exists already: choose another name");
        }
        assertThatThrownBy(() -> SessionStore.copy(session, zip, Progress.NONE)).hasMessageContaining("exists already");
        assertThat(zip).hasContent("mine");
        assertThat(names()).containsExactly("empty.kview", "link.kview", "shop.kview", "taken.kview.zip");
        isTheSession(session);
    }

    @Test
    void duplicatesGetNamesOfTheirOwn() throws Exception {
        isTheSession(SessionStore.duplicate(session, Progress.NONE));
        isTheSession(SessionStore.duplicate(session, Progress.NONE));
        assertThat(names()).containsExactly("shop copy 2.kview", "shop copy.kview", "shop.kview");
    }

    @Test
    void zippedUnzippedAndCopiedItIsTheSame() throws Exception {
        Path zip = SessionStore.zip(session, Progress.NONE);
        isTheSession(zip);
        isTheSession(SessionStore.duplicate(zip, Progress.NONE));
        isTheSession(SessionStore.unzip(zip, Progress.NONE));
        isTheSession(SessionStore.copy(session, temp.resolve("new/folders/trace.kview.zip"), Progress.NONE));
        isTheSession(SessionStore.copy(zip, temp.resolve("new/out.kview"), Progress.NONE));
        assertThat(names()).containsExactly("new", "shop 2.kview", "shop copy.kview.zip", "shop.kview",
                "shop.kview.zip");
    }

    /** A trace of zeros packs a thousandfold; what is packed here must open here. */
    @Test
    void howeverWellItPacksItsZipOpens() throws Exception {
        try (var file = FileChannel.open(session.resolve("trace/cpu_9"),
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[1]), 80 << 20);
        }
        Path zip = SessionStore.zip(session, Progress.NONE);
        assertThat(SessionStore.unzip(zip, Progress.NONE).resolve("trace/cpu_9")).hasSize((80 << 20) + 1);
    }

    @Test
    void cancelledInTheMiddleNothingIsLeft() throws Exception {
        Path zip = SessionStore.zip(session, Progress.NONE);
        List<String> before = names();
        Progress soon = (done, total) -> {
            assertThat(done).isPositive().isLessThanOrEqualTo(total);
            return false;
        };
        assertThatThrownBy(() -> SessionStore.duplicate(session, soon)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> SessionStore.zip(session, soon)).isInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> SessionStore.unzip(zip, soon)).isInstanceOf(CancellationException.class);
        assertThat(names()).isEqualTo(before);
    }

    @Test
    void aLinkInASessionIsNotCopied() throws Exception {
        Path secret = Files.writeString(temp.resolve("secret"), "x");
        Files.createSymbolicLink(session.resolve("trace/cpu_7"), secret);
        assertThatThrownBy(() -> SessionStore.zip(session, Progress.NONE)).isInstanceOf(SessionException.class)
                .hasMessageContaining("cpu_7 is a link");
        assertThatThrownBy(() -> SessionStore.duplicate(session, Progress.NONE)).hasMessageContaining("is a link");
        assertThat(names()).containsExactly("secret", "shop.kview");
    }

    @Test
    void aLinkToASessionIsRenamedItself() throws Exception {
        Path link = Files.createSymbolicLink(temp.resolve("link.kview"), session);
        Path renamed = SessionStore.rename(link, "other");
        assertThat(renamed).isSymbolicLink();
        isTheSession(session);
        Trash.delete(renamed);
        isTheSession(session);
    }

    @Test
    void whileItIsRecordedItStaysAsItIs() throws Exception {
        Path running = temp.resolve("running.kview");
        try (SessionWriter writer = SampleRecording.begin(running)) {
            assertThatThrownBy(() -> SessionStore.rename(running, "x")).hasMessageContaining("is being recorded");
            assertThatThrownBy(() -> SessionStore.duplicate(running, Progress.NONE))
                    .hasMessageContaining("is being recorded");
            assertThatThrownBy(() -> Trash.delete(running)).hasMessageContaining("is being recorded");
            assertThat(running).exists();
        }
    }

    @Test
    void whatIsGoneIsSaidToBe() {
        Path gone = temp.resolve("gone.kview");
        for (var work : List.<ThrowingCallable>of(
                () -> SessionStore.rename(gone, "x"), () -> SessionStore.zip(gone, Progress.NONE),
                () -> SessionStore.salvage(gone, Progress.NONE), () -> Trash.delete(gone))) {
            assertThatThrownBy(work).isInstanceOf(SessionException.class).hasMessageContaining("no longer there");
        }
    }

    @Test
    void salvagedWhereItIsOrBesideIt() throws Exception {
        Path cut = SampleRecording.cutOff(temp.resolve("cut.kview"));
        assertThat(SessionStore.salvage(cut, Progress.NONE)).isEqualTo(cut);
        Files.delete(session.resolve("session.json"));
        Path salvaged = SessionStore.salvage(session, Progress.NONE);
        assertThat(salvaged).hasFileName("shop salvaged.kview");
        SessionReader.open(salvaged).close();
        assertThat(NotesFile.read(salvaged).notes().text()).isEqualTo("mine");
        Files.delete(session.resolve("latency.hlog"));
        assertThatThrownBy(() -> SessionStore.salvage(session, Progress.NONE)).hasMessageContaining("nothing to salvage");
        assertThat(names()).containsExactly("cut.kview", "shop salvaged.kview", "shop.kview");
    }

    @Test
    void onADiskThatIsFullNothingIsLost() throws Exception {
        onADisk("size=600k", mount -> {
            Path there = SessionStore.copy(session, mount.resolve("a.kview"), Progress.NONE);
            Files.write(there.resolve("trace/cpu_5"), new byte[200_000]);
            assertThatThrownBy(() -> SessionStore.duplicate(
                    SessionStore.duplicate(there, Progress.NONE), Progress.NONE))
                    .isInstanceOf(SessionException.class).hasMessageEndingWith("the disk is full");
            NotesFile notes = NotesFile.read(there);
            assertThatThrownBy(() -> notes.write(SessionNotes.NONE.withText("n".repeat(400_000))))
                    .hasMessageEndingWith("the disk is full");
            assertThat(NotesFile.read(there).notes().text()).isEqualTo("mine");
            // Deleting and restoring need no room.
            Path back = Trash.restore(Trash.delete(there));
            Files.delete(back.resolve("trace/cpu_5"));
            isTheSession(back);
        });
    }

    @Test
    void inAReadOnlyFolderEverythingSaysSoAndNothingChanges() throws Exception {
        onADisk("size=2m", mount -> {
            Path there = SessionStore.copy(session, mount.resolve("a.kview"), Progress.NONE);
            assertThat(run("mount", "-o", "remount,ro", mount.toString())).isTrue();
            for (var work : List.<ThrowingCallable>of(
                    () -> SessionStore.rename(there, "x"), () -> SessionStore.zip(there, Progress.NONE),
                    () -> Trash.delete(there), () -> SessionStore.duplicate(there, Progress.NONE),
                    () -> NotesFile.read(there).overwrite(SessionNotes.NONE))) {
                assertThatThrownBy(work).isInstanceOf(SessionException.class).hasMessageContaining("Read-only");
            }
            isTheSession(there);
        });
    }

    private interface OnDisk {
        void run(Path mount) throws Exception;
    }

    private void onADisk(String options, OnDisk test) throws Exception {
        Path mount = Files.createDirectory(temp.resolve("mount"));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", options, "tmpfs", mount.toString()), "needs root");
        try {
            test.run(mount);
        } finally {
            run("umount", mount.toString());
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
