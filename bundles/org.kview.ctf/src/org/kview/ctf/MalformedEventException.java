// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

/**
 * The bytes at the place of an event are not a valid event. The message is a clause that follows a colon and says why.
 * It has no stack trace, because a hostile trace can cause very many of these.
 */
final class MalformedEventException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedEventException(String message) {
        super(message, null, false, false);
    }
}
