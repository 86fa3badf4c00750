// SPDX-License-Identifier: EPL-2.0
package org.kview.workbench;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.ui.PlatformUI;
import org.kview.ui.theme.Themes;

/** Light or dark, in the Window menu. */
final class ThemeMenu extends MenuManager {
    ThemeMenu() {
        super("&Theme", "theme");
        setRemoveAllWhenShown(true);
        addMenuListener(this::fill);
        add(new Separator());
    }

    private void fill(IMenuManager menu) {
        menu.add(choice("&Light", Themes.LIGHT));
        menu.add(choice("&Dark", Themes.DARK));
    }

    private static IAction choice(String text, String theme) {
        Action action = new Action(text, IAction.AS_RADIO_BUTTON) {
            @Override
            public void run() {
                if (isChecked() && !Themes.isActive(theme)) {
                    Themes.choose(PlatformUI.getWorkbench().getActiveWorkbenchWindow().getShell(), theme);
                }
            }
        };
        action.setChecked(Themes.isActive(theme));
        return action;
    }
}
