// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.util.List;
import java.util.Optional;

import org.kview.model.Bookmark;
import org.kview.ui.Ui;
import org.kview.ui.session.memory.TraceTime;

/** The Notes view as a picture wants it. */
public final class NotesPose {
    private NotesPose() {
    }

    /** With two bookmarks of what is selected. */
    public static void show() throws InterruptedException {
        Ui.view(NotesView.ID, NotesView.class);
        Ui.await("its notes are read", () -> NotesService.get().state().canChange());
        Ui.run(() -> {
            Bookmark here = Bookmarks.here(Ui.page());
            Optional<Bookmark.Range> range = TraceTime.selection()
                    .map(r -> new Bookmark.Range(r.beginNanos(), r.beginNanos() + 46_900_000));
            NotesService.get().change(notes -> notes.withBookmarks(List.of(
                    new Bookmark("waits for the basket's lock", here.function(), range),
                    new Bookmark("the same lock in every call", here.function(), Optional.empty()))));
        });
    }
}
