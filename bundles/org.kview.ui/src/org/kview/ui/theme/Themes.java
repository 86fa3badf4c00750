// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.e4.ui.css.swt.theme.IThemeEngine;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Listener;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.PlatformUI;

/** Light or dark, of which either takes effect at once. */
public final class Themes {
    public static final String LIGHT = "org.eclipse.e4.ui.css.theme.e4_default";
    public static final String DARK = "org.eclipse.e4.ui.css.theme.e4_dark";

    /** Where the theme engine keeps what it starts with. */
    public static final String ENGINE_NODE = "org.eclipse.e4.ui.css.swt.theme";
    public static final String THEME_KEY = "themeid";

    private static final int AT_MOST_MILLIS = 1000;

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

    /** Changes to it, at once. */
    public static void choose(Shell shell, String theme) {
        Display display = shell.getDisplay();
        if (theme.equals(DARK) || isActive(theme)) {
            engine().setTheme(theme, true);
            return;
        }
        // The theme engine takes the dark colours off all widgets, which get GTK's instead: these have to be light by then.
        AtomicBoolean chosen = new AtomicBoolean();
        Runnable choose = () -> {
            if (!chosen.getAndSet(true)) {
                engine().setTheme(theme, true);
            }
        };
        display.addListener(SWT.Settings, new Listener() {
            @Override
            public void handleEvent(Event event) {
                display.removeListener(SWT.Settings, this);
                choose.run();
            }
        });
        display.setDarkThemePreferred(false);
        // Where GTK was light before, it tells nothing.
        display.timerExec(AT_MOST_MILLIS, choose);
    }
}
