// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.util.LocalSelectionTransfer;
import org.eclipse.swt.dnd.DND;
import org.eclipse.swt.dnd.DropTarget;
import org.eclipse.swt.dnd.DropTargetAdapter;
import org.eclipse.swt.dnd.DropTargetEvent;
import org.eclipse.swt.widgets.Widget;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.IViewSite;
import org.eclipse.ui.IWorkbenchActionConstants;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.KernelViews.View;
import org.kview.ui.UiThread;
import org.kview.ui.record.DraggedProcess;
import org.kview.ui.targets.part.TargetPoll;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.RowsTree;

/** What can be done with the list of kernel views: menus, toolbar, keys. */
final class ViewsActions {
    private final ViewsModel model;
    private final TargetPoll<?> poll;
    private final RowsTree<ViewRow, ViewColumn> tree;
    private final Supplier<Optional<TargetConnection>> target;
    private final OwnViews own;

    ViewsActions(ViewsModel model, TargetPoll<?> poll, RowsTree<ViewRow, ViewColumn> tree, Supplier<Optional<TargetConnection>> target) {
        this.model = model;
        this.poll = poll;
        this.tree = tree;
        this.target = target;
        own = new OwnViews(tree.control(), target, poll::now);
    }

    void install(IViewSite site) {
        Action copy = Actions.of("&Copy", this::copy);
        Action csv = Actions.of("Copy All as CS&V", () -> Actions.copy(tree.control().getDisplay(), ViewsCsv.of(model.rows())));
        Action refresh = Actions.of("Re&fresh", "refresh", poll::now);
        Action pause = Actions.withIcon(Actions.choice("&Pause Refreshing", IAction.AS_CHECK_BOX, poll::setPaused), "pause");
        Action make = Actions.of("&New Kernel View…", "add", own::make);
        IActionBars bars = site.getActionBars();
        Actions.global(bars, ActionFactory.COPY, copy);
        Actions.global(bars, ActionFactory.REFRESH, refresh);
        List.of(make, pause, refresh).forEach(bars.getToolBarManager()::add);
        List.of(make, csv, pause).forEach(bars.getMenuManager()::add);
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(menu -> {
            tree.selection().flatMap(row -> model.viewOf(row.id())).ifPresent(view -> addChanges(menu, view, tree.selection().get().id()));
            menu.add(make);
            menu.add(new Separator());
            copy.setEnabled(tree.selection().isPresent());
            List.of(copy, csv, refresh).forEach(menu::add);
            menu.add(new Separator(IWorkbenchActionConstants.MB_ADDITIONS));
        });
        tree.control().setMenu(context.createContextMenu(tree.control()));
        bars.updateActionBars();
        installDrop();
    }

    /** What can be done with a view, and with the part of it that is chosen. */
    private void addChanges(IMenuManager menu, View view, long part) {
        if (!view.owner().thisAgent()) {
            Action others = Actions.of("Only Its Owner Can Change This View", () -> { });
            others.setEnabled(false);
            menu.add(others);
            return;
        }
        menu.add(Actions.of("Add &Sites…", () -> own.addSites(view)));
        menu.add(Actions.of("&Attach…", () -> own.attach(view, Optional.empty())));
        boolean counts = OwnViews.counts(view);
        menu.add(Actions.of(counts ? "St&op Counting" : "C&ount Again", () -> own.count(view, !counts)));
        if (view.attachments().stream().anyMatch(attachment -> attachment.id() == part)) {
            menu.add(Actions.of("&Detach", () -> own.close(view, part)));
        }
        if (view.sets().stream().anyMatch(set -> set.id() == part)) {
            menu.add(Actions.of("&Remove These Sites", () -> own.close(view, part)));
        }
        menu.add(Actions.of("Remove Kernel &View", () -> own.close(view, view.id())));
    }

    /** A process of this target can be dropped on a view that was made here. */
    private void installDrop() {
        DropTarget place = new DropTarget(tree.control(), DND.DROP_COPY | DND.DROP_DEFAULT);
        place.setTransfer(LocalSelectionTransfer.getTransfer());
        place.addDropListener(new DropTargetAdapter() {
            @Override
            public void dragEnter(DropTargetEvent event) {
                dragOver(event);
            }

            @Override
            public void dragOver(DropTargetEvent event) {
                event.detail = dropOn(event.item).isPresent() ? DND.DROP_COPY : DND.DROP_NONE;
            }

            @Override
            public void drop(DropTargetEvent event) {
                // The drag ends first: a dialog within it would keep the pointer.
                dropOn(event.item).ifPresent(attach -> UiThread.later(tree.control().getDisplay(), attach));
            }
        });
    }

    /** What becomes of the process that is being dragged where it is dropped on that item; empty: it can't be. */
    Optional<Runnable> dropOn(Widget item) {
        Optional<View> view = viewAt(item);
        Optional<DraggedProcess> dragged = dropped();
        return view.isPresent() && dragged.isPresent()
                ? Optional.of(() -> own.attach(view.get(), dragged.map(DraggedProcess::process))) : Optional.empty();
    }

    private Optional<DraggedProcess> dropped() {
        return DraggedProcess.current().filter(dragged -> target.get().filter(dragged.target()::equals).isPresent());
    }

    private Optional<View> viewAt(Widget item) {
        return item != null && item.getData() instanceof ViewRow row
                ? model.viewOf(row.id()).filter(view -> view.owner().thisAgent()) : Optional.empty();
    }

    private void copy() {
        tree.selection().ifPresent(row -> Actions.copy(tree.control().getDisplay(), text(row)));
    }

    /** As it is shown. */
    static String text(ViewRow row) {
        return List.of(ViewColumn.values()).stream().map(column -> SafeText.line(column.text(row))).collect(Collectors.joining("\t"));
    }
}
