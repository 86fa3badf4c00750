// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.IWorkbenchPage;
import org.kview.ui.Ui;

/** Poses the table of calls for pictures. */
public final class CallsPose {
    private CallsPose() {
    }

    /** As large as the window, filtered, with a line that one has gone to. */
    public static void showFiltered() throws InterruptedException {
        CallsView view = Ui.view(CallsView.ID, CallsView.class);
        Ui.run(() -> {
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_MAXIMIZED);
            view.filterField().setText("wall > 5ms && cause == lock");
        });
        Ui.settle();
        Ui.await("they are listed", view::isShown);
        Ui.settle();
        Ui.run(() -> {
            view.table().control().setSelection(3);
            view.table().control().getColumns()[0].getParent().notifyListeners(SWT.Selection, new Event());
        });
    }

    /** As it is at first. */
    public static void restore() {
        CallsView view = Ui.view(CallsView.ID, CallsView.class);
        Ui.run(() -> {
            view.filterField().setText("");
            Ui.page().setPartState(Ui.page().getReference(view), IWorkbenchPage.STATE_RESTORED);
        });
    }
}
