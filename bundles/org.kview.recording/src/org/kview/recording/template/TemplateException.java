// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.template;

/** A template can't be read or kept. The message is one sentence for the user. */
public final class TemplateException extends Exception {
    private static final long serialVersionUID = 1;

    TemplateException(String message, Throwable cause) {
        super(message, cause);
    }
}
