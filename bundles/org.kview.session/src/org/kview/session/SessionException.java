/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;

/**
 * A session can't be written, read or exported. The message is one sentence for the user: which
 * file, what is wrong with it and, where there is something to do, what.
 */
public final class SessionException extends IOException {
    private static final long serialVersionUID = 1;

    public SessionException(String message) {
        super(message);
    }

    public SessionException(String message, Throwable cause) {
        super(message, cause);
    }
}
