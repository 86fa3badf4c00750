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
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.kview.model.Distribution;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.model.SyntaxException;
import org.kview.session.calls.CallFilter;
import org.kview.session.calls.CallList;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredSession;
import org.kview.ui.KviewUi;
import org.kview.ui.calls.view.CallsPart;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.SearchField;

/** The single calls that are selected, one line each. The line that one goes to is the call whose time all views show. */
public final class CallsView extends CallsPart<ListJob.Wish> {
    public static final String ID = KviewUi.VIEW_CALLS;

    private Composite bar;
    private Text filter;
    private Label status;
    private CallsTable table;
    private ListJob job;
    private CallFilter wanted = CallFilter.ALL;
    /** What it was made of. */
    private String understood = "";
    /** What can't be understood of the field; and which calls are in the list. */
    private Optional<String> mistake = Optional.empty();
    private String listed = "";

    @Override
    protected String subject() {
        return "its calls, one by one";
    }

    @Override
    protected void createHead(Composite parent) {
        createBar(parent);
    }

    @Override
    protected Control createPage(Composite parent) {
        table = new CallsTable(parent, this::refresh, call -> selection().focus(Optional.of(call.time())));
        job = new ListJob(onUiThread(this::show), unanswered());
        new CallsActions(this, table, selection()).install();
        return table.control();
    }

    @Override
    protected ListJob job() {
        return job;
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
        return session().wholeFigures().map(figures -> figures.functions().stream().map(f -> f.function().name()).sorted().toList())
                .orElse(List.of());
    }

    private List<String> threads() {
        return store().flatMap(store -> store.ask(StoredSession::threads)).orElse(List.of());
    }

    private void filter() {
        try {
            if (!filter.getText().equals(understood)) {
                wanted = filter.getText().isBlank() ? CallFilter.ALL : CallFilter.parse(filter.getText());
                understood = filter.getText();
            }
            mistake = Optional.empty();
        } catch (SyntaxException e) {
            // What is in sight stays.
            mistake = Optional.of(e.getMessage() + " (at " + e.column() + ")");
        }
        tell();
        refresh();
    }

    private void say(String text) {
        listed = text;
        tell();
    }

    /** A mistake stands there for as long as it is in the field, whatever is listed meanwhile. */
    private void tell() {
        String text = mistake.orElse(listed);
        status.setText(SafeText.line(text).replace("&", "&&"));
        status.setToolTipText(SafeText.line(text));
        Palette palette = Palette.of(bar);
        status.setForeground(mistake.isPresent() ? palette.warning() : palette.text());
    }

    @Override
    protected void opened(SessionCallStore store) {
        showBar(true);
        filter();
    }

    @Override
    protected void clear() {
        table.clear();
        showBar(false);
    }

    private void showBar(boolean shown) {
        ((GridData) bar.getLayoutData()).exclude = !shown;
        bar.setVisible(shown);
        bar.getParent().layout(true, true);
    }

    @Override
    protected void refresh(SessionCallStore store) {
        ListJob.Wish wish = new ListJob.Wish(store, selection().selection().selector(session().host()), wanted, table.order());
        if (want(wish) && !table.hasGrown(wish)) {
            say("Listing…");
        }
    }

    @Override
    protected void lost() {
        say("");
    }

    private void show(ListJob.Answer answer) {
        ListJob.Wish wish = answer.wish();
        CallList list = answer.list();
        if (!answer.all()) {
            if (wished().equals(Optional.of(wish)) && !table.hasGrown(wish)) {
                table.show(wish, list);
                say("The " + list.size() + " slowest. Listing the others…");
            }
            return;
        }
        if (!take(wish)) {
            return;
        }
        table.show(wish, list);
        int all = wish.calls().ask(StoredSession::calls).orElse(0);
        Distribution wall = list.wall();
        say((list.size() == all ? LatencyFormat.count(all) : LatencyFormat.count(list.size()) + " of " + LatencyFormat.count(all))
                + (all == 1 ? " call" : " calls") + (wall.isEmpty() ? "" : " · p50 " + LatencyFormat.nanos(wall.percentileNanos(50))
                        + " · p99 " + LatencyFormat.nanos(wall.percentileNanos(99))));
    }

    /** What is listed are not all of them, and none of it is selected. */
    void notCopied() {
        say("Nothing was copied, as the calls are still being listed: select some, or copy once all are listed.");
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

    Optional<StoredCall> selected() {
        return table.selected();
    }
}
