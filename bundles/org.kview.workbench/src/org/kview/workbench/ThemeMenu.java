// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.ui.PlatformUI;

/** Light or dark, at once and for the next start. */
final class ThemeMenu extends MenuManager {
    static final String LIGHT = "org.eclipse.e4.ui.css.theme.e4_default";
    static final String DARK = "org.eclipse.e4.ui.css.theme.e4_dark";

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
                if (isChecked()) {
                    engine.setTheme(theme, true);
                }
            }
        };
        action.setChecked(engine.getActiveTheme() != null && theme.equals(engine.getActiveTheme().getId()));
        return action;
    }
}
