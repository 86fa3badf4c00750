// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.dialogs.MessageDialog;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.ScrolledComposite;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.graphics.Point;
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
import org.kview.targets.registry.TargetConnection;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.session.SessionListener;
import org.kview.ui.session.SessionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.targets.TargetService;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.MessagePage;

/** What the recording that is open cost the process that was recorded, and what it cost others; and what the ways to record cost. */
public final class CostView extends ViewPart {
    public static final String ID = KviewUi.VIEW_COST;
    private static final String COMPARE = "ways";
    /** With less, bars tell nothing: then one scrolls. */
    private static final int LEAST_WIDTH = 560;

    private final StackLayout pages = new StackLayout();
    private final SessionListener listener = this::show;
    private SessionService service;
    private Composite area;
    private MessagePage message;
    private ScrolledComposite scroll;
    private Composite page;
    private Text sentences;
    private Table table;
    private WaysSection ways;
    private Optional<CostText> shown = Optional.empty();

    @Override
    public void createPartControl(Composite parent) {
        area = new Composite(parent, SWT.NONE);
        area.setLayout(pages);
        message = new MessagePage(area, this::linkChosen);
        scroll = new ScrolledComposite(area, SWT.H_SCROLL | SWT.V_SCROLL);
        scroll.setExpandHorizontal(true);
        scroll.setExpandVertical(true);
        page = new Composite(scroll, SWT.NONE);
        scroll.setContent(page);
        GridLayoutFactory.fillDefaults().margins(6, 6).spacing(0, 6).applyTo(page);
        table = new Table(page, SWT.FULL_SELECTION | SWT.H_SCROLL | SWT.V_SCROLL);
        Heading.show(table, List.of(Heading.text(OthersText.HEADINGS.get(0), 320), Heading.number(OthersText.HEADINGS.get(1), 76),
                Heading.number(OthersText.HEADINGS.get(2), 76), Heading.number(OthersText.HEADINGS.get(3), 76),
                Heading.text(OthersText.HEADINGS.get(4), 330)));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(table);
        sentences = new Text(page, SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
        GridDataFactory.fillDefaults().grab(true, true).hint(200, 60).applyTo(sentences);
        ways = new WaysSection(page, this::layOut);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(ways.control());
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
        IAction compare = Actions.of("Compare &Ways…", "cost", this::askToCompare);
        bars.getToolBarManager().add(compare);
        List.of(compare, copy, picture).forEach(bars.getMenuManager()::add);
        ways.actions().forEach(bars.getMenuManager()::add);
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
        // While a recording runs the same comes several times a second: what is selected in it stays.
        if (!next.equals(shown)) {
            next.ifPresent(this::fill);
            shown = next;
            layOut();
        }
        if (pages.topControl == null) {
            layOut();
        }
    }

    /** What a session cost is above what ways cost; each is there if there is anything of it. */
    private void layOut() {
        if (ways == null) {
            return; // It is being made.
        }
        boolean isMeasured = shown.filter(cost -> !cost.lines().isEmpty()).isPresent();
        show(table, isMeasured);
        show(sentences, shown.isPresent());
        show(ways.control(), ways.isFilled());
        if (shown.isEmpty() && !ways.isFilled()) {
            message.show("No session is open", "Open a session, or record one, to see what it cost. What the ways to record cost on a host can be"
                    + " compared without one.", "<a href=\"" + KviewUi.COMMAND_RECORD + "\">Record…</a>   <a href=\"" + COMPARE
                    + "\">Compare Ways…</a>");
            pages.topControl = message;
        } else {
            pages.topControl = scroll;
        }
        Point wanted = page.computeSize(SWT.DEFAULT, SWT.DEFAULT);
        scroll.setMinSize(ways.isFilled() ? LEAST_WIDTH : 0, ways.isFilled() ? wanted.y : 0);
        page.layout(true, true);
        area.layout();
    }

    private static void show(Control part, boolean visible) {
        ((GridData) part.getLayoutData()).exclude = !visible;
        part.setVisible(visible);
    }

    private void linkChosen(String link) {
        if (link.equals(COMPARE)) {
            askToCompare();
        } else {
            Commands.run(getSite(), link);
        }
    }

    private void askToCompare() {
        TargetService targets = TargetService.get();
        List<TargetConnection> connections = targets.registry().connections();
        if (connections.isEmpty()) {
            MessageDialog.openInformation(getSite().getShell(), "Compare Ways", SafeText.lines(targets.problem()));
            return;
        }
        String recorded = service.state().snapshot().map(figures -> figures.info().target()).orElse("");
        WaysDialog dialog = new WaysDialog(getSite().getShell(), connections,
                targets.registry().find(recorded).or(targets::local).orElse(connections.getFirst()));
        dialog.open();
        dialog.question().ifPresent(ways::compare);
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
    }

    String csv() {
        return shown.map(CostText::csv).orElse("");
    }

    String text() {
        return pages.topControl == message ? message.text() : shown.isPresent() ? sentences.getText() : "";
    }

    Table table() {
        return table;
    }

    WaysSection ways() {
        return ways;
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
        if (ways != null) {
            ways.cancel();
        }
        super.dispose();
    }
}
