// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;

import org.kview.model.SafeText;

/** A trace can't be read. The message is one sentence for the user, and {@link SafeText}. */
public final class CtfException extends IOException {
    private static final long serialVersionUID = 1;

    CtfException(String message) {
        super(SafeText.line(message));
    }

    CtfException(String message, Throwable cause) {
        super(SafeText.line(message), cause);
    }
}
