// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.resources.IFile;
import org.eclipse.core.resources.IMarker;
import org.eclipse.core.resources.IResource;
import org.eclipse.core.runtime.CoreException;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.tracecompass.tmf.core.resources.ITmfMarker;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.Bookmark;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionNotes;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.library.SessionStore;
import org.kview.session.read.NotesFile;
import org.kview.ui.KviewUi;
import org.kview.ui.SessionFixture;
import org.kview.ui.Ui;
import org.kview.ui.functions.FunctionsView;
import org.kview.ui.session.SessionController;
import org.kview.ui.session.memory.TraceTime;

class NotesViewTest {
    private static final Bookmark FLUSH = new Bookmark("slow flush",
            Optional.of(new Bookmark.Function("flush_cache", "/srv/shop/checkout")),
            Optional.of(new Bookmark.Range(1003, 1007)));

    @TempDir
    Path folder;

    private NotesView view;
    private Path session;

    @BeforeEach
    void record() throws Exception {
        session = SessionFixture.write(folder.resolve("shop.kview"), false);
        view = Ui.view(NotesView.ID, NotesView.class);
    }

    @AfterEach
    void close() throws Exception {
        Ui.get(SessionController::get).close().join();
        Ui.settle();
        Ui.get(NotesService::get).flush();
    }

    private void open(Path path) throws InterruptedException {
        Ui.get(SessionController::get).open(path).join();
        Ui.await("its notes are read", () -> !(NotesService.get().state() instanceof NotesState.None));
    }

    private static SessionNotes onDisk(Path path) throws SessionException {
        return NotesFile.read(path).notes();
    }

    @Test
    void whatIsTypedIsInTheSession() throws Exception {
        open(session);
        Ui.run(() -> {
            view.textField().setText("Slow since Tuesday.\nSee ticket.");
            view.tagsField().setText("checkout, 4.2,");
        });
        assertThat(Ui.get(() -> view.tagsField().getText())).isEqualTo("checkout, 4.2,");
        Ui.get(NotesService::get).flush();
        assertThat(onDisk(session)).isEqualTo(new SessionNotes("Slow since Tuesday.\nSee ticket.",
                List.of("checkout", "4.2"), List.of()));
    }

    /** The last keys before another session is opened belong to the first one. */
    @Test
    void whatIsTypedLastGoesToTheSessionItWasTypedFor() throws Exception {
        Path other = SessionFixture.write(folder.resolve("other.kview"), false);
        open(session);
        Ui.run(() -> view.textField().setText("for shop"));
        open(other);
        Ui.await("the first one's are gone", () -> view.textField().getText().isEmpty());
        Ui.await("they are written", () -> onDisk(session).text().equals("for shop"));
        assertThat(onDisk(other)).isEqualTo(SessionNotes.NONE);
        open(session);
        Ui.await("they are back", () -> view.textField().getText().equals("for shop"));
    }

    @Test
    void aBookmarkLeadsBackToItsFunctionAndTime() throws Exception {
        session = SessionFixture.write(folder.resolve("events.kview"), true);
        NotesFile.read(session).write(SessionNotes.NONE.plus(FLUSH));
        open(session);
        Ui.await("the trace is open", () -> TraceTime.selection().isPresent());
        Ui.await("Trace Compass shows it", () -> markers().size() == 1);
        IMarker marker = markers().getFirst();
        assertThat(marker.getAttribute(IMarker.MESSAGE, "")).isEqualTo("slow flush");
        assertThat(marker.getAttribute(ITmfMarker.MARKER_RANK, "")).isEqualTo("3");
        assertThat(marker.getAttribute(ITmfMarker.MARKER_DURATION, "")).isEqualTo("4");
        FunctionsView functions = Ui.view(FunctionsView.ID, FunctionsView.class);
        Ui.run(() -> {
            view.bookmarks().control().setSelection(0);
            view.bookmarks().goTo();
        });
        assertThat(Ui.get(() -> view.bookmarks().control().getItem(0).getText(0))).isEqualTo("slow flush");
        IStructuredSelection selection = Ui.get(() -> (IStructuredSelection) Ui.page()
                .getSelection(KviewUi.VIEW_FUNCTIONS));
        assertThat(selection.toList()).extracting(f -> ((ProbedFunction) f).name()).containsExactly("flush_cache");
        Ui.await("the time is selected", () -> TraceTime.selection().equals(FLUSH.range()));
        assertThat(functions).isNotNull();
        // And a new one is made of what is selected.
        assertThat(Ui.get(() -> Bookmarks.here(Ui.page()))).isEqualTo(new Bookmark("", FLUSH.function(), FLUSH.range()));
        // One that is made in Trace Compass's own views, as its events table makes it.
        editorFile().createMarker(IMarker.BOOKMARK, Map.of(IMarker.MESSAGE, "odd", ITmfMarker.MARKER_RANK, "5",
                ITmfMarker.MARKER_TIME, "1005", ITmfMarker.MARKER_DURATION, "0"));
        Bookmark odd = new Bookmark("odd", Optional.empty(), Optional.of(new Bookmark.Range(1005, 1005)));
        Ui.await("it is a note", () -> onDisk(session).bookmarks().equals(List.of(FLUSH, odd)));
        Ui.run(() -> view.bookmarks().remove());
        Ui.get(NotesService::get).flush();
        assertThat(onDisk(session).bookmarks()).containsExactly(odd);
        Ui.await("Trace Compass shows the other alone", () -> markers().size() == 1);
        // The trace's resource goes when it is closed, and the notes stay.
        close();
        assertThat(onDisk(session).bookmarks()).containsExactly(odd);
    }

    private static IFile editorFile() {
        return TmfTraceManager.getInstance().getTraceEditorFile(TmfTraceManager.getInstance().getActiveTrace());
    }

    private static List<IMarker> markers() throws CoreException {
        return List.of(editorFile().findMarkers(IMarker.BOOKMARK, false, IResource.DEPTH_ZERO));
    }

    @Test
    void aZipsNotesAreShownAndSaidToBeFixed() throws Exception {
        NotesFile.read(session).write(SessionNotes.NONE.withText("from before"));
        open(SessionStore.zip(session, Progress.NONE));
        Ui.await("they are shown", () -> view.textField().getText().equals("from before"));
        assertThat(Ui.get(() -> view.textField().getEditable())).isFalse();
        assertThat(Ui.get(() -> view.banner().sentences()))
                .containsExactly("The notes of a zip can't be changed: unzip it first.");
    }

    @Test
    void damagedOnesAreSaidToBeAndStayAsTheyAre() throws Exception {
        Files.writeString(session.resolve("notes.json"), "{");
        open(session);
        Ui.await("it is said", () -> view.banner().sentences().toString().contains("notes.json is damaged"));
        Ui.run(() -> view.textField().setText("x"));
        Ui.get(NotesService::get).flush();
        assertThat(session.resolve("notes.json")).hasContent("{");
    }

    @Test
    void whatAnotherProgramWroteIsNotOverwrittenUnasked() throws Exception {
        open(session);
        NotesFile.read(session).write(SessionNotes.NONE.withText("theirs"));
        Ui.run(() -> view.textField().setText("mine"));
        Ui.await("it is said", () -> NotesService.get().state() instanceof NotesState.Conflict);
        assertThat(onDisk(session).text()).isEqualTo("theirs");
        assertThat(Ui.get(() -> view.textField().getText())).isEqualTo("mine");
        Ui.run(() -> NotesService.get().keepMine());
        Ui.await("mine are written", () -> onDisk(session).text().equals("mine"));

        NotesFile.read(session).write(SessionNotes.NONE.withText("theirs"));
        Ui.await("settled", () -> NotesService.get().state().canChange());
        Ui.run(() -> view.textField().setText("mine again"));
        Ui.await("it is said", () -> NotesService.get().state() instanceof NotesState.Conflict);
        Ui.run(() -> NotesService.get().reload());
        Ui.await("theirs are shown", () -> view.textField().getText().equals("theirs"));
        assertThat(onDisk(session).text()).isEqualTo("theirs");
    }
}
