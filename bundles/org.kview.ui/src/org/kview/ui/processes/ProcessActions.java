// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.List;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.util.LocalSelectionTransfer;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.dnd.DND;
import org.eclipse.swt.dnd.DragSource;
import org.eclipse.swt.dnd.DragSourceAdapter;
import org.eclipse.swt.dnd.DragSourceEvent;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.recording.ScopeSpec;
import org.kview.targets.values.ProcessInfo;
import org.kview.ui.record.DraggedProcess;
import org.kview.ui.record.RecordWizard;
import org.kview.ui.record.Recordings;
import org.kview.ui.record.TemplateMenu;
import org.kview.ui.targets.part.TargetPoll;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.RowsTree;

/** What can be done with processes: menus, toolbar, keys, and dragging one to where recordings are shown. */
final class ProcessActions {
    private static final List<Integer> INTERVALS_SECONDS = List.of(1, 2, 5, 10);

    private final ProcessesView view;
    private final ProcessModel model;
    private final TargetPoll<?> poll;
    private final RowsTree<?, ?> tree;

    ProcessActions(ProcessesView view, ProcessModel model, TargetPoll<?> poll, RowsTree<?, ?> tree) {
        this.view = view;
        this.model = model;
        this.poll = poll;
        this.tree = tree;
    }

    void install() {
        Action record = Actions.of("&Record…", "record", view::record);
        Action service = Actions.of("Record Its &Whole Service…", view::recordService);
        Action follow = Actions.of("Follow a &System Call…", view::follow);
        Action refresh = Actions.of("Re&fresh", "refresh", poll::now);
        Action copy = Actions.of("&Copy", this::copy);
        Action find = Actions.of("Fi&lter", () -> view.filterField().setFocus());
        Action pause = Actions.withIcon(Actions.choice("&Pause Refreshing", IAction.AS_CHECK_BOX,
                poll::setPaused), "pause");
        Action byParent = Actions.withIcon(Actions.choice("&Tree by Parent", IAction.AS_CHECK_BOX, on -> {
            model.setTree(on);
            view.showRows();
        }), "tree");
        byParent.setChecked(model.isTree());
        Action kernel = Actions.choice("&Kernel Threads", IAction.AS_CHECK_BOX, on -> {
            model.setKernelThreads(on);
            view.showRows();
        });
        Action expand = Actions.of("&Expand All", tree::expandAll);
        IActionBars bars = view.getViewSite().getActionBars();
        Actions.global(bars, ActionFactory.COPY, copy);
        Actions.global(bars, ActionFactory.REFRESH, refresh);
        Actions.global(bars, ActionFactory.FIND, find);
        List.of(record, byParent, pause, refresh).forEach(bars.getToolBarManager()::add);
        IMenuManager viewMenu = bars.getMenuManager();
        List.of(byParent, kernel, expand, pause).forEach(viewMenu::add);
        viewMenu.add(intervals());
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(menu -> {
            view.selection().ifPresent(process -> {
                record.setEnabled(!process.kernelThread());
                menu.add(record);
                service.setEnabled(!process.kernelThread() && ScopeSpec.Cgroup.ofService(process.cgroup()).isPresent());
                menu.add(service);
                menu.add(templates(process));
                follow.setEnabled(!process.kernelThread());
                menu.add(follow);
                menu.add(new Separator());
                menu.add(copy);
            });
            List.of(refresh, find, expand).forEach(menu::add);
            menu.add(new Separator(org.eclipse.ui.IWorkbenchActionConstants.MB_ADDITIONS));
        });
        tree.control().setMenu(context.createContextMenu(tree.control()));
        bars.updateActionBars();
        installDrag();
    }

    private MenuManager intervals() {
        MenuManager menu = new MenuManager("&Refresh Every");
        for (int seconds : INTERVALS_SECONDS) {
            Action choice = Actions.choice(seconds + " s", IAction.AS_RADIO_BUTTON, on -> {
                if (on) {
                    poll.setIntervalMillis(seconds * 1000);
                }
            });
            choice.setChecked(poll.intervalMillis() == seconds * 1000);
            menu.add(choice);
        }
        return menu;
    }

    private MenuManager templates(ProcessInfo process) {
        MenuManager menu = new MenuManager("Record with &Template");
        TemplateMenu.ofWorkspace().list().templates().forEach(template -> menu.add(Actions.of(
                TemplateMenu.label(template.name()), () -> view.target().ifPresent(
                        target -> Recordings.openWizard(view.getSite().getShell(), new RecordWizard.Preset(target,
                                java.util.OptionalLong.of(process.pid()), false, java.util.Optional.of(template)))))));
        if (menu.isEmpty()) {
            Action none = Actions.of("There is none yet: the record wizard makes them", () -> { });
            none.setEnabled(false);
            menu.add(none);
        }
        return menu;
    }

    private void copy() {
        view.selection().ifPresent(process -> Actions.copy(tree.control().getDisplay(), text(process)));
    }

    private static String text(ProcessInfo process) {
        return process.pid() + "\t" + process.user().name() + "\t" + process.cgroup() + "\t" + process.command();
    }

    private void installDrag() {
        DragSource source = new DragSource(tree.control(), DND.DROP_COPY);
        source.setTransfer(LocalSelectionTransfer.getTransfer(), TextTransfer.getInstance());
        source.addDragListener(new DragSourceAdapter() {
            @Override
            public void dragStart(DragSourceEvent event) {
                event.doit = view.selection().isPresent() && view.target().isPresent();
                if (event.doit) {
                    LocalSelectionTransfer.getTransfer().setSelection(new StructuredSelection(
                            new DraggedProcess(view.target().get(), view.selection().get())));
                }
            }

            @Override
            public void dragSetData(DragSourceEvent event) {
                if (TextTransfer.getInstance().isSupportedType(event.dataType)) {
                    event.data = view.selection().map(ProcessActions::text).orElse("");
                }
            }

            @Override
            public void dragFinished(DragSourceEvent event) {
                LocalSelectionTransfer.getTransfer().setSelection(null);
            }
        });
    }
}
