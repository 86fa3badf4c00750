// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Notes how logging in was tried, for the message when all of it failed. Never holds a secret. */
final class AuthenticationNotes {
    private static final int SHOWN = 4;

    private final List<String> notes = new ArrayList<>();
    private final Set<String> tried = new LinkedHashSet<>();

    synchronized void add(String note) {
        if (!notes.contains(note)) {
            notes.add(note);
        }
    }

    synchronized void tried(String key) {
        tried.add(key);
    }

    /** The notes, to be inserted into a sentence; empty if there are none. */
    synchronized String text() {
        List<String> parts = new ArrayList<>();
        if (!tried.isEmpty()) {
            parts.add("keys tried: " + String.join(", ", tried.stream().limit(SHOWN).toList())
                    + (tried.size() > SHOWN ? " and " + (tried.size() - SHOWN) + " more" : ""));
        }
        parts.addAll(notes.stream().limit(SHOWN).toList());
        return parts.isEmpty() ? "" : " (" + String.join("; ", parts) + ")";
    }
}
