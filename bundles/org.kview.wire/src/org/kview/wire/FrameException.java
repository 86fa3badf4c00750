// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

import java.io.IOException;

/** The bytes received are no frames of the protocol, so that nothing after them can be trusted. */
public final class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    /** @param message one sentence: what arrived instead of a frame */
    public FrameException(String message) {
        super(message);
    }

    FrameException(String message, Throwable cause) {
        super(message, cause);
    }
}
