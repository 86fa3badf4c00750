// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.theme;

import java.util.function.Function;

import org.eclipse.swt.graphics.Color;
import org.eclipse.swt.widgets.Control;

/** Controls whose text has a colour of its own in every theme. */
public final class OwnColours {
    /** Keeps the style sheet's hands off. */
    private static final String CSS_DISABLED = "org.eclipse.e4.ui.css.disabled";

    private OwnColours() {
    }

    /** Leaves a control's colours to whoever sets them. */
    public static void keep(Control control) {
        control.setData(CSS_DISABLED, Boolean.TRUE);
    }

    /** The text of a new control warns. */
    public static void warn(Control control) {
        set(control, Palette::warning);
    }

    /** The text of a new control that looks like its surroundings: that of a field that can't be edited is faint else. */
    public static void plain(Control control) {
        set(control, Palette::text);
    }

    /** The style sheet gives its parent its ground only when the dialog shows: what fits that is known then. */
    private static void set(Control control, Function<Palette, Color> colour) {
        keep(control);
        control.getDisplay().asyncExec(() -> {
            if (!control.isDisposed()) {
                Palette palette = Palette.of(control.getParent());
                control.setBackground(palette.ground());
                control.setForeground(colour.apply(palette));
            }
        });
    }
}
