// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/** What a user wrote can't be understood. The message is one sentence without a full stop, and {@link SafeText}. */
public final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final int column;

    public SyntaxException(String message, int column) {
        super(SafeText.line(message));
        this.column = column;
    }

    /** Where in the text the mistake begins, from 1. If something is missing at the end, one more than the text's length. */
    public int column() {
        return column;
    }
}
