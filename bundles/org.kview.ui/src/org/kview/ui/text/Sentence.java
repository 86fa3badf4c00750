// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.text;

/** Messages of the other layers, which end without a full stop, as the user reads them. */
public final class Sentence {
    private Sentence() {
    }

    /** With a full stop where it ends with none, nor with another such mark. */
    public static String of(String message) {
        return message.matches("(?s).*[.?!]$") ? message : message + ".";
    }
}
