// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IViewSite;
import org.eclipse.ui.IWorkbenchActionConstants;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.SafeText;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.CopyJob;

/** What can be done in the Flow view: menus, toolbar, keys. */
final class FlowActions {
    private final FlowPage page;
    private final Action again;
    private final Action chart;
    private final Action all;

    /** @param again follows the same process once more */
    FlowActions(FlowPage page, Runnable again) {
        this.page = page;
        this.again = Actions.of("&Follow Again…", "refresh", again);
        chart = Actions.withIcon(Actions.choice("Flame &Chart", IAction.AS_CHECK_BOX, page::setChart), "flame");
        all = Actions.withIcon(Actions.choice("&Show All Functions", IAction.AS_CHECK_BOX, page::setAll), "tree");
    }

    void install(IViewSite site) {
        Control picture = page.control();
        Action copy = Actions.of("&Copy", this::copy);
        Action text = Actions.of("Copy Call as &Text", () -> copyCall((flow, call) -> flow.text(call, page.isAll())));
        Action csv = Actions.of("Copy Call as CS&V", () -> copyCall(FollowedFlow::csv));
        Action image = Actions.of("Copy &Picture", () -> Actions.copyPicture(picture));
        Action expand = Actions.of("&Expand All", page.tree()::expandAll);
        IActionBars bars = site.getActionBars();
        Actions.global(bars, ActionFactory.COPY, copy);
        List.of(again, chart, all).forEach(bars.getToolBarManager()::add);
        List.of(again, chart, all).forEach(bars.getMenuManager()::add);
        bars.getMenuManager().add(new Separator());
        List.of(text, csv, image).forEach(bars.getMenuManager()::add);
        Tree tree = page.tree().control();
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(menu -> {
            copy.setEnabled(true);
            List.of(copy, text, csv, image, all, expand).forEach(menu::add);
            menu.add(new Separator(IWorkbenchActionConstants.MB_ADDITIONS));
        });
        tree.setMenu(context.createContextMenu(tree));
        Control drawn = page.chart().viewer().getTimeGraphControl();
        MenuManager overChart = new MenuManager();
        List.of(text, csv, image).forEach(overChart::add);
        drawn.setMenu(overChart.createContextMenu(drawn));
        bars.updateActionBars();
        update(false);
    }

    /** @param known whether there is a process that was followed before */
    void update(boolean known) {
        again.setEnabled(known);
    }

    IAction chart() {
        return chart;
    }

    IAction all() {
        return all;
    }

    IAction again() {
        return again;
    }

    /** The selected text or line, or the whole call; of the chart a picture. */
    private void copy() {
        if (page.sentences().isFocusControl()) {
            page.sentences().copy();
            return;
        }
        if (page.isChart()) {
            Actions.copyPicture(page.control());
            return;
        }
        page.tree().selection().ifPresentOrElse(row -> Actions.copy(page.control().getDisplay(), text(row)),
                () -> copyCall((flow, call) -> flow.text(call, page.isAll())));
    }

    /** As it is shown. */
    static String text(FlowRow row) {
        return List.of(FlowColumn.values()).stream().map(column -> SafeText.line(column.text(row))).collect(Collectors.joining("\t"));
    }

    private void copyCall(BiFunction<FollowedFlow, Integer, String> form) {
        int call = page.call();
        page.shown().ifPresent(flow -> CopyJob.start(page.control().getDisplay(), "a call of " + flow.question().wish().systemCall(),
                () -> Optional.of(form.apply(flow, call))));
    }
}
