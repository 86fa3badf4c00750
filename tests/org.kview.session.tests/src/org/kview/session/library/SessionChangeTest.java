// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;

class SessionChangeTest {
    @TempDir
    Path temp;

    private Path session;

    @BeforeEach
    void record() throws SessionException {
        session = temp.resolve("a.kview");
        SampleRecording.record(session);
    }

    private List<String> sessions() throws IOException {
        try (Stream<Path> files = Files.list(temp)) {
            return files.map(f -> f.getFileName().toString()).filter(n -> !n.startsWith(".")).sorted().toList();
        }
    }

    /** Done, undone, redone and undone again, everything is as before. */
    private void takesBack(SessionChange change, String... after) throws Exception {
        List<String> before = sessions();
        for (int i = 0; i < 2; i++) {
            SessionChange.Done done = change.apply(Progress.NONE);
            assertThat(sessions()).containsExactly(after);
            SessionChange.Done undone = done.inverse().orElseThrow().apply(Progress.NONE);
            assertThat(sessions()).isEqualTo(before);
            change = undone.inverse().orElseThrow();
        }
    }

    @Test
    void everyChangeCanBeTakenBackAndDoneAgain() throws Exception {
        takesBack(new SessionChange.Rename(session, "b"), "b.kview");
        takesBack(new SessionChange.Create(session, SessionStore::duplicate), "a copy.kview", "a.kview");
        takesBack(new SessionChange.Create(session, SessionStore::zip), "a.kview", "a.kview.zip");
        takesBack(new SessionChange.Delete(List.of(session)));
    }

    @Test
    void ofSeveralWhatCanBeDoneIsDoneAndTheRestIsTold() throws Exception {
        Path gone = temp.resolve("gone.kview");
        SessionChange.Done done = new SessionChange.Delete(List.of(gone, session)).apply(Progress.NONE);
        assertThat(done.failure().orElseThrow()).hasMessageContaining("gone.kview");
        assertThat(sessions()).isEmpty();
        assertThat(done.inverse().orElseThrow().apply(Progress.NONE).sessions()).containsExactly(session);
        assertThatThrownBy(() -> new SessionChange.Delete(List.of(gone)).apply(Progress.NONE))
                .isInstanceOf(SessionException.class);
    }

    @Test
    void finishingARecordingInItsPlaceCantBeTakenBack() throws Exception {
        Path cut = SampleRecording.cutOff(temp.resolve("cut.kview"));
        assertThat(new SessionChange.Create(cut, SessionStore::salvage).apply(Progress.NONE).inverse()).isEmpty();
    }
}
