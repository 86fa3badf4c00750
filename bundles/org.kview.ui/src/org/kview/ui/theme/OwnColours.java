// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import java.util.function.Function;

import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.widgets.Control;
import org.kview.ui.UiThread;

/** Controls whose text has a colour of its own in every theme. */
public final class OwnColours {
    /** With this key set, the style sheet leaves a control alone. */
    private static final String CSS_DISABLED = "org.eclipse.e4.ui.css.disabled";

    private OwnColours() {
    }

    /** Keeps the style sheet from changing a control's colours. */
    public static void keep(Control control) {
        control.setData(CSS_DISABLED, Boolean.TRUE);
    }

    /** Gives the text of a new control the colour of warnings. */
    public static void warn(Control control) {
        set(control, Palette::warning);
    }

    /** The text of a new control looks like its surroundings; that of a read-only field is faint by default. */
    public static void plain(Control control) {
        set(control, Palette::text);
    }

    /** The style sheet sets the parent's background only when the dialog is shown, so the colours are chosen then. */
    private static void set(Control control, Function<Palette, Color> colour) {
        keep(control);
        UiThread.later(control.getDisplay(), () -> {
            if (!control.isDisposed()) {
                Palette palette = Palette.of(control.getParent());
                control.setBackground(palette.ground());
                control.setForeground(colour.apply(palette));
            }
        });
    }
}
