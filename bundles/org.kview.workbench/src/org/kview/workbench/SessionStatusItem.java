// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import org.eclipse.jface.action.StatusLineContributionItem;
import org.kview.model.SafeText;

/** The status line's text about the session. Unlike the line's own message, no view replaces it. */
final class SessionStatusItem extends StatusLineContributionItem {
    SessionStatusItem() {
        super("org.kview.workbench.session", CALC_TRUE_WIDTH);
        setVisible(false);
    }

    void show(String text) {
        if (text.equals(getText())) {
            return;
        }
        setText(SafeText.lines(text));
        setVisible(!text.isEmpty());
        if (getParent() != null) {
            getParent().update(true);
        }
    }
}
