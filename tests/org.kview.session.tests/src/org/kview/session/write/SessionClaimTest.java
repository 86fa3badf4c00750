// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.format.SessionLock;
import org.kview.session.read.SessionReader;

/** A folder is one recording's; what a recorder leaves that dies before it has recorded anything is in no one's way. */
class SessionClaimTest {
    @TempDir
    Path temp;

    private Path folder() {
        return temp.resolve("a.kview");
    }

    private static SessionWriter begin(Path folder) throws SessionException {
        return SessionWriter.create(folder, SampleRecording.INFO, SampleRecording.functions(), Optional.of(SampleRecording.METADATA));
    }

    /** Whatever the umask. */
    private static void own(Path folder) throws Exception {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    @Test
    void oneTakesIt() throws Exception {
        try (SessionClaim claim = SessionClaim.take(folder())) {
            assertThat(SessionClaim.isFree(folder())).isFalse();
            assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(SessionException.class)
                    .hasMessageContaining("being recorded");
            assertThat(SessionLock.isHeld(folder())).isTrue();
        }
        assertThat(SessionClaim.isFree(folder())).isTrue();
    }

    @Test
    void theWriterTakesItOver() throws Exception {
        try (SessionClaim claim = SessionClaim.take(folder()); SessionWriter writer = begin(folder())) {
            claim.close();
            assertThat(SessionLock.isHeld(folder())).isTrue();
            assertThatThrownBy(() -> begin(folder())).isInstanceOf(SessionException.class);
        }
        assertThat(SessionLock.isHeld(folder())).isFalse();
        assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(FileAlreadyExistsException.class);
    }

    /** SIGKILL right after the folder was made, after the lock, and while the first files are written. */
    @Test
    void whatADeadRecorderLeftIsUsed() throws Exception {
        own(folder());
        SessionClaim.take(folder()).close();
        Files.createFile(folder().resolve(".lock"));
        SessionClaim.take(folder()).close();
        Path other = temp.resolve("b.kview");
        begin(other).close();
        Files.delete(other.resolve("session.json"));
        Files.createFile(other.resolve(".lock"));
        Files.writeString(other.resolve("session.json.tmp"), "{");
        assertThat(SessionClaim.isFree(other)).isTrue();
        try (SessionClaim _ = SessionClaim.take(other); SessionWriter _ = begin(other)) {
            assertThat(other.resolve("session.json")).exists();
        }
    }

    /** SIGKILL while the list of hosts is written, before any of them has begun, and while the first files of one are written. */
    @Test
    void whatADeadRecorderOfSeveralHostsLeftIsUsed() throws Exception {
        SessionClaim.take(folder()).close();
        Files.createFile(folder().resolve(".lock"));
        Files.createDirectory(folder().resolve("hosts"));
        usable();
        Files.createDirectory(folder().resolve("hosts"));
        Files.writeString(folder().resolve("session.json.tmp"), "{");
        usable();
        Map<String, Path> parts = HostsFolder.create(folder(), List.of("web-1", "web-2"));
        usable();
        parts = HostsFolder.create(folder(), List.of("web-1", "web-2"));
        Files.createDirectory(parts.get("web-1"));
        begin(parts.get("web-2")).close();
        Files.delete(parts.get("web-2").resolve("session.json"));
        Files.createFile(parts.get("web-2").resolve(".lock"));
        usable();
    }

    /** Taken by the next recorder, which has an empty folder then and dies as well. */
    private void usable() throws Exception {
        assertThat(SessionClaim.isFree(folder())).isTrue();
        try (SessionClaim _ = SessionClaim.take(folder())) {
            assertThat(folder()).isDirectoryNotContaining("glob:**/[!.]*");
        }
        Files.createFile(folder().resolve(".lock"));
    }

    @Test
    void aHostWithFiguresIsLeftAlone() throws Exception {
        own(folder());
        Map<String, Path> parts = HostsFolder.create(folder(), List.of("web-1", "web-2"));
        // No lock beside the list: both began.
        refused();
        Files.createFile(folder().resolve(".lock"));
        assertThat(SessionClaim.isFree(folder())).isTrue();
        try (SessionClaim _ = SessionClaim.take(parts.get("web-1"))) {
            assertThat(SessionClaim.isFree(folder())).as("while a part of it is recorded").isFalse();
        }
        begin(parts.get("web-1")).close();
        assertThat(SessionClaim.isFree(folder())).isFalse();
        assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(FileAlreadyExistsException.class);
        try (SessionReader reader = SessionReader.open(folder())) {
            assertThat(reader.snapshot().problems()).as("it opens").singleElement().asString().contains("web-2");
        }
        Files.delete(parts.get("web-1").resolve("session.json"));
        Files.createFile(parts.get("web-1").resolve(".lock"));
        assertThat(SessionClaim.isFree(folder())).isTrue();
        Files.createDirectory(folder().resolve("hosts/notes"));
        assertThat(SessionClaim.isFree(folder())).as("with somebody's own folder").isFalse();
    }

    @Test
    void aSessionWithoutItsFiguresIsNoList() throws Exception {
        own(folder());
        Files.createFile(folder().resolve(".lock"));
        for (String text : List.of("{", "{}", """
                {"schema":"kview-session/1","kind":"recording"}""", """
                {"schema":"kview-session/99","kind":"hosts","hosts":[{"target":"a","folder":"hosts/1-a"}]}""")) {
            Files.writeString(folder().resolve("session.json"), text);
            assertThat(SessionClaim.isFree(folder())).as(text).isFalse();
        }
    }

    @Test
    void whatHoldsAnythingIsLeftAlone() throws Exception {
        SampleRecording.record(folder());
        Files.delete(folder().resolve("session.json"));
        refused();
        for (String part : new String[] {"trace/cpu_0", "trace/cpu_1", "packets.crc32"}) {
            Files.delete(folder().resolve(part));
            refused();
        }
        Files.writeString(folder().resolve("latency.hlog"), "# nothing\n", StandardOpenOption.TRUNCATE_EXISTING);
        // Nothing was recorded, but no recorder's lock tells that these files are one's.
        refused();
        Files.createFile(folder().resolve(".lock"));
        assertThat(SessionClaim.isFree(folder())).isTrue();
        Files.writeString(folder().resolve("thesis.txt"), "dear");
        assertThat(SessionClaim.isFree(folder())).isFalse();
        assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(FileAlreadyExistsException.class);
    }

    private void refused() {
        assertThat(SessionClaim.isFree(folder())).isFalse();
        assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(FileAlreadyExistsException.class);
        assertThat(folder().resolve(".lock")).doesNotExist();
    }

    /** They could put a link in the place of a file while it is recorded. */
    @Test
    void whereOthersMayWriteNothingIsRecorded() throws Exception {
        own(folder());
        for (String mode : List.of("rwxrwxr-x", "rwx-wx---", "rwxr-xrwx", "rwx----w-")) {
            Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString(mode));
            refusedAsNotOwn("others may write");
        }
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwx------"));
        SessionClaim.take(folder()).close();
        Files.delete(folder());
        SessionClaim.take(folder()).close();
        assertThat(Files.getPosixFilePermissions(folder())).doesNotContain(PosixFilePermission.GROUP_WRITE,
                PosixFilePermission.OTHERS_WRITE);
        assertThat(SessionClaim.isFree(folder())).isTrue();
    }

    @Test
    void anotherUsersFolderIsNotTaken() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "folders can be given away");
        own(folder());
        Files.setAttribute(folder(), "unix:uid", 41001);
        refusedAsNotOwn("belongs to another user");
        Files.setAttribute(folder(), "unix:uid", 0);
        SessionClaim.take(folder()).close();
    }

    private void refusedAsNotOwn(String why) {
        assertThat(SessionClaim.isFree(folder())).isFalse();
        assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(SessionException.class)
                .hasMessageContaining(folder() + " exists already").hasMessageContaining(why);
        assertThat(folder()).isEmptyDirectory();
    }

    @Test
    void aLockThatIsALinkIsNotFollowed() throws Exception {
        Path outside = temp.resolve("outside");
        own(folder());
        Files.createSymbolicLink(folder().resolve(".lock"), outside);
        assertThatThrownBy(() -> begin(folder())).isInstanceOf(SessionException.class)
                .hasMessageContaining("symbolic link");
        assertThat(outside).doesNotExist();
        assertThat(SessionClaim.isFree(folder())).isFalse();
        assertThatThrownBy(() -> SessionClaim.take(folder())).isInstanceOf(FileAlreadyExistsException.class);
    }

    @Test
    void aFileIsNoFolder() throws Exception {
        Files.writeString(folder(), "x");
        refused();
    }
}
