// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.notes;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.model.SessionNotes;

/** What is known of the notes of the session that is open. */
public sealed interface NotesState {

    /** The notes, where they may be shown. */
    default Optional<SessionNotes> notes() {
        return Optional.empty();
    }

    default boolean canChange() {
        return false;
    }

    /** No session is open, or its notes are being read. */
    record None() implements NotesState {
    }

    /**
     * Read, and written again soon after each change.
     *
     * @param session whose
     * @param shown   with changes that may not be on disk yet
     * @param problem one sentence why they can't be changed, or could not be written; else empty
     * @param canChange whether they may be
     */
    record Loaded(Path session, SessionNotes shown, String problem, boolean canChange) implements NotesState {
        @Override
        public Optional<SessionNotes> notes() {
            return Optional.of(shown);
        }
    }

    /**
     * Someone else has changed them; nothing is written until the user has decided which ones to keep.
     *
     * @param session whose
     * @param mine    those that the user has here
     */
    record Conflict(Path session, SessionNotes mine) implements NotesState {
        @Override
        public Optional<SessionNotes> notes() {
            return Optional.of(mine);
        }
    }

    /**
     * Can't be read; they are left as they are.
     *
     * @param session whose
     * @param problem one sentence
     */
    record Unreadable(Path session, String problem) implements NotesState {
    }
}
