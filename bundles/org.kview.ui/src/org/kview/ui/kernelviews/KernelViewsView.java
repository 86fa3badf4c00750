// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.core.runtime.ILog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.ISelectionListener;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.ByteFormat;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.targets.values.KernelViews;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.targets.TargetService;
import org.kview.ui.text.Sentence;
import org.kview.ui.widgets.Looking;
import org.kview.ui.widgets.MessagePage;

/** The kernel views of the target that is chosen in the Targets view, renewed while one looks. */
public final class KernelViewsView extends ViewPart {
    private final ViewsModel model = new ViewsModel();
    private final ViewsPoll poll = new ViewsPoll(this::answered, this::failed);
    private final Runnable changed = this::refreshSoon;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ISelectionListener follower = this::follow;
    private Display display;
    private TargetService service;
    private Optional<TargetConnection> target = Optional.empty();
    /** Why the last reading failed. */
    private Optional<TargetException> failure = Optional.empty();
    private Composite stack;
    private StackLayout layout;
    private MessagePage message;
    private List<String> said = List.of();
    private Composite listArea;
    private Label summary;
    private ViewsTree tree;

    /** Shows the kernel views of a target. */
    public static void show(IWorkbenchPage page, TargetConnection target) {
        try {
            ((KernelViewsView) page.showView(KviewUi.VIEW_KERNEL_VIEWS)).setTarget(Optional.of(target));
        } catch (PartInitException e) {
            ILog.of(KernelViewsView.class).log(e.getStatus());
        }
    }

    @Override
    public void createPartControl(Composite parent) {
        display = parent.getDisplay();
        service = TargetService.get();
        stack = parent;
        layout = new StackLayout();
        parent.setLayout(layout);
        message = new MessagePage(parent, this::linkChosen);
        listArea = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(listArea);
        summary = new Label(listArea, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).grab(true, false).applyTo(summary);
        tree = new ViewsTree(listArea, this::sortBy);
        GridDataFactory.fillDefaults().indent(0, 6).grab(true, true).applyTo(tree.control());
        new ViewsActions(model, poll, tree).install(getViewSite());
        service.registry().listen(changed);
        getSite().getPage().addPartListener(new Looking(this, this::looked));
        getSite().getPage().addSelectionListener(KviewUi.VIEW_TARGETS, follower);
        follow(this, getSite().getPage().getSelection(KviewUi.VIEW_TARGETS));
        refresh();
    }

    private void follow(IWorkbenchPart part, ISelection selection) {
        if (selection instanceof IStructuredSelection structured
                && structured.getFirstElement() instanceof TargetConnection connection) {
            setTarget(Optional.of(connection));
        }
    }

    void setTarget(Optional<TargetConnection> next) {
        if (!next.equals(target)) {
            target = next;
            forget();
            poll.setTarget(next);
            refresh();
        }
    }

    private void forget() {
        failure = Optional.empty();
        model.clear();
    }

    private void looked(boolean visible) {
        poll.setLooked(visible);
    }

    private void answered(TargetConnection asked, KernelViews views) {
        told(asked, () -> {
            failure = Optional.empty();
            model.update(views);
        });
    }

    private void failed(TargetConnection asked, TargetException why) {
        told(asked, () -> {
            forget();
            failure = Optional.of(why);
        });
    }

    private void told(TargetConnection asked, Runnable work) {
        onUi(() -> {
            if (target.filter(asked::equals).isPresent()) {
                work.run();
                refresh();
            }
        });
    }

    private void onUi(Runnable work) {
        UiThread.later(display, () -> {
            if (!stack.isDisposed()) {
                work.run();
            }
        });
    }

    private void refreshSoon() {
        if (refreshing.compareAndSet(false, true)) {
            onUi(() -> {
                refreshing.set(false);
                refresh();
                if (target.flatMap(TargetConnection::agent).isPresent() && model.latest().isEmpty() && failure.isEmpty()) {
                    poll.now();
                }
            });
        }
    }

    /** The list while the target is connected and has views, else why there is none. */
    private void refresh() {
        setPartName(SafeText.line(target.isEmpty() ? "Kernel Views" : "Kernel Views of " + name()));
        Optional<TargetStatus> status = target.map(TargetConnection::status);
        if (status.isEmpty()) {
            say("Kernel Views", "Choose a target in the Targets view to see who is traced in a view of its kernel.",
                    "<a href=\"targets\">Targets</a>");
        } else if (!status.get().state().isUp()) {
            forget();
            sayLinkOf(status.get());
        } else if (failure.isPresent()) {
            say("No kernel views of " + name(), Sentence.of(failure.get().getMessage()), "<a href=\"again\">Try again</a>");
        } else if (model.latest().isEmpty()) {
            say(name(), "Asking for its kernel views…", "");
        } else if (model.latest().get().views().isEmpty()) {
            say("No kernel views on " + name(), "Nobody is traced in a view of its kernel now. A recording of functions of the kernel"
                    + " makes one, and so does kviewctl; it is shown here as long as it lasts.", "");
        } else {
            showRows();
            show(listArea);
        }
    }

    private void sayLinkOf(TargetStatus status) {
        String why = status.sentence().isEmpty() ? "" : Sentence.of(status.sentence());
        switch (status.state()) {
            case IDLE, CONNECTED -> say(name(), "It is not connected.", "<a href=\"connect\">Connect</a>");
            case CONNECTING -> say("Connecting to " + name() + "…", "This takes a second or two, the first time some more.",
                    "<a href=\"cancel\">Cancel</a>");
            case RECONNECTING -> say(name(), why.isEmpty() ? "The link is lost, and is being taken up again." : why,
                    "<a href=\"cancel\">Disconnect</a>");
            case LOST, FAILED -> say(status.state() == TargetStatus.State.LOST ? "The link to " + name() + " is lost"
                    : name() + " is not connected", why, "<a href=\"connect\">Try again</a>");
        }
    }

    private String name() {
        return target.map(t -> t.origin() == TargetConnection.Origin.LOCAL ? "this machine" : t.name()).orElse("");
    }

    private void say(String title, String text, String links) {
        List<String> next = List.of(title, text, links);
        // The same again, each second: it is not laid out anew.
        if (!next.equals(said)) {
            said = next;
            message.show(title.replace("&", "&&"), text.replace("&", "&&"), links);
        }
        show(message);
    }

    private void show(Composite page) {
        if (layout.topControl != page) {
            layout.topControl = page;
            stack.layout();
        }
    }

    private void linkChosen(String link) {
        switch (link) {
            case "connect" -> target.ifPresent(service::connect);
            case "cancel" -> target.ifPresent(service::disconnect);
            case "again" -> poll.now();
            default -> {
                try {
                    getSite().getPage().showView(KviewUi.VIEW_TARGETS);
                } catch (PartInitException e) {
                    ILog.of(getClass()).log(e.getStatus());
                }
            }
        }
    }

    void sortBy(ViewColumn column) {
        model.sortBy(column);
        showRows();
    }

    private void showRows() {
        List<ViewRow> rows = model.rows();
        boolean all = tree.show(rows) && model.latest().filter(views -> views.items() < views.totalItems()).isEmpty();
        model.sorting().show(tree.control());
        long bytes = rows.stream().mapToLong(ViewRow::memoryBytes).reduce(0, KernelViews::plus);
        summary.setText(SafeText.lines((rows.size() == 1 ? "1 view, " : LatencyFormat.count(rows.size()) + " views, ")
                + ByteFormat.bytes(bytes) + (all ? "" : "; there are more than are shown")));
    }

    Optional<TargetConnection> target() {
        return target;
    }

    ViewsTree tree() {
        return tree;
    }

    ViewsPoll poll() {
        return poll;
    }

    ViewsModel model() {
        return model;
    }

    String summaryText() {
        return summary.getText();
    }

    String messageText() {
        return layout.topControl == message ? message.text() : "";
    }

    @Override
    public void setFocus() {
        (layout.topControl == listArea ? tree.control() : stack).setFocus();
    }

    @Override
    public void dispose() {
        poll.setTarget(Optional.empty());
        poll.cancel();
        if (service != null) {
            service.registry().unlisten(changed);
        }
        getSite().getPage().removeSelectionListener(KviewUi.VIEW_TARGETS, follower);
        super.dispose();
    }
}
