// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.model.LatencySnapshot;
import org.kview.model.ProcessShare;
import org.kview.targets.values.LinkState;

/** What the workbench shows: one session at a time, or none. */
public sealed interface SessionState {

    /** The figures, where there are any. */
    default Optional<LatencySnapshot> snapshot() {
        return Optional.empty();
    }

    /** The folder that the session lies in, where there is one: what is made of it goes there at first. */
    default Optional<Path> folder() {
        return switch (this) {
            case Recording recording -> Optional.ofNullable(recording.session().getParent());
            case Opened opened -> Optional.ofNullable(opened.session().getParent());
            default -> Optional.empty();
        };
    }

    /** Nothing is open. */
    record None() implements SessionState {
    }

    /**
     * On its way; long work goes on.
     *
     * @param what one sentence for the user
     */
    record Busy(String what) implements SessionState {
    }

    /**
     * A recording goes on.
     *
     * @param session the folder it is written to
     * @param figures as far as it has come
     * @param link    how the link to the host is
     * @param share   what the probes took of the process's CPU time in the latest interval
     */
    record Recording(Path session, LatencySnapshot figures, LinkState link, ProcessShare share) implements SessionState {
        /** A recording without an interval so far. */
        public Recording(Path session, LatencySnapshot figures, LinkState link) {
            this(session, figures, link, ProcessShare.UNKNOWN);
        }

        /** Likewise, with a link that works. */
        public Recording(Path session, LatencySnapshot figures) {
            this(session, figures, LinkState.CONNECTED);
        }

        @Override
        public Optional<LatencySnapshot> snapshot() {
            return Optional.of(figures);
        }
    }

    /**
     * A session that was opened, or recorded and finished.
     *
     * @param session its folder or zip
     * @param figures all of it
     */
    record Opened(Path session, LatencySnapshot figures) implements SessionState {
        @Override
        public Optional<LatencySnapshot> snapshot() {
            return Optional.of(figures);
        }
    }

    /**
     * Nothing can be shown.
     *
     * @param message one sentence: what happened, to what, and what to do next
     */
    record Failed(String message) implements SessionState {
    }
}
