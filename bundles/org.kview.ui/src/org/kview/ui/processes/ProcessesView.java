// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.viewers.ISelection;
import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.ISelectionListener;
import org.eclipse.ui.IWorkbenchPage;
import org.eclipse.ui.IWorkbenchPart;
import org.eclipse.ui.PartInitException;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.registry.TargetStatus;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.ui.KviewUi;
import org.kview.ui.UiThread;
import org.kview.ui.record.RecordWizard;
import org.kview.ui.record.Recordings;
import org.kview.ui.targets.TargetService;
import org.kview.ui.text.Sentence;
import org.kview.ui.widgets.MessagePage;
import org.kview.ui.widgets.SearchField;

/** The processes of the target that is chosen in the Targets view, renewed while one looks. */
public final class ProcessesView extends ViewPart {
    public static final String ID = KviewUi.VIEW_PROCESSES;

    private static final int FILTER_WIDTH = 420;

    private final ProcessModel model = new ProcessModel();
    private final ProcessPoll poll = new ProcessPoll(this::answered, this::failed);
    private final Runnable changed = this::refreshSoon;
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private final ISelectionListener follower = this::follow;
    private Display display;
    private TargetService service;
    private Optional<TargetConnection> target = Optional.empty();
    /** Whether the model holds processes of this target. */
    private boolean listed;
    private Composite stack;
    private StackLayout layout;
    private MessagePage message;
    private Composite listArea;
    private Text filter;
    private Label count;
    private ProcessTree tree;

    /** Shows the processes of a target. */
    public static void show(IWorkbenchPage page, TargetConnection target) {
        try {
            ((ProcessesView) page.showView(ID)).setTarget(Optional.of(target));
        } catch (PartInitException e) {
            org.eclipse.core.runtime.ILog.of(ProcessesView.class).log(e.getStatus());
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
        createList(parent);
        new ProcessActions(this, model, poll, tree).install();
        service.registry().listen(changed);
        getSite().getPage().addSelectionListener(KviewUi.VIEW_TARGETS, follower);
        follow(this, getSite().getPage().getSelection(KviewUi.VIEW_TARGETS));
        refresh();
    }

    private void createList(Composite parent) {
        listArea = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(listArea);
        Composite bar = new Composite(listArea, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 4).spacing(8, 0).applyTo(bar);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(bar);
        filter = SearchField.create(bar, "Filter by name, number, user, container or command", () -> {
            model.setFilter(filter.getText());
            showRows();
        }, () -> tree.control().setFocus());
        GridDataFactory.swtDefaults().hint(FILTER_WIDTH, SWT.DEFAULT).applyTo(filter);
        count = new Label(bar, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(count);
        tree = new ProcessTree(listArea, this::sortBy, this::record);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(tree.control());
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
            listed = false;
            model.clear();
            poll.setTarget(next);
            setContentDescription("");
            refresh();
        }
    }

    private void answered(TargetConnection asked, ProcessList processes) {
        onUi(() -> {
            if (target.filter(asked::equals).isPresent()) {
                model.update(processes);
                listed = true;
                refresh();
                showRows();
            }
        });
    }

    /** The connection's own state says what happened; it is shown instead of the list. */
    private void failed(String sentence) {
        onUi(() -> {
            if (listed) {
                count.setText("not answering");
                count.setToolTipText(SafeText.lines(sentence));
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
                if (target.flatMap(TargetConnection::agent).isPresent() && !listed) {
                    poll.now();
                }
            });
        }
    }

    /** The list while the target is connected, else what can be done. */
    private void refresh() {
        Optional<TargetStatus> status = target.map(TargetConnection::status);
        if (status.isEmpty()) {
            say("Processes", "Choose a target in the Targets view to see its processes.", "<a href=\"targets\">Targets</a>");
        } else if (status.get().state().isUp() && listed) {
            setPartName(SafeText.line("Processes of " + name()));
            layout.topControl = listArea;
            stack.layout();
        } else {
            saySince(status.get());
        }
    }

    private void saySince(TargetStatus status) {
        setPartName("Processes");
        if (!status.state().isUp()) {
            listed = false;
            model.clear();
        }
        switch (status.state()) {
            case IDLE -> say(name(), "It is not connected.", "<a href=\"connect\">Connect</a>");
            case CONNECTING -> say("Connecting to " + name() + "…", "This takes a second or two, the first time some more.",
                    "<a href=\"cancel\">Cancel</a>");
            case CONNECTED -> say(name(), "Listing its processes…", "");
            case RECONNECTING -> say(name(), sentence(status, "The link is lost, and is being taken up again."),
                    "<a href=\"cancel\">Disconnect</a>");
            case LOST, FAILED -> say(status.state() == TargetStatus.State.LOST ? "The link to " + name() + " is lost"
                    : name() + " is not connected", sentence(status, ""), "<a href=\"connect\">Try again</a>");
        }
    }

    private static String sentence(TargetStatus status, String otherwise) {
        return status.sentence().isEmpty() ? otherwise : Sentence.of(status.sentence());
    }

    private String name() {
        return target.map(t -> t.origin() == TargetConnection.Origin.LOCAL ? "This machine" : t.name()).orElse("");
    }

    private void say(String title, String text, String links) {
        message.show(title.replace("&", "&&"), text.replace("&", "&&"), links);
        layout.topControl = message;
        stack.layout();
    }

    private void linkChosen(String link) {
        switch (link) {
            case "connect" -> target.ifPresent(service::connect);
            case "cancel" -> target.ifPresent(service::disconnect);
            default -> {
                try {
                    getSite().getPage().showView(KviewUi.VIEW_TARGETS);
                } catch (PartInitException e) {
                    org.eclipse.core.runtime.ILog.of(getClass()).log(e.getStatus());
                }
            }
        }
    }

    void sortBy(ProcessColumn column) {
        model.sortBy(column);
        showRows();
    }

    void showRows() {
        List<ProcessRow> rows = model.rows();
        boolean all = tree.show(rows);
        model.sorting().show(tree.control());
        count.setToolTipText("");
        count.setText(SafeText.lines(!all ? "the first " + LatencyFormat.count(ProcessTree.LINES_AT_MOST) + "; filter to see others"
                : model.shown() == model.total() ? LatencyFormat.count(model.total()) + " processes"
                        : LatencyFormat.count(model.shown()) + " of " + LatencyFormat.count(model.total())));
    }

    /** Opens the wizard on the chosen process. */
    void record() {
        tree.selection().ifPresent(process -> target.ifPresent(
                t -> Recordings.openWizard(getSite().getShell(), RecordWizard.Preset.of(t, process.pid()))));
    }

    Optional<TargetConnection> target() {
        return target;
    }

    Optional<ProcessInfo> selection() {
        return tree.selection();
    }

    ProcessTree tree() {
        return tree;
    }

    Text filterField() {
        return filter;
    }

    ProcessPoll poll() {
        return poll;
    }

    String countText() {
        return count.getText();
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
        if (service != null) {
            service.registry().unlisten(changed);
        }
        getSite().getPage().removeSelectionListener(KviewUi.VIEW_TARGETS, follower);
        super.dispose();
    }
}
