// SPDX-License-Identifier: EPL-2.0
package org.kview.wire;

import java.io.IOException;

/** The received bytes are not a frame of the protocol, so nothing after them can be trusted. */
public final class FrameException extends IOException {
    private static final long serialVersionUID = 1;

    private final boolean cutOff;

    /** @param message one sentence: what arrived instead of a frame */
    public FrameException(String message) {
        this(message, false);
    }

    FrameException(String message, boolean cutOff) {
        super(message);
        this.cutOff = cutOff;
    }

    FrameException(String message, Throwable cause) {
        super(message, cause);
        this.cutOff = false;
    }

    /** Whether the stream ended within a frame, as happens when a connection breaks; what came before was right. */
    public boolean isCutOff() {
        return cutOff;
    }
}
