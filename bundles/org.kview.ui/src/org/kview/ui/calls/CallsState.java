// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import java.util.Optional;

import org.kview.session.calls.SessionCallStore;

/** How far the single calls of the open session are at hand. */
public sealed interface CallsState {

    /** The calls, where they are at hand, or those of them that are. */
    default Optional<SessionCallStore> store() {
        return Optional.empty();
    }

    /** No session is open. */
    record None() implements CallsState {
    }

    /** The session that is open was recorded without events: it has no single calls. */
    record WithoutEvents() implements CallsState {
    }

    /**
     * They are being stored.
     *
     * @param stored   how many are so far
     * @param expected how many there are to be, about; 0 if that is not known
     */
    record Storing(long stored, long expected) implements CallsState {
    }

    /** Those up to some moment are at hand; the others are being stored. */
    record Growing(SessionCallStore calls) implements CallsState {
        @Override
        public Optional<SessionCallStore> store() {
            return Optional.of(calls);
        }
    }

    /**
     * Those up to some moment are at hand; the others are not being stored any more.
     *
     * @param why in a clause
     */
    record Part(SessionCallStore calls, String why) implements CallsState {
        @Override
        public Optional<SessionCallStore> store() {
            return Optional.of(calls);
        }
    }

    /** They are at hand, until another state is told. */
    record Stored(SessionCallStore calls) implements CallsState {
        @Override
        public Optional<SessionCallStore> store() {
            return Optional.of(calls);
        }
    }

    /** The user has cancelled it, before any were at hand. */
    record Cancelled() implements CallsState {
    }

    /**
     * They can't be stored.
     *
     * @param message one sentence: what happened, to what, and what to do next
     */
    record Failed(String message) implements CallsState {
    }
}
