// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.preferences;

import org.eclipse.jface.preference.PreferenceDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.dialogs.PreferencesUtil;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;

/** The preferences, for a picture. */
public final class PreferencesPose {
    private PreferencesPose() {
    }

    /** Opens them, with a folder that is not of this machine. */
    public static Shell open() {
        return Ui.get(() -> {
            PreferenceDialog dialog = open(KviewUi.PREFERENCES);
            Dialogs.all(dialog.getShell(), Text.class).stream().filter(text -> text.getText().startsWith("/")).findFirst()
                    .ifPresent(text -> text.setText("/home/ada/kview-sessions"));
            return dialog.getShell();
        });
    }

    /** On the UI thread: opens them at a page, or turns to it where they are open. */
    public static PreferenceDialog open(String page) {
        PreferenceDialog dialog = PreferencesUtil.createPreferenceDialogOn(Ui.page().getWorkbenchWindow().getShell(), page, null, null);
        dialog.setBlockOnOpen(false);
        dialog.open();
        return dialog;
    }
}
