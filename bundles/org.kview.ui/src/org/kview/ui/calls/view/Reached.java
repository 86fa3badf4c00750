// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls.view;

import java.util.Optional;

import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;

/** Up to which moment calls are there, for what is copied of them: nobody sees there what the view says above them. */
public final class Reached {
    private Reached() {
    }

    /** In one clause; empty if they are all. */
    public static Optional<String> of(SessionCallStore calls) {
        return calls.ask(StoredSession::reached).flatMap(clause -> clause);
    }

    /** The text, below a line that says it. */
    public static String above(SessionCallStore calls, String text) {
        return of(calls).map(until -> "# " + until + "\r\n").orElse("") + text;
    }
}
