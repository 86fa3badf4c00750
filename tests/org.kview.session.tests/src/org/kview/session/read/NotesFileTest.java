// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Bookmark;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionNotes;
import org.kview.session.Progress;
import org.kview.session.SampleRecording;
import org.kview.session.SessionException;

class NotesFileTest {
    private static final SessionNotes NOTES = new SessionNotes("Slow since Tuesday.\n\"Größe\" 测试 </script>",
            List.of("checkout", "release 4.2"),
            List.of(new Bookmark("the tail", Optional.of(new Bookmark.Function("price_basket", "/usr/bin/checkout")),
                    Optional.of(new Bookmark.Range(1_763_647_327_120_000_001L, 1_763_647_327_120_000_500L))),
                    new Bookmark("all of it", Optional.empty(), Optional.empty())));

    @TempDir
    Path temp;

    private Path session;
    private LatencySnapshot recorded;

    @BeforeEach
    void record() throws SessionException {
        session = temp.resolve("a.kview");
        recorded = SampleRecording.record(session);
    }

    @Test
    void whatWasWrittenIsReadBackAndTheFiguresStayWhole() throws Exception {
        assertThat(NotesFile.read(session).notes()).isEqualTo(SessionNotes.NONE);
        NotesFile.read(session).write(NOTES);
        assertThat(NotesFile.read(session).notes()).isEqualTo(NOTES);
        try (SessionReader reader = SessionReader.open(session)) {
            assertThat(reader.snapshot()).isEqualTo(recorded);
        }
        assertThat(session).isDirectoryNotContaining("glob:**.tmp");
    }

    @Test
    void theyGoIntoAZipAndCanBeReadThereButNotChanged() throws Exception {
        NotesFile.read(session).write(NOTES);
        Path zip = temp.resolve("a.kview.zip");
        SessionCopy.toZip(session, zip, "a.kview", Progress.NONE);
        NotesFile zipped = NotesFile.read(zip);
        assertThat(zipped.notes()).isEqualTo(NOTES);
        assertThatThrownBy(() -> zipped.write(SessionNotes.NONE)).isInstanceOf(SessionException.class)
                .hasMessage("The notes of a zip can't be changed: unzip it first.");
        assertThat(NotesFile.read(zip).notes()).isEqualTo(NOTES);
    }

    @Test
    void whatSomeoneElseWroteIsNotOverwrittenUnseen() throws Exception {
        NotesFile mine = NotesFile.read(session);
        NotesFile.read(session).write(NOTES);
        assertThatThrownBy(() -> mine.write(NOTES.withText("mine"))).isInstanceOf(NotesFile.ChangedException.class);
        assertThat(NotesFile.read(session).notes()).isEqualTo(NOTES);
        mine.overwrite(NOTES.withText("mine"));
        assertThat(NotesFile.read(session).notes().text()).isEqualTo("mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "[]", "{}", "{\"schema\":\"kview-notes/1\"}", "{\"schema\":\"kview-session/1\"}",
        "{\"schema\":\"kview-notes/1\",\"text\":\"\",\"bookmarks\":[{\"text\":\"\",\"begin_ns\":5,\"end_ns\":4}]}",
        "{\"schema\":\"kview-notes/1\",\"text\":\"\",\"bookmarks\":[7]}"})
    void damagedOnesAreSaidToBeAndLeftAlone(String text) throws Exception {
        Files.writeString(session.resolve("notes.json"), text);
        assertThatThrownBy(() -> NotesFile.read(session)).isInstanceOf(SessionException.class)
                .hasMessageStartingWith("notes.json is damaged: ");
        assertThat(session.resolve("notes.json")).hasContent(text);
        assertThat(SessionSummary.read(session).info()).isPresent();
        assertThat(SessionSummary.read(session).problems()).singleElement().asString().contains("notes.json");
    }

    @Test
    void ofANewerVersionAndWithMembersOfALaterOne() throws Exception {
        Path file = session.resolve("notes.json");
        Files.writeString(file, "{\"schema\":\"kview-notes/2\"}");
        assertThatThrownBy(() -> NotesFile.read(session)).hasMessageContaining("newer Kview Workbench")
                .hasMessageContaining("kview-notes/2");
        Files.writeString(file, "{\"schema\":\"kview-notes/1\",\"text\":\"t\",\"colour\":7,\"tags\":[\" a,b \",\"\"],"
                + "\"bookmarks\":[{\"text\":\"b\",\"icon\":{}}]}");
        assertThat(NotesFile.read(session).notes()).isEqualTo(new SessionNotes("t", List.of("a b"),
                List.of(new Bookmark("b", Optional.empty(), Optional.empty()))));
    }

    @Test
    void aLinkIsNotFollowed() throws Exception {
        Path secret = Files.writeString(temp.resolve("secret"), "x");
        Files.createSymbolicLink(session.resolve("notes.json"), secret);
        assertThatThrownBy(() -> NotesFile.read(session)).hasMessageEndingWith("notes.json is no file");
    }
}
