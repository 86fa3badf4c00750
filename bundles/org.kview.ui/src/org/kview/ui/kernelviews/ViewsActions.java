// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.stream.Collectors;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IViewSite;
import org.eclipse.ui.IWorkbenchActionConstants;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.SafeText;
import org.kview.ui.targets.part.TargetPoll;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.RowsTree;

/** What can be done with the list of kernel views: menus, toolbar, keys. */
final class ViewsActions {
    private final ViewsModel model;
    private final TargetPoll<?> poll;
    private final RowsTree<ViewRow, ViewColumn> tree;

    ViewsActions(ViewsModel model, TargetPoll<?> poll, RowsTree<ViewRow, ViewColumn> tree) {
        this.model = model;
        this.poll = poll;
        this.tree = tree;
    }

    void install(IViewSite site) {
        Action copy = Actions.of("&Copy", this::copy);
        Action csv = Actions.of("Copy All as CS&V", () -> Actions.copy(tree.control().getDisplay(), ViewsCsv.of(model.rows())));
        Action refresh = Actions.of("Re&fresh", "refresh", poll::now);
        Action pause = Actions.withIcon(Actions.choice("&Pause Refreshing", IAction.AS_CHECK_BOX, poll::setPaused), "pause");
        IActionBars bars = site.getActionBars();
        Actions.global(bars, ActionFactory.COPY, copy);
        Actions.global(bars, ActionFactory.REFRESH, refresh);
        List.of(pause, refresh).forEach(bars.getToolBarManager()::add);
        List.of(csv, pause).forEach(bars.getMenuManager()::add);
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(menu -> {
            copy.setEnabled(tree.selection().isPresent());
            List.of(copy, csv, refresh).forEach(menu::add);
            menu.add(new Separator(IWorkbenchActionConstants.MB_ADDITIONS));
        });
        tree.control().setMenu(context.createContextMenu(tree.control()));
        bars.updateActionBars();
    }

    private void copy() {
        tree.selection().ifPresent(row -> Actions.copy(tree.control().getDisplay(), text(row)));
    }

    /** As it is shown. */
    static String text(ViewRow row) {
        return List.of(ViewColumn.values()).stream().map(column -> SafeText.line(column.text(row))).collect(Collectors.joining("\t"));
    }
}
