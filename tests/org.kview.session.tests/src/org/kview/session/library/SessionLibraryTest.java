// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.SessionNotes;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;
import org.kview.session.read.NotesFile;
import org.kview.session.read.SessionSummary;

class SessionLibraryTest {
    private static final Duration NEVER = Duration.ofDays(1);

    @TempDir
    Path temp;

    @Test
    void listsWhatIsASessionByName() throws Exception {
        SampleRecording.record(temp.resolve("b.kview"));
        SampleRecording.record(temp.resolve("without-ending"));
        SessionStore.zip(temp.resolve("b.kview"), Progress.NONE);
        Files.createDirectory(temp.resolve("a.kview"));
        Files.createDirectory(temp.resolve("other"));
        Files.createDirectory(temp.resolve(".hidden.kview"));
        Files.writeString(temp.resolve("file.kview"), "");
        Files.writeString(temp.resolve("notes.txt"), "");
        assertThat(new SessionLibrary(temp).scan(n -> { })).extracting(s -> s.path().getFileName().toString())
                .containsExactly("a.kview", "b.kview", "b.kview.zip", "without-ending");
    }

    @Test
    void aFolderThatIsNotThereIsEmptyAndOneThatIsNoneIsSaidToBe() throws Exception {
        assertThat(new SessionLibrary(temp.resolve("later")).scan(n -> { })).isEmpty();
        Path file = Files.writeString(temp.resolve("file"), "");
        assertThatThrownBy(() -> new SessionLibrary(file).scan(n -> { })).isInstanceOf(SessionException.class)
                .hasMessageContaining("is no folder");
    }

    @Test
    void readsAgainOnlyWhatHasChanged() throws Exception {
        SampleRecording.record(temp.resolve("a.kview"));
        SampleRecording.record(temp.resolve("b.kview"));
        SessionLibrary library = new SessionLibrary(temp);
        List<SessionSummary> first = library.scan(n -> { });
        NotesFile.read(temp.resolve("a.kview")).write(SessionNotes.NONE.withTags(List.of("x")));
        List<SessionSummary> second = library.scan(n -> { });
        assertThat(second.get(0).notes().tags()).containsExactly("x");
        assertThat(second.get(1)).isSameAs(first.get(1));
        Files.delete(temp.resolve("b.kview/session.json"));
        assertThat(library.scan(n -> { }).get(1).state()).isEqualTo(SessionSummary.State.DAMAGED);
    }

    @Test
    void canBeEndedInTheMiddle() throws Exception {
        SampleRecording.record(temp.resolve("a.kview"));
        assertThatThrownBy(() -> new SessionLibrary(temp).scan(n -> {
            throw new CancellationException();
        })).isInstanceOf(CancellationException.class);
    }

    @Test
    void theWatchTellsOfNewcomersAndOfAFolderThatComesLater() throws Exception {
        Path later = temp.resolve("later");
        Semaphore told = new Semaphore(0);
        try (FolderWatch watch = new FolderWatch(later, Duration.ofMillis(50), told::release)) {
            assertThat(told.tryAcquire(2, 2, TimeUnit.MINUTES)).isTrue();
            Files.createDirectory(later);
        }
        told.drainPermits();
        try (FolderWatch watch = new FolderWatch(later, NEVER, told::release)) {
            // Whether it has begun to watch can't be asked: one of these it sees.
            for (int i = 0; i < 200 && !told.tryAcquire(100, TimeUnit.MILLISECONDS); i++) {
                Files.createDirectory(later.resolve(i + ".kview"));
                assertThat(i).isLessThan(199);
                Thread.sleep(FolderWatch.QUIET.toMillis() * 2);
            }
        }
    }
}
