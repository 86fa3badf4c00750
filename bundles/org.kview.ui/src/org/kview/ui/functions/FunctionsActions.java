// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.widgets.Actions;

/** The Functions view's menus and keys: copy, select all, find, and which columns and lines are shown. */
final class FunctionsActions {
    private final FunctionsView view;
    private final FunctionTable table;

    FunctionsActions(FunctionsView view, FunctionTable table) {
        this.view = view;
        this.table = table;
    }

    void install() {
        IAction copy = Actions.of("&Copy", view::copy);
        IAction selectAll = Actions.of("Select &All", view::selectAll);
        IAction find = Actions.of("&Filter", view::startFilter);
        IActionBars bars = view.getViewSite().getActionBars();
        Actions.global(bars, ActionFactory.COPY, copy);
        Actions.global(bars, ActionFactory.SELECT_ALL, selectAll);
        Actions.global(bars, ActionFactory.FIND, find);

        MenuManager context = new MenuManager();
        context.add(copy);
        context.add(selectAll);
        context.add(Actions.of("Add &Bookmark…", () -> Commands.run(view.getSite(), KviewUi.COMMAND_BOOKMARK)));
        context.add(new Separator());
        context.add(find);
        context.add(columnMenu());
        table.control().setMenu(context.createContextMenu(table.control()));
        IMenuManager viewMenu = bars.getMenuManager();
        viewMenu.add(columnMenu());
        bars.updateActionBars();
    }

    /** Filled when it is opened: columns may have been hidden in the meantime. */
    private MenuManager columnMenu() {
        MenuManager menu = new MenuManager("C&olumns");
        menu.setRemoveAllWhenShown(true);
        menu.addMenuListener(this::fillColumnMenu);
        menu.add(new Separator());
        return menu;
    }

    private void fillColumnMenu(IMenuManager menu) {
        for (FunctionColumn column : FunctionColumn.values()) {
            if (column != FunctionColumn.NAME) {
                menu.add(columnToggle(column));
            }
        }
        menu.add(new Separator());
        Action values = Actions.choice("Lines for &Values", IAction.AS_CHECK_BOX, table::setWithValues);
        values.setChecked(table.rows().isWithValues());
        menu.add(values);
        menu.add(Actions.of("&Reset Columns", table::resetColumns));
    }

    private Action columnToggle(FunctionColumn column) {
        Action toggle = Actions.choice(column.title(), IAction.AS_CHECK_BOX, on -> table.setVisible(column, on));
        toggle.setChecked(table.isVisible(column));
        return toggle;
    }
}
