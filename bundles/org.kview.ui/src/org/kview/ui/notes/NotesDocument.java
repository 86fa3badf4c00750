// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.model.SessionNotes;
import org.kview.session.SessionException;
import org.kview.session.read.NotesFile;
import org.kview.session.read.NotesFile.ChangedException;

/** One session's notes: what is on the disk, and what is still to be written. All its methods except {@link #want} block. */
final class NotesDocument {
    private final Path session;
    private Optional<NotesFile> file = Optional.empty();
    private volatile Optional<SessionNotes> wanted = Optional.empty();

    NotesDocument(Path session) {
        this.session = session;
    }

    Path session() {
        return session;
    }

    /** To be written next. */
    void want(SessionNotes notes) {
        wanted = Optional.of(notes);
    }

    synchronized NotesState read() {
        wanted = Optional.empty();
        try {
            NotesFile read = NotesFile.read(session);
            file = Optional.of(read);
            return loaded(read, read.notes(), read.readOnly());
        } catch (SessionException e) {
            file = Optional.empty();
            return new NotesState.Unreadable(session, e.getMessage() + ".");
        }
    }

    private NotesState loaded(NotesFile of, SessionNotes shown, String problem) {
        return new NotesState.Loaded(session, shown, problem, of.readOnly().isEmpty());
    }

    /** Writes what is wanted; empty if that was on disk already. */
    synchronized Optional<NotesState> write() {
        Optional<SessionNotes> next = wanted;
        if (next.isEmpty() || file.isEmpty() || file.get().notes().equals(next.get())) {
            return Optional.empty();
        }
        try {
            file = Optional.of(file.get().write(next.get()));
            return Optional.of(loaded(file.get(), wanted.orElse(next.get()), ""));
        } catch (ChangedException e) {
            return Optional.of(new NotesState.Conflict(session, next.get()));
        } catch (SessionException e) {
            return Optional.of(loaded(file.get(), wanted.orElse(next.get()), e.getMessage()
                    + ". They are kept here and written with the next change."));
        }
    }

    /** Writes what is wanted over what someone else has written. */
    synchronized NotesState overwrite() {
        SessionNotes mine = wanted.orElse(SessionNotes.NONE);
        NotesFile base = file.orElse(new NotesFile(session, SessionNotes.NONE, "", new byte[0]));
        try {
            file = Optional.of(base.overwrite(mine));
            return loaded(file.get(), mine, "");
        } catch (SessionException e) {
            return loaded(base, mine, e.getMessage() + ".");
        }
    }
}
