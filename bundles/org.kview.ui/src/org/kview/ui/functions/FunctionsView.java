// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IMemento;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.Bookmark;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbedFunction;
import org.kview.model.SafeText;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.record.DraggedProcess;
import org.kview.ui.selection.PublishedSelection;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionMessages;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.session.memory.RemembersSession;
import org.kview.ui.text.Counts;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Banner;
import org.kview.ui.widgets.MessagePage;
import org.kview.ui.widgets.SearchField;

/**
 * The probed functions with their figures, and those of the values by which they are split. Its selection, {@link ProbedFunction}s, is what
 * the other views of the perspective show.
 */
public final class FunctionsView extends ViewPart implements SessionListener, RemembersSession {
    public static final String ID = KviewUi.VIEW_FUNCTIONS;

    private final PublishedSelection<ProbedFunction> selection = new PublishedSelection<>();
    private SessionService service;
    private FunctionSelection followed;
    private Banner banner;
    private Composite filterBar;
    private HostChoice host;
    private Text filter;
    private Label count;
    private Composite stack;
    private StackLayout pages;
    private FunctionTable table;
    private MessagePage message;

    @Override
    public void createPartControl(Composite parent) {
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        service = SessionService.get();
        banner = new Banner(parent);
        createFilterBar(parent);
        stack = new Composite(parent, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(stack);
        pages = new StackLayout();
        stack.setLayout(pages);
        table = new FunctionTable(stack);
        table.control().addListener(SWT.Selection, event -> publishSelection());
        message = new MessagePage(stack, command -> Commands.run(getSite(), command));
        List.of(table.control(), message).forEach(DraggedProcess::acceptedBy);
        new FunctionsActions(this, table).install();
        followed = new FunctionSelection(service, this::select);
        getSite().setSelectionProvider(selection);
        service.add(this);
        sessionChanged(service.state());
    }

    private void createFilterBar(Composite parent) {
        filterBar = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(3).margins(6, 4).spacing(8, 0).applyTo(filterBar);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(filterBar);
        host = new HostChoice(filterBar, service);
        filter = SearchField.create(filterBar, "Filter by name (* and ? as wildcards)", () -> {
            table.setFilter(filter.getText());
            showCount();
            publishSelection();
        }, () -> table.control().setFocus());
        filter.setToolTipText("Shows only functions whose name holds this text, or matches it where it has * or ?");
        GridDataFactory.swtDefaults().hint(300, SWT.DEFAULT).applyTo(filter);
        count = new Label(filterBar, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(count);
    }

    @Override
    public void sessionChanged(SessionState state) {
        if (stack.isDisposed()) {
            return;
        }
        host.update();
        banner.show(SessionMessages.of(state));
        switch (state) {
            case SessionState.None() -> showMessage("No session is open",
                    "Measure functions of a process that runs here, or on a host that you reach by SSH. The sample is a small shop that was"
                            + " recorded for four seconds: to look around in.",
                    String.join("      ", link(KviewUi.COMMAND_RECORD, "Record this machine…"), link(KviewUi.COMMAND_CONNECT, "Connect to a host…"),
                            link(KviewUi.COMMAND_OPEN_SAMPLE, "Open the sample"), link(KviewUi.COMMAND_OPEN, "Open a session…")));
            case SessionState.Busy(String what) -> showMessage(what, "", "");
            case SessionState.Failed(String what) -> showMessage("Nothing to show", what,
                    link(KviewUi.COMMAND_OPEN, "Open another session…") + "      " + link(KviewUi.COMMAND_RECORD, "Record…"));
            case SessionState.Recording(var _, LatencySnapshot figures, var _, var _) -> showTable(figures, true);
            case SessionState.Opened(var _, LatencySnapshot figures) -> showTable(figures, false);
        }
    }

    private static String link(String command, String text) {
        return "<a href=\"" + command + "\">" + text + "</a>";
    }

    private void showTable(LatencySnapshot figures, boolean live) {
        table.setFigures(figures.functions(), live);
        if (figures.functions().isEmpty()) {
            showMessage("No functions", "This session holds no functions.", "");
        } else {
            show(table.control(), true);
        }
        showCount();
        publishSelection();
    }

    private void showMessage(String title, String text, String links) {
        table.setFigures(List.of(), false);
        message.show(title, text, links);
        show(message, false);
        publishSelection();
    }

    private void show(org.eclipse.swt.widgets.Control page, boolean withFilter) {
        ((org.eclipse.swt.layout.GridData) filterBar.getLayoutData()).exclude = !withFilter;
        filterBar.setVisible(withFilter);
        if (pages.topControl != page) {
            pages.topControl = page;
            stack.getParent().layout(true, true);
        }
    }

    private void showCount() {
        int shown = table.rows().functionsShown();
        int total = table.rows().total();
        count.setText(SafeText.lines(shown == total ? Counts.format(total, "function", "functions")
                : LatencyFormat.count(shown) + " of " + LatencyFormat.count(total)));
    }

    private void publishSelection() {
        List<ProbedFunction> selected = table.selection().stream().map(FunctionRow::latency).map(FunctionLatency::function).toList();
        selection.set(selected);
        followed.selected(selected);
    }

    /** As another view wishes, which knows functions and no values; what a filter hides can't be selected. */
    private void select(Predicate<ProbedFunction> wanted) {
        List<FunctionRow> rows = table.rows().shown();
        Set<ProbedFunction> functions = rows.stream().map(FunctionRow::whole).filter(wanted).collect(Collectors.toSet());
        if (table.selection().stream().map(FunctionRow::whole).collect(Collectors.toSet()).equals(functions)) {
            return;
        }
        table.select(row -> wanted.test(row.latency().function()));
        selection.set(table.selection().stream().map(FunctionRow::latency).map(FunctionLatency::function).toList());
    }

    @Override
    public void saveSession(IMemento memento) {
        FunctionMemory.save(table, filter.getText(), memento);
    }

    @Override
    public void restoreSession(IMemento memento) {
        filter.setText(FunctionMemory.filter(memento));
        FunctionMemory.restore(table, memento);
        publishSelection();
    }

    /** Selects a function, if the session has it, and takes away a filter that would hide it. */
    public void select(Bookmark.Function function) {
        filter.setText("");
        table.select(row -> function.is(row.latency().function()));
        table.control().showSelection();
        publishSelection();
    }

    /** Puts the shown figures on the clipboard: the selected lines, or all where none is selected. */
    void copy() {
        Actions.copy(stack.getDisplay(), table.tsv());
    }

    void selectAll() {
        table.control().selectAll();
        publishSelection();
    }

    void startFilter() {
        filter.setFocus();
        filter.selectAll();
    }

    FunctionTable table() {
        return table;
    }

    HostChoice host() {
        return host;
    }

    Text filterField() {
        return filter;
    }

    String countText() {
        return count.getText();
    }

    String messageText() {
        return pages.topControl == message ? message.text() : "";
    }

    Banner banner() {
        return banner;
    }

    @Override
    public void setFocus() {
        if (pages.topControl != null) {
            pages.topControl.setFocus();
        }
    }

    @Override
    public void dispose() {
        if (service != null) {
            service.remove(this);
            followed.dispose();
        }
        super.dispose();
    }
}
