// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

/** What should be an event is none; the message says why, behind a colon. Hostile traces have many: it has no stack. */
final class MalformedEventException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEventException(String message) {
        super(message, null, false, false);
    }
}
