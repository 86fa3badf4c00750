// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

/** A store can't be used, or none can be made of a trace; the message says why. The trace itself can still be read. */
public final class StoreException extends Exception {
    private static final long serialVersionUID = 1;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
