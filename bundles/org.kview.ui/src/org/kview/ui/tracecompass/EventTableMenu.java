// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.tracecompass;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.tracecompass.tmf.ui.widgets.virtualtable.TmfVirtualTable;

/**
 * The context menus of Trace Compass's table of events. It asks the control around its table where the menu is wanted, as typed
 * listeners no longer go by way of {@link TmfVirtualTable#addListener}: nothing is ever asked for there, and instead of a menu there
 * is an error. So that control is told what the table is asked.
 */
public final class EventTableMenu {
    private EventTableMenu() {
    }

    /** For all tables of events, for as long as the workbench runs. */
    public static void install(Display display) {
        display.addFilter(SWT.MenuDetect, EventTableMenu::tell);
    }

    private static void tell(Event event) {
        if (event.widget instanceof Table table && table.getParent() instanceof TmfVirtualTable around) {
            Event told = new Event();
            told.x = event.x;
            told.y = event.y;
            told.detail = event.detail;
            around.notifyListeners(SWT.MenuDetect, told);
        }
    }
}
