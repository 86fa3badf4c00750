// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.widgets.TimeGraphBaseControl;
import org.kview.ui.theme.Palette;

/** Lets time graphs and time axes follow the theme: Trace Compass keeps the colours that each has begun with. */
public final class TimeGraphTheme {
    private static final String DARK = TimeGraphTheme.class.getName();

    private TimeGraphTheme() {
    }

    /** For all of them, for as long as the workbench runs. */
    public static void install(Display display) {
        display.addFilter(SWT.Paint, TimeGraphTheme::compare);
    }

    /** Before it is painted: the colours that it is not given any more it asks the theme for. */
    private static void compare(Event event) {
        if (event.widget instanceof TimeGraphBaseControl graph) {
            Boolean dark = Palette.of(graph.getParent()).dark();
            Object before = graph.getData(DARK);
            graph.setData(DARK, dark);
            if (before != null && !before.equals(dark)) {
                graph.getColorScheme().dispose();
                graph.redraw();
            }
        }
    }
}
