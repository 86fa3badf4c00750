// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.ui.IActionBars;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.FunctionLatency;
import org.kview.model.SafeText;
import org.kview.model.Waits;
import org.kview.ui.KviewUi;
import org.kview.ui.commands.Commands;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.MessagePage;

/** For what the calls of the selected function waited, and who woke them. */
public final class WaitsView extends ViewPart {
    public static final String ID = KviewUi.VIEW_WAITS;

    private final StackLayout pages = new StackLayout();
    private SelectedFunction selected;
    private Composite area;
    private MessagePage message;
    private Composite list;
    private Label title;
    private WaitsTable table;

    @Override
    public void createPartControl(Composite parent) {
        area = new Composite(parent, SWT.NONE);
        area.setLayout(pages);
        message = new MessagePage(area, command -> Commands.run(getSite(), command));
        list = new Composite(area, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(list);
        title = new Label(list, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).grab(true, false).applyTo(title);
        table = new WaitsTable(list);
        GridDataFactory.fillDefaults().indent(0, 6).grab(true, true).applyTo(table.control());
        createActions();
        selected = new SelectedFunction(getSite().getPage(), this::refresh);
        selected.follow(this);
    }

    private void createActions() {
        IActionBars bars = getViewSite().getActionBars();
        IAction copy = Actions.of("&Copy as CSV", () -> Actions.copy(area.getDisplay(), table.csv()));
        IAction selectAll = Actions.of("Select &All", () -> table.control().selectAll());
        IAction picture = Actions.of("Copy &Picture", () -> Actions.copyPicture(shown()));
        Actions.global(bars, ActionFactory.COPY, copy);
        Actions.global(bars, ActionFactory.SELECT_ALL, selectAll);
        MenuManager context = new MenuManager();
        List.of(copy, picture, selectAll).forEach(context::add);
        table.control().setMenu(context.createContextMenu(table.control()));
        List.of(copy, picture).forEach(bars.getMenuManager()::add);
        bars.updateActionBars();
    }

    private void refresh() {
        if (area.isDisposed()) {
            return;
        }
        Optional<FunctionLatency> function = selected.figures();
        String name = function.map(f -> f.function().name()).orElse("");
        table.show(name, function.map(f -> f.knownFates().waits()).orElse(Waits.NONE));
        title.setText(SafeText.lines(("Waits of " + name).replace("&", "&&")));
        if (table.isEmpty()) {
            NoWaits why = function.map(f -> NoWaits.of(f, selected.all())).orElseGet(() -> NoWaits.ofNoFunction(selected.isSessionOpen()));
            message.show(why.heading().replace("&", "&&"), why.sentence(), why.links());
        }
        Control shown = shown();
        if (pages.topControl != shown) {
            pages.topControl = shown;
            area.layout();
        }
    }

    private Control shown() {
        return table.isEmpty() ? message : list;
    }

    /** The selected lines, or all. */
    String csv() {
        return table.csv();
    }

    Table table() {
        return table.control();
    }

    /** What is shown where there is no list; empty where there is one. */
    Optional<String> message() {
        return pages.topControl == message ? Optional.of(message.text()) : Optional.empty();
    }

    @Override
    public void setFocus() {
        if (!table.control().setFocus()) {
            area.setFocus();
        }
    }

    @Override
    public void dispose() {
        if (selected != null) {
            selected.dispose();
        }
        super.dispose();
    }
}
