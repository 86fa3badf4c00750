// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.bindings.keys.KeyStroke;
import org.eclipse.jface.fieldassist.ContentProposalAdapter;
import org.eclipse.jface.fieldassist.TextContentAdapter;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.Distribution;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallList;
import org.kview.session.calls.FilterException;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredSession;
import org.kview.ui.KviewUi;
import org.kview.ui.calls.CallsListener;
import org.kview.ui.calls.CallsService;
import org.kview.ui.calls.CallsState;
import org.kview.ui.selection.SelectionListener;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.SearchField;

/** The single calls that are selected, one line each. The line that one goes to is the call whose time all views show. */
public final class CallsView extends ViewPart implements CallsListener, SelectionListener, SessionListener {
    public static final String ID = KviewUi.VIEW_CALLS;

    private CallsService calls;
    private SelectionService selection;
    private SessionService session;
    private Composite bar;
    private Text filter;
    private Label status;
    private Composite stack;
    private StackLayout pages;
    private CallsPage message;
    private CallsTable table;
    private ListJob job;
    private CallFilter wanted = CallFilter.ALL;
    /** What was asked for last, and what is in sight. */
    private Optional<ListJob.Wish> wished = Optional.empty();
    private Optional<ListJob.Wish> shown = Optional.empty();

    @Override
    public void createPartControl(Composite parent) {
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        calls = CallsService.get();
        selection = SelectionService.get();
        session = SessionService.get();
        createBar(parent);
        stack = new Composite(parent, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(stack);
        pages = new StackLayout();
        stack.setLayout(pages);
        message = new CallsPage(stack, getSite(), "its calls, one by one");
        table = new CallsTable(stack, this::list, call -> selection.focus(Optional.of(call.time())));
        Display display = parent.getDisplay();
        job = new ListJob((wish, list) -> {
            if (!display.isDisposed()) {
                display.asyncExec(() -> show(wish, list));
            }
        });
        new CallsActions(this, table, selection).install();
        calls.add(this);
        selection.add(this);
        session.add(this);
        callsChanged(calls.state());
    }

    private void createBar(Composite parent) {
        bar = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 4).spacing(8, 0).applyTo(bar);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(bar);
        filter = SearchField.create(bar, "Filter, such as wall > 10ms && cause == lock", this::filter, () -> table.control().setFocus());
        filter.setToolTipText("Shows only calls of which this is true, as kview calls --where does. Ctrl+Space proposes columns, and"
                + " the names of functions and threads.");
        GridDataFactory.swtDefaults().hint(330, SWT.DEFAULT).applyTo(filter);
        ContentProposalAdapter proposals = new ContentProposalAdapter(filter, new TextContentAdapter(),
                new FilterProposals(this::functions, this::threads), KeyStroke.getInstance(SWT.CTRL, ' '),
                "abcdefghijklmnopqrstuvwxyz_\"".toCharArray());
        proposals.setProposalAcceptanceStyle(ContentProposalAdapter.PROPOSAL_REPLACE);
        proposals.setPropagateKeys(true);
        status = new Label(bar, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(status);
    }

    private List<String> functions() {
        return session.wholeFigures().map(figures -> figures.functions().stream().map(f -> f.function().name()).sorted().toList())
                .orElse(List.of());
    }

    private List<String> threads() {
        return calls.state().store().flatMap(store -> store.ask(StoredSession::threads)).orElse(List.of());
    }

    private void filter() {
        try {
            wanted = filter.getText().isBlank() ? CallFilter.ALL : CallFilter.parse(filter.getText());
        } catch (FilterException e) {
            // What is in sight stays.
            say(e.getMessage() + " (at " + e.column() + ")", true);
            return;
        }
        list();
    }

    private void say(String text, boolean warning) {
        status.setText(SafeText.line(text).replace("&", "&&"));
        status.setToolTipText(SafeText.line(text));
        Palette palette = Palette.of(bar);
        status.setForeground(warning ? palette.warning() : palette.text());
    }

    @Override
    public void callsChanged(CallsState state) {
        if (stack.isDisposed()) {
            return;
        }
        if (state instanceof CallsState.Stored) {
            show(table.control(), true);
            filter();
            return;
        }
        job.forget();
        wished = Optional.empty();
        shown = Optional.empty();
        table.clear();
        message.show(state);
        show(message, false);
    }

    private void show(Control page, boolean withBar) {
        ((GridData) bar.getLayoutData()).exclude = !withBar;
        bar.setVisible(withBar);
        if (pages.topControl != page) {
            pages.topControl = page;
            stack.getParent().layout(true, true);
        }
    }

    @Override
    public void selectionChanged(SelectionService changed) {
        list();
    }

    @Override
    public void sessionChanged(SessionState state) {
        list();
    }

    private void list() {
        if (stack.isDisposed() || !(calls.state() instanceof CallsState.Stored(var store))) {
            return;
        }
        ListJob.Wish wish = new ListJob.Wish(store, selection.selection().selector(session.host()), wanted, table.order());
        if (!wished.equals(Optional.of(wish))) {
            wished = Optional.of(wish);
            say("Listing…", false);
            job.list(wish);
        }
    }

    /** What came too late is of no interest. */
    private void show(ListJob.Wish wish, CallList list) {
        if (stack.isDisposed() || !wished.equals(Optional.of(wish))) {
            return;
        }
        table.show(wish.calls(), list);
        shown = wished;
        int all = wish.calls().ask(StoredSession::calls).orElse(0);
        Distribution wall = list.wall();
        say((list.size() == all ? LatencyFormat.count(all) : LatencyFormat.count(list.size()) + " of " + LatencyFormat.count(all))
                + (all == 1 ? " call" : " calls") + (wall.isEmpty() ? "" : " · p50 " + LatencyFormat.nanos(wall.percentileNanos(50))
                        + " · p99 " + LatencyFormat.nanos(wall.percentileNanos(99))), false);
    }

    /** Of the calls in the list as it is, the selected ones or the first, for the clipboard. */
    Optional<String> csv(int[] numbers) {
        return shown.flatMap(wish -> wish.calls().ask(its -> its.csv(numbers)));
    }

    /** Shows only calls of which this is true. */
    public void filter(String expression) {
        filter.setText(expression);
    }

    /** What is in the filter's field. */
    public String filterText() {
        return filter.getText();
    }

    void startFilter() {
        filter.setFocus();
        filter.selectAll();
    }

    Text filterField() {
        return filter;
    }

    CallsTable table() {
        return table;
    }

    String statusText() {
        return status.getText();
    }

    CallsPage message() {
        return message;
    }

    /** Whether what was asked for last is in sight. */
    boolean isListed() {
        return shown.isPresent() && shown.equals(wished);
    }

    Optional<StoredCall> selected() {
        return table.selected();
    }

    @Override
    public void setFocus() {
        pages.topControl.setFocus();
    }

    @Override
    public void dispose() {
        if (calls != null) {
            calls.remove(this);
            selection.remove(this);
            session.remove(this);
            job.forget();
        }
        super.dispose();
    }
}
