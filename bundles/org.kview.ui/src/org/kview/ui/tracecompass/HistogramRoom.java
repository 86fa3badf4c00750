// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import java.util.List;
import java.util.stream.Stream;

import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.CLabel;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.tracecompass.tmf.ui.views.histogram.HistogramView;
import org.eclipse.ui.IPartListener2;
import org.eclipse.ui.IViewReference;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPartReference;
import org.eclipse.ui.IWorkbenchWindow;

/**
 * Room for the bars of Trace Compass's histogram. It has two of them, one below the other, beside three fields and above a legend, whatever
 * its height: in a small window no bar would have a pixel. There only the one of the whole time is shown.
 */
public final class HistogramRoom {
    /** With less, two histograms and the legend have no room. */
    private static final int ALL_PIXELS = 230;
    /** Likewise two histograms. */
    private static final int BOTH_PIXELS = 170;

    private HistogramRoom() {
    }

    /** For the histogram of a window, whenever it is opened. */
    public static void install(IWorkbenchWindow window) {
        for (IWorkbenchPage page : window.getPages()) {
            Stream.of(page.getViewReferences()).forEach(HistogramRoom::follow);
        }
        window.getPartService().addPartListener(new IPartListener2() {
            @Override
            public void partOpened(IWorkbenchPartReference part) {
                follow(part);
            }
        });
    }

    private static void follow(IWorkbenchPartReference part) {
        if (part instanceof IViewReference && part.getPart(false) instanceof HistogramView view
                && view.getParentComposite().getChildren()[0] instanceof Composite page) {
            page.addListener(SWT.Resize, _ -> fit(page));
            fit(page);
        }
    }

    private static void fit(Composite page) {
        List<Control> parts = List.of(page.getChildren());
        int height = page.getClientArea().height;
        parts.stream().filter(SashForm.class::isInstance).forEach(part -> show(part, height >= BOTH_PIXELS));
        parts.stream().filter(part -> part instanceof Composite legend && Stream.of(legend.getChildren()).anyMatch(CLabel.class::isInstance))
                .forEach(part -> show(part, height >= ALL_PIXELS));
        page.layout();
    }

    private static void show(Control part, boolean shown) {
        if (part.getLayoutData() instanceof GridData data) {
            data.exclude = !shown;
            part.setVisible(shown);
        }
    }
}
