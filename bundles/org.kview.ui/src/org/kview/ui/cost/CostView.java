// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.SafeText;
import org.kview.session.report.OthersText;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.MessagePage;

/** What the recording that is open cost the process that was recorded, and what it cost others. */
public final class CostView extends ViewPart {
    public static final String ID = KviewUi.VIEW_COST;

    private final StackLayout pages = new StackLayout();
    private final SessionListener listener = this::show;
    private SessionService service;
    private Composite area;
    private MessagePage message;
    private Composite page;
    private Text sentences;
    private Table table;
    private Optional<CostText> shown = Optional.empty();

    @Override
    public void createPartControl(Composite parent) {
        area = new Composite(parent, SWT.NONE);
        area.setLayout(pages);
        message = new MessagePage(area, command -> Commands.run(getSite(), command));
        page = new Composite(area, SWT.NONE);
        GridLayoutFactory.fillDefaults().margins(6, 6).spacing(0, 6).applyTo(page);
        table = new Table(page, SWT.FULL_SELECTION | SWT.H_SCROLL | SWT.V_SCROLL);
        Heading.show(table, List.of(Heading.text(OthersText.HEADINGS.get(0), 320), Heading.number(OthersText.HEADINGS.get(1), 76),
                Heading.number(OthersText.HEADINGS.get(2), 76), Heading.number(OthersText.HEADINGS.get(3), 76),
                Heading.text(OthersText.HEADINGS.get(4), 330)));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(table);
        sentences = new Text(page, SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
        GridDataFactory.fillDefaults().grab(true, true).hint(200, 60).applyTo(sentences);
        createActions();
        service = SessionService.get();
        service.add(listener);
        show(service.state());
    }

    private void createActions() {
        IActionBars bars = getViewSite().getActionBars();
        IAction copy = Actions.of("&Copy as CSV", () -> Actions.copy(area.getDisplay(), csv()));
        IAction picture = Actions.of("Copy &Picture", () -> Actions.copyPicture(page));
        MenuManager context = new MenuManager();
        List.of(copy, picture).forEach(context::add);
        table.setMenu(context.createContextMenu(table));
        List.of(copy, picture).forEach(bars.getMenuManager()::add);
        Actions.global(bars, ActionFactory.COPY, Actions.of("&Copy", () -> {
            if (sentences.isFocusControl()) {
                sentences.copy();
            } else {
                copy.run();
            }
        }));
        bars.updateActionBars();
    }

    private void show(SessionState state) {
        if (area.isDisposed()) {
            return;
        }
        Optional<CostText> next = state.snapshot().map(CostText::of);
        if (next.isEmpty()) {
            message.show("No session is open", "Open a session, or record one, to see what it cost.",
                    "<a href=\"" + KviewUi.COMMAND_RECORD + "\">Record…</a>");
        }
        // While a recording runs the same comes several times a second: what is selected in it stays.
        if (!next.equals(shown)) {
            next.ifPresent(this::fill);
            shown = next;
        }
        Control top = next.isPresent() ? page : message;
        if (pages.topControl != top) {
            pages.topControl = top;
            area.layout();
        }
    }

    private void fill(CostText cost) {
        String text = String.join("\n\n", cost.sentences());
        if (!sentences.getText().equals(SafeText.lines(text))) {
            sentences.setText(SafeText.lines(text));
        }
        table.removeAll();
        for (List<String> line : cost.lines()) {
            new TableItem(table, SWT.NONE).setText(SafeText.cells(line.toArray(String[]::new)));
        }
        ((GridData) table.getLayoutData()).exclude = cost.lines().isEmpty();
        table.setVisible(!cost.lines().isEmpty());
        page.layout(true);
    }

    String csv() {
        return shown.map(CostText::csv).orElse("");
    }

    String text() {
        return pages.topControl == page ? sentences.getText() : message.text();
    }

    Table table() {
        return table;
    }

    @Override
    public void setFocus() {
        if (!sentences.setFocus()) {
            area.setFocus();
        }
    }

    @Override
    public void dispose() {
        if (service != null) {
            service.remove(listener);
        }
        super.dispose();
    }
}
