/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        Files.createDirectory(folder());
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

    @Test
    void aFileIsNoFolder() throws Exception {
        Files.writeString(folder(), "x");
        refused();
    }
}
