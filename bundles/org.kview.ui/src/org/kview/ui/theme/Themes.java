// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;
import org.kview.ui.UiThread;
import org.osgi.service.prefs.BackingStoreException;

/**
 * Light or dark. The dark theme takes effect at once. Going back to the light theme takes effect at the next start: GTK
 * and SWT keep some colours of the dark theme while they run, and the theme engine would show light text on a light
 * background.
 */
public final class Themes {
    public static final String LIGHT = "org.eclipse.e4.ui.css.theme.e4_default";
    public static final String DARK = "org.eclipse.e4.ui.css.theme.e4_dark";

    /** Where the theme engine keeps what it starts with. */
    public static final String ENGINE_NODE = "org.eclipse.e4.ui.css.swt.theme";
    public static final String THEME_KEY = "themeid";

    private Themes() {
    }

    /** Whether it is what the workbench shows now. */
    public static boolean isActive(String theme) {
        IThemeEngine engine = engine();
        return engine.getActiveTheme() != null && theme.equals(engine.getActiveTheme().getId());
    }

    private static IThemeEngine engine() {
        return PlatformUI.getWorkbench().getService(IThemeEngine.class);
    }

    /** Changes to it, and says so where that has to wait. */
    public static void choose(Shell shell, String theme) {
        if (theme.equals(DARK)) {
            engine().setTheme(theme, true);
            return;
        }
        var preferences = InstanceScope.INSTANCE.getNode(ENGINE_NODE);
        preferences.put(THEME_KEY, theme);
        try {
            preferences.flush();
            if (new MessageDialog(shell, "Theme", null, "The workbench will be light when it is started the next time. Start it anew now?"
                    + " The session that is open opens again.", MessageDialog.QUESTION, 0, "&Restart Now", "&Later").open() == 0) {
                // Not from within the dialog of the preferences.
                UiThread.later(shell.getDisplay(), PlatformUI.getWorkbench()::restart);
            }
        } catch (BackingStoreException e) {
            MessageDialog.openError(shell, "Theme",
                    SafeText.lines("The choice could not be kept: " + e.getMessage() + ". Make the workspace writable."));
        }
    }
}
