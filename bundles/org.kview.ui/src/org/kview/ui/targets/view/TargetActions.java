// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.util.List;
import java.util.Optional;

import org.eclipse.core.runtime.jobs.Job;
import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.IMenuManager;
import org.eclipse.jface.action.IToolBarManager;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.action.Separator;
import org.eclipse.jface.dialogs.InputDialog;
import org.eclipse.jface.viewers.TreeViewer;
import org.eclipse.jface.window.Window;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.kview.recording.template.RecordingTemplate;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetConnection.Origin;
import org.kview.targets.registry.TargetStatus;
import org.kview.ui.UiThread;
import org.kview.ui.kernelviews.KernelViewsView;
import org.kview.ui.processes.ProcessesView;
import org.kview.ui.record.RecordWizard;
import org.kview.ui.record.Recordings;
import org.kview.ui.record.TemplateMenu;
import org.kview.ui.targets.AddedHosts;
import org.kview.ui.targets.TargetService;
import org.kview.ui.widgets.Actions;

/** What can be done with a target: context menu, toolbar and keys of the Targets view. */
final class TargetActions {
    private final TargetsView view;
    private final TargetService service;
    private final Action connect;
    private final Action disconnect;
    private final Action processes;
    private final Action kernelViews;
    private final Action record;
    private final Action recordOnAll;
    private final Action add;
    private final Action remove;
    private final Action refresh;
    private final Action copy;
    private final Action forget;

    TargetActions(TargetsView view, TargetService service) {
        this.view = view;
        this.service = service;
        connect = Actions.of("&Connect", "connect", () -> target().ifPresent(service::connect));
        disconnect = Actions.of("&Disconnect", "disconnect", () -> target().ifPresent(service::disconnect));
        processes = Actions.of("Show &Processes", "processes", () -> target().ifPresent(this::showProcesses));
        kernelViews = Actions.of("Show &Kernel Views", "kernel_views",
                () -> target().ifPresent(target -> KernelViewsView.show(view.getSite().getPage(), target)));
        record = Actions.of("&Record…", "record", () -> target().ifPresent(
                target -> Recordings.openWizard(shell(), RecordWizard.Preset.of(target))));
        recordOnAll = Actions.of("Record on These &Hosts…", "record",
                () -> Recordings.openWizard(shell(), view.selections()));
        add = Actions.of("&Add Host…", "add", this::add);
        remove = Actions.of("Re&move Host", () -> target().ifPresent(service::remove));
        refresh = Actions.of("Re&fresh", "refresh", service::reload);
        copy = Actions.of("Cop&y", this::copy);
        forget = Actions.of("F&orget Remembered Secrets…", this::forgetSecrets);
    }

    private Optional<TargetConnection> target() {
        return view.selection();
    }

    private Shell shell() {
        return view.getSite().getShell();
    }

    void install(TreeViewer viewer) {
        IActionBars bars = view.getViewSite().getActionBars();
        Actions.global(bars, ActionFactory.DELETE, remove);
        Actions.global(bars, ActionFactory.REFRESH, refresh);
        Actions.global(bars, ActionFactory.COPY, copy);
        IToolBarManager toolbar = bars.getToolBarManager();
        List.of(connect, disconnect, processes, record).forEach(toolbar::add);
        toolbar.add(new Separator());
        List.of(add, refresh).forEach(toolbar::add);
        IMenuManager viewMenu = bars.getMenuManager();
        List.of(add, refresh, forget).forEach(viewMenu::add);
        MenuManager context = new MenuManager();
        context.setRemoveAllWhenShown(true);
        context.addMenuListener(this::fill);
        viewer.getControl().setMenu(context.createContextMenu(viewer.getControl()));
        view.getSite().registerContextMenu(context, viewer);
        bars.updateActionBars();
    }

    private void fill(IMenuManager menu) {
        List.of(connect, disconnect).forEach(menu::add);
        menu.add(new Separator());
        List.of(processes, kernelViews, record, recordOnAll).forEach(menu::add);
        MenuManager templates = new MenuManager("Record with &Template");
        target().ifPresent(target -> TemplateMenu.ofWorkspace().list().templates()
                .forEach(template -> templates.add(recordWith(target, template))));
        if (templates.isEmpty()) {
            Action none = Actions.of("There is none yet: the record wizard makes them", () -> { });
            none.setEnabled(false);
            templates.add(none);
        }
        menu.add(templates);
        menu.add(new Separator());
        List.of(add, remove).forEach(menu::add);
        menu.add(new Separator());
        List.of(copy, refresh, forget).forEach(menu::add);
        menu.add(new Separator(org.eclipse.ui.IWorkbenchActionConstants.MB_ADDITIONS));
    }

    private Action recordWith(TargetConnection target, RecordingTemplate template) {
        return Actions.of(TemplateMenu.label(template.name()),
                () -> Recordings.openWizard(shell(), RecordWizard.Preset.of(target, template)));
    }

    /** What applies to the chosen target. */
    void update() {
        Optional<TargetStatus> status = target().map(TargetConnection::status);
        connect.setEnabled(status.filter(s -> !s.state().isAlive()).isPresent());
        disconnect.setEnabled(status.filter(s -> s.state().isAlive()).isPresent());
        processes.setEnabled(status.isPresent());
        kernelViews.setEnabled(status.isPresent());
        record.setEnabled(status.isPresent());
        recordOnAll.setEnabled(view.selections().size() > 1);
        copy.setEnabled(status.isPresent());
        remove.setEnabled(target().filter(t -> t.origin() == Origin.ADDED && t.status().recordings().isEmpty()).isPresent());
    }

    /** What a double click does: the next step. */
    void open() {
        target().ifPresent(target -> {
            if (!target.status().state().isAlive()) {
                service.connect(target);
            }
            showProcesses(target);
        });
    }

    private void showProcesses(TargetConnection target) {
        ProcessesView.show(view.getSite().getPage(), target);
    }

    void add() {
        InputDialog dialog = new InputDialog(shell(), "Add Host", "Host as ssh would be given it, [user@]host[:port]."
                + " Options of your SSH configuration apply.", "", text -> text.isBlank() ? ""
                        : AddedHosts.problem(text.strip()).orElse(null));
        if (dialog.open() == Window.OK) {
            service.add(dialog.getValue().strip());
        }
    }

    private void copy() {
        Actions.copy(shell().getDisplay(), view.detailsText());
    }

    /** The storage may ask to be unlocked, and that is not for the UI thread. */
    private void forgetSecrets() {
        Shell shell = shell();
        Display display = shell.getDisplay();
        Job job = Job.create("Look for remembered secrets", _ -> {
            List<String> names = service.secrets().names();
            UiThread.later(display, () -> {
                if (!shell.isDisposed()) {
                    ForgetDialog.open(shell, names, service.secrets());
                }
            });
        });
        job.schedule();
    }

    Action connectAction() {
        return connect;
    }

    Action disconnectAction() {
        return disconnect;
    }

    Action recordOnAllAction() {
        return recordOnAll;
    }

    Action forgetAction() {
        return forget;
    }

    Action removeAction() {
        return remove;
    }
}
