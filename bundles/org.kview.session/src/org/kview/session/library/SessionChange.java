// SPDX-License-Identifier: EPL-2.0
package org.kview.session.library;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.read.SessionSummary;

/** Something that is done to sessions and, as far as that goes, can be taken back. */
public sealed interface SessionChange {

    /**
     * What came of it.
     *
     * @param sessions where they are now: the renamed, copied or restored ones
     * @param inverse  takes it back; empty if nothing can
     * @param failure  what could not be done of a change to several sessions; the others were
     */
    record Done(List<Path> sessions, Optional<SessionChange> inverse, Optional<SessionException> failure) {
        public Done {
            sessions = List.copyOf(sessions);
        }

        private static Done of(Path session, SessionChange inverse) {
            return new Done(List.of(session), Optional.of(inverse), Optional.empty());
        }
    }

    /**
     * Does it.
     *
     * @throws SessionException if nothing of it could be done
     * @throws java.util.concurrent.CancellationException if it was ended; nothing is changed then
     */
    Done apply(Progress progress) throws SessionException;

    /** Sessions that will no longer be at their present paths. */
    default List<Path> leaving() {
        return List.of();
    }

    /** Gives a session another name, which is told without its ending. */
    record Rename(Path session, String name) implements SessionChange {
        @Override
        public Done apply(Progress progress) throws SessionException {
            Path renamed = SessionStore.rename(session, name);
            return Done.of(renamed, new Rename(renamed, SessionSummary.name(session)));
        }

        @Override
        public List<Path> leaving() {
            return List.of(session);
        }
    }

    /** Moves sessions into the trash. */
    record Delete(List<Path> sessions) implements SessionChange {
        public Delete {
            sessions = List.copyOf(sessions);
        }

        @Override
        public Done apply(Progress progress) throws SessionException {
            List<Trash.Entry> deleted = new ArrayList<>();
            Optional<SessionException> failure = Optional.empty();
            for (Path session : sessions) {
                progress.report(deleted.size(), sessions.size());
                try {
                    deleted.add(Trash.delete(session));
                } catch (SessionException e) {
                    failure = Optional.of(e);
                }
            }
            return done(List.of(), deleted.isEmpty() ? Optional.empty() : Optional.of(new Restore(deleted)), failure);
        }

        @Override
        public List<Path> leaving() {
            return sessions;
        }
    }

    /** Brings sessions back from the trash. */
    record Restore(List<Trash.Entry> entries) implements SessionChange {
        public Restore {
            entries = List.copyOf(entries);
        }

        @Override
        public Done apply(Progress progress) throws SessionException {
            List<Path> restored = new ArrayList<>();
            Optional<SessionException> failure = Optional.empty();
            for (Trash.Entry entry : entries) {
                try {
                    restored.add(Trash.restore(entry));
                } catch (SessionException e) {
                    failure = Optional.of(e);
                }
            }
            return done(restored, restored.isEmpty() ? Optional.empty() : Optional.of(new Delete(restored)), failure);
        }
    }

    /** Makes a new session of one that stays as it is. */
    record Create(Path source, Making making) implements SessionChange {
        @Override
        public Done apply(Progress progress) throws SessionException {
            Path made = making.make(source, progress);
            return made.equals(source) ? new Done(List.of(made), Optional.empty(), Optional.empty())
                    : Done.of(made, new Delete(List.of(made)));
        }
    }

    /** {@link SessionStore#duplicate}, {@link SessionStore#zip} and the like. */
    @FunctionalInterface
    interface Making {
        /** @return where the new session is, or the source's own place if it was changed there */
        Path make(Path source, Progress progress) throws SessionException;
    }

    private static Done done(List<Path> sessions, Optional<SessionChange> inverse, Optional<SessionException> failure)
            throws SessionException {
        if (inverse.isEmpty() && failure.isPresent()) {
            throw failure.get();
        }
        return new Done(sessions, inverse, failure);
    }
}
