// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.targets.view;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ColumnViewerToolTipSupport;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.jface.viewers.ITreeContentProvider;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.jface.viewers.TreeViewer;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.ui.part.ViewPart;
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.targets.TargetService;
import org.kview.ui.widgets.Banner;

/** The targets, the state of the connection to each of them, and what the chosen one can do. */
public final class TargetsView extends ViewPart {
    public static final String ID = KviewUi.VIEW_TARGETS;

    /** Latencies change without any event. */
    private static final int LATENCY_MILLIS = 2000;

    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final Runnable changed = this::refreshSoon;
    private Display display;
    private TargetService service;
    private Banner banner;
    private TreeViewer viewer;
    private TargetDetails details;
    private TargetActions actions;

    @Override
    public void createPartControl(Composite parent) {
        display = parent.getDisplay();
        service = TargetService.get();
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        banner = new Banner(parent);
        SashForm sash = new SashForm(parent, SWT.VERTICAL);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(sash);
        viewer = new TreeViewer(sash, SWT.MULTI | SWT.V_SCROLL | SWT.H_SCROLL);
        viewer.setContentProvider(new Content());
        viewer.setLabelProvider(new TargetLabels());
        viewer.setUseHashlookup(true);
        ColumnViewerToolTipSupport.enableFor(viewer);
        details = new TargetDetails(sash);
        sash.setWeights(45, 55);
        viewer.setInput(service.registry());
        viewer.addSelectionChangedListener(_ -> selected());
        viewer.addDoubleClickListener(_ -> actions.open());
        getSite().setSelectionProvider(viewer);
        actions = new TargetActions(this, service);
        actions.install(viewer);
        service.registry().listen(changed);
        service.local().ifPresent(local -> viewer.setSelection(new StructuredSelection(local)));
        refresh();
        display.timerExec(LATENCY_MILLIS, this::tick);
    }

    private static final class Content implements ITreeContentProvider {
        @Override
        public Object[] getElements(Object registry) {
            return ((org.kview.targets.registry.TargetRegistry) registry).connections().toArray();
        }

        @Override
        public Object[] getChildren(Object parent) {
            return parent instanceof TargetConnection connection ? connection.status().recordings().stream()
                    .map(session -> new TargetLabels.Running(connection, session)).toArray() : new Object[0];
        }

        @Override
        public Object getParent(Object element) {
            return element instanceof TargetLabels.Running running ? running.connection() : null;
        }

        @Override
        public boolean hasChildren(Object element) {
            return getChildren(element).length > 0;
        }
    }

    /** Called from any thread; many changes at once are shown once. */
    private void refreshSoon() {
        if (refreshing.compareAndSet(false, true)) {
            UiThread.later(display, () -> {
                refreshing.set(false);
                refresh();
            });
        }
    }

    private void refresh() {
        if (viewer.getControl().isDisposed()) {
            return;
        }
        viewer.refresh();
        viewer.expandAll();
        String problem = service.problem();
        banner.show(problem.isEmpty() ? List.of() : List.of(problem));
        selected();
    }

    private void tick() {
        if (!viewer.getControl().isDisposed()) {
            for (TargetConnection connection : service.registry().connections()) {
                if (connection.status().state().isUp()) {
                    viewer.update(connection, null);
                }
            }
            showDetails();
            display.timerExec(LATENCY_MILLIS, this::tick);
        }
    }

    private void selected() {
        showDetails();
        actions.update();
    }

    private void showDetails() {
        int chosen = selections().size();
        details.show(selection().map(TargetText::details).orElse(List.of(new TargetText.Line(
                TargetText.Line.Kind.FAINT, chosen > 1 ? chosen + " targets are chosen: the context menu records the same"
                        + " functions on all of them." : service.problem().isEmpty()
                                ? "Choose a target to see what it can do." : ""))));
    }

    /** The chosen target, also where one of its recordings is chosen; empty if several are. */
    Optional<TargetConnection> selection() {
        List<TargetConnection> chosen = selections();
        return chosen.size() == 1 ? Optional.of(chosen.getFirst()) : Optional.empty();
    }

    /** All chosen targets, each once, in the order of the list. */
    List<TargetConnection> selections() {
        Set<TargetConnection> chosen = new LinkedHashSet<>();
        for (Object element : (IStructuredSelection) viewer.getSelection()) {
            switch (element) {
                case TargetConnection connection -> chosen.add(connection);
                case TargetLabels.Running running -> chosen.add(running.connection());
                default -> throw new IllegalStateException(String.valueOf(element));
            }
        }
        return List.copyOf(chosen);
    }

    /** Leads to the first host that is known, and asks for one where there is none. */
    void chooseHost() {
        Optional<TargetConnection> host = service.registry().connections().stream()
                .filter(connection -> connection.origin() != TargetConnection.Origin.LOCAL).findFirst();
        host.ifPresentOrElse(this::select, actions::add);
    }

    void select(TargetConnection... connections) {
        viewer.setSelection(new StructuredSelection(connections), true);
    }

    TreeViewer viewer() {
        return viewer;
    }

    String detailsText() {
        return details.control().getText();
    }

    TargetActions actions() {
        return actions;
    }

    @Override
    public void setFocus() {
        viewer.getControl().setFocus();
    }

    @Override
    public void dispose() {
        if (service != null) {
            service.registry().unlisten(changed);
        }
        super.dispose();
    }
}
