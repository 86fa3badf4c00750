// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.kview.ui.Ui;

/** The Functions view as a picture wants it. */
public final class FunctionsPose {
    private FunctionsPose() {
    }

    private static FunctionsView view() {
        return Ui.view(FunctionsView.ID, FunctionsView.class);
    }

    /** Selects a function, or the first one if there is none of that name. */
    public static void select(String name) {
        FunctionsView view = view();
        Ui.run(() -> {
            Table table = view.table().control();
            table.setSelection(index(view, name));
            table.notifyListeners(SWT.Selection, new Event());
        });
    }

    private static int index(FunctionsView view, String name) {
        var shown = view.table().rows().shown();
        for (int i = 0; i < shown.size(); i++) {
            if (shown.get(i).name().equals(name)) {
                return i;
            }
        }
        return 0;
    }

    public static void showBreakdownTip() {
        FunctionsView view = view();
        Ui.run(() -> {
            Table table = view.table().control();
            Rectangle bar = table.getItem(index(view, "price_basket")).getBounds(FunctionColumn.BREAKDOWN.ordinal());
            view.table().toolTip().show(new org.eclipse.swt.graphics.Point(bar.x + 30, bar.y + bar.height / 2));
        });
    }

    public static void hideTip() {
        FunctionsView view = view();
        Ui.run(() -> view.table().toolTip().hide());
    }
}
