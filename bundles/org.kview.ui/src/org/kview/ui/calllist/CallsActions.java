// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.swt.SWT;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.LatencyFormat;
import org.kview.session.calls.StoredCall;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.CopyJob;

/** What can be done in the Calls view: copy, filter, and follow what the line stands for. */
final class CallsActions {
    /** A clipboard is for people; kview calls --csv writes all. */
    private static final int MOST_COPIED = 100_000;

    private final CallsView view;
    private final CallsTable table;
    private final SelectionService selection;

    CallsActions(CallsView view, CallsTable table, SelectionService selection) {
        this.view = view;
        this.table = table;
        this.selection = selection;
    }

    void install() {
        IActionBars bars = view.getViewSite().getActionBars();
        IAction copy = Actions.of("&Copy as CSV", this::copy);
        IAction find = Actions.of("&Filter", view::startFilter);
        Actions.global(bars, ActionFactory.COPY, copy);
        Actions.global(bars, ActionFactory.FIND, find);
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(menu -> {
            menu.add(copy);
            menu.add(find);
            menu.add(new Separator());
            table.selected().ifPresent(call -> addFollowing(menu, call));
            menu.add(all());
        });
        table.control().setMenu(context.createContextMenu(table.control()));
        bars.getMenuManager().add(copy);
        bars.getMenuManager().add(all());
        table.control().addListener(SWT.KeyDown, event -> {
            if (event.keyCode == SWT.ESC) {
                selection.select(CallSelection.ALL);
            }
        });
        bars.updateActionBars();
    }

    private IAction all() {
        return Actions.of("&All Calls (Esc)", () -> selection.select(CallSelection.ALL));
    }

    private void addFollowing(IMenuManager menu, StoredCall call) {
        CallSelection now = selection.selection();
        call.functionId().ifPresent(id -> menu.add(Actions.of("Only Calls of " + shortened(call.function()),
                () -> selection.select(now.withFunctions(Set.of(id))))));
        menu.add(Actions.of("Only Calls of Thread " + call.tid(), () -> selection.select(now.withThreads(Set.of(call.tid())))));
        menu.add(Actions.of("Only Calls That Are Mostly " + call.mainPart().label(),
                () -> selection.select(now.withCauses(Set.of(call.mainPart())))));
        menu.add(Actions.of("Only Calls That Returned While It Ran (" + LatencyFormat.nanos(call.wallNanos()) + ")",
                () -> selection.selectTime(Optional.of(call.time()))));
    }

    private static String shortened(String name) {
        return name.length() <= 40 ? name : name.substring(0, 39) + "…";
    }

    /** The selected lines; or all where none is selected and all are listed, as far as they go. */
    void copy() {
        // Where the first ones alone are there, they are not all.
        if (!table.isAnySelected() && !view.isShown()) {
            view.notCopied();
            return;
        }
        if (table.list().isEmpty()) {
            return;
        }
        int[] numbers = table.chosen(MOST_COPIED);
        CopyJob.start(table.control().getDisplay(), LatencyFormat.count(numbers.length) + " calls", table.csv(numbers));
    }
}
