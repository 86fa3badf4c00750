// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.widgets;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.TimeGraphViewer;
import org.kview.ui.UiThread;
import org.kview.ui.theme.Palette;

/** Lets a time graph follow the theme: Trace Compass keeps the colours that it has begun with. */
public final class TimeGraphTheme {
    private final TimeGraphViewer viewer;
    private final Composite page;
    private boolean dark;

    private TimeGraphTheme(TimeGraphViewer viewer, Composite page) {
        this.viewer = viewer;
        this.page = page;
        dark = Palette.of(page).dark();
    }

    /** @param page what the viewer is on */
    public static void follow(TimeGraphViewer viewer, Composite page) {
        TimeGraphTheme theme = new TimeGraphTheme(viewer, page);
        viewer.getTimeGraphControl().addListener(SWT.Paint, _ -> theme.compare());
    }

    /** What Trace Compass is not given any more it asks the theme for. */
    private void compare() {
        boolean now = Palette.of(page).dark();
        if (now != dark) {
            dark = now;
            UiThread.later(page.getDisplay(), () -> {
                if (!page.isDisposed()) {
                    viewer.getTimeGraphControl().getColorScheme().dispose();
                    viewer.refresh();
                }
            });
        }
    }
}
