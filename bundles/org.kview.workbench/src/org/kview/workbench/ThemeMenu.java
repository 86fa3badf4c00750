// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.ui.PlatformUI;
import org.kview.model.SafeText;
import org.osgi.service.prefs.BackingStoreException;

/**
 * Light or dark. The dark theme takes effect at once. Going back to the light theme takes effect at the next start: GTK
 * and SWT keep some colours of the dark theme while they run, and the theme engine would show light text on a light
 * background.
 */
final class ThemeMenu extends MenuManager {
    static final String LIGHT = "org.eclipse.e4.ui.css.theme.e4_default";
    static final String DARK = "org.eclipse.e4.ui.css.theme.e4_dark";

    /** Where the theme engine keeps what it starts with. */
    private static final String ENGINE_NODE = "org.eclipse.e4.ui.css.swt.theme";
    private static final String THEME_KEY = "themeid";

    ThemeMenu() {
        super("&Theme", "theme");
        setRemoveAllWhenShown(true);
        addMenuListener(this::fill);
        add(new Separator());
    }

    private void fill(IMenuManager menu) {
        menu.add(choice("&Light", LIGHT));
        menu.add(choice("&Dark", DARK));
    }

    private static IAction choice(String text, String theme) {
        IThemeEngine engine = PlatformUI.getWorkbench().getService(IThemeEngine.class);
        Action action = new Action(text, IAction.AS_RADIO_BUTTON) {
            @Override
            public void run() {
                if (isChecked() && !isActive(engine, theme)) {
                    choose(engine, theme);
                }
            }
        };
        action.setChecked(isActive(engine, theme));
        return action;
    }

    private static boolean isActive(IThemeEngine engine, String theme) {
        return engine.getActiveTheme() != null && theme.equals(engine.getActiveTheme().getId());
    }

    private static void choose(IThemeEngine engine, String theme) {
        if (theme.equals(DARK)) {
            engine.setTheme(theme, true);
            return;
        }
        var preferences = InstanceScope.INSTANCE.getNode(ENGINE_NODE);
        preferences.put(THEME_KEY, theme);
        try {
            preferences.flush();
            MessageDialog.openInformation(PlatformUI.getWorkbench().getActiveWorkbenchWindow().getShell(), "Theme",
                    "The workbench will be light when it is started the next time.");
        } catch (BackingStoreException e) {
            MessageDialog.openError(PlatformUI.getWorkbench().getActiveWorkbenchWindow().getShell(), "Theme",
                    SafeText.lines("The choice could not be kept: " + e.getMessage() + ". Make the workspace writable."));
        }
    }
}
