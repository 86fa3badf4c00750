// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import org.kview.model.SafeText;

/** A filter, an order or a pattern for calls can't be understood. The message is one sentence, and {@link SafeText}. */
public final class FilterException extends Exception {
    private static final long serialVersionUID = 1;

    private final int column;

    FilterException(String message, int column) {
        super(SafeText.line(message));
        this.column = column;
    }

    /**
     * Where in the text the mistake begins, counted from 1. If something is missing at the end, this is one more than the
     * text's length.
     */
    public int column() {
        return column;
    }
}
