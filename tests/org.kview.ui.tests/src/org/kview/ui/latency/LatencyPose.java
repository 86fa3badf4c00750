// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.PartInitException;
import org.kview.chart.Area;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;

/** Poses the heat map for pictures. */
public final class LatencyPose {
    private LatencyPose() {
    }

    /** With its slow calls selected, and what lies under the pointer; the calls are listed below. */
    public static void selectTail() throws InterruptedException {
        Ui.run(() -> {
            try {
                Ui.page().showView(KviewUi.VIEW_WHY);
                Ui.page().showView(KviewUi.VIEW_CALLS);
            } catch (PartInitException e) {
                throw new IllegalStateException(e);
            }
        });
        LatencyView view = Ui.view(LatencyView.ID, LatencyView.class);
        Ui.settle();
        Ui.await("it is drawn", view::isAnswered);
        Area plot = Ui.get(() -> view.canvas().scene().picture().orElseThrow().scale().plot());
        send(view, SWT.MouseDown, plot.x() + plot.width() * 0.3, plot.y() + plot.height() * 0.45);
        send(view, SWT.MouseMove, plot.x() + plot.width() * 0.6, plot.y() + plot.height() * 0.08);
        send(view, SWT.MouseUp, plot.x() + plot.width() * 0.6, plot.y() + plot.height() * 0.08);
        Ui.settle();
        Ui.await("it is drawn", view::isAnswered);
    }

    private static void send(LatencyView view, int type, double x, double y) {
        Ui.run(() -> {
            Event event = new Event();
            event.x = (int) x;
            event.y = (int) y;
            event.button = 1;
            view.canvas().notifyListeners(type, event);
        });
    }

    /** Large there is room for what the pointer tells. */
    public static void maximize() throws InterruptedException {
        LatencyView view = Ui.view(LatencyView.ID, LatencyView.class);
        Ui.run(() -> Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_MAXIMIZED));
        Ui.settle();
        Ui.await("it is drawn", view::isAnswered);
        Area plot = Ui.get(() -> view.canvas().scene().picture().orElseThrow().scale().plot());
        send(view, SWT.MouseMove, plot.x() + plot.width() * 0.62, plot.y() + plot.height() * 0.85);
    }

    /** As it is at first. */
    public static void restore() {
        LatencyView view = Ui.view(LatencyView.ID, LatencyView.class);
        Ui.run(() -> {
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_RESTORED);
            view.canvas().notifyListeners(SWT.MouseExit, new Event());
            SelectionService.get().select(CallSelection.ALL);
            Ui.page().bringToTop(Ui.page().findView(KviewUi.VIEW_DISTRIBUTION));
            Ui.page().bringToTop(Ui.page().findView(KviewUi.VIEW_CAUSES));
        });
    }
}
