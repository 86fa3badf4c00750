// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import org.kview.model.SafeText;

/** What should choose calls can't be understood. The message is one sentence, and {@link SafeText}. */
public final class FilterException extends Exception {
    private static final long serialVersionUID = 1;

    private final int column;

    FilterException(String message, int column) {
        super(SafeText.line(message));
        this.column = column;
    }

    /** Where in the text the mistake begins: the first character has 1; one behind the last if something is missing there. */
    public int column() {
        return column;
    }
}
