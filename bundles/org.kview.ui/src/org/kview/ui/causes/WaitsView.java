// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.FunctionLatency;
import org.kview.model.SafeText;
import org.kview.model.Waits;
import org.kview.session.report.CsvLine;
import org.kview.ui.KviewUi;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.MessagePage;
import org.kview.ui.widgets.Sorting;
import org.kview.ui.widgets.TableRows;

/** For what the calls of the selected function waited, and who woke them. */
public final class WaitsView extends ViewPart {
    public static final String ID = KviewUi.VIEW_WAITS;

    private static final String NO_WAITS = "Either none of its calls waited, or the recording was made without that: tick Waits in its"
            + " options, or use kview record --waits. They are told of functions that are measured by traps.";

    private Swatches swatches;
    private final StackLayout pages = new StackLayout();
    private Sorting<WaitRow, WaitColumn> sorting = new Sorting<>(WaitColumn.TIME, true);
    private SelectedFunction selected;
    private Composite area;
    private MessagePage message;
    private Composite list;
    private Label title;
    private Table table;
    private TableRows<WaitRow> lines;

    @Override
    public void createPartControl(Composite parent) {
        area = new Composite(parent, SWT.NONE);
        area.setLayout(pages);
        message = new MessagePage(area, link -> { });
        list = new Composite(area, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(list);
        title = new Label(list, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).grab(true, false).applyTo(title);
        table = new Table(list, SWT.MULTI | SWT.FULL_SELECTION | SWT.VIRTUAL | SWT.V_SCROLL | SWT.H_SCROLL);
        GridDataFactory.fillDefaults().indent(0, 6).grab(true, true).applyTo(table);
        Column.create(table, List.of(WaitColumn.values()), head -> {
            sorting = sorting.clicked(head);
            refresh();
        });
        swatches = new Swatches(table);
        lines = new TableRows<>(table, this::fill);
        IAction copy = Actions.of("&Copy as CSV", () -> Actions.copy(table.getDisplay(), csv()));
        Actions.global(getViewSite().getActionBars(), ActionFactory.COPY, copy);
        getViewSite().getActionBars().getMenuManager().add(copy);
        selected = new SelectedFunction(getSite().getPage(), this::refresh);
        selected.follow(this);
    }

    private void fill(TableItem item, WaitRow row) {
        item.setImage(swatches.of(row.waited().cause()));
        item.setText(SafeText.cells(Column.texts(WaitColumn.values(), row)));
    }

    private void refresh() {
        if (area.isDisposed()) {
            return;
        }
        Optional<FunctionLatency> function = selected.figures();
        List<WaitRow> rows = rows(function);
        if (function.isEmpty()) {
            message.show("No function is shown", selected.isSessionOpen() ? "Select one in Functions." : "Open a session, or record one.", "");
        } else if (rows.isEmpty()) {
            message.show("No waits of " + function.get().function().name() + " are told", NO_WAITS, "");
        }
        sorting.show(table);
        lines.show(rows);
        title.setText(SafeText.lines(function.map(f -> "Waits of " + f.function().name()).orElse("")
                .replace("&", "&&")));
        Control shown = rows.isEmpty() ? message : list;
        if (pages.topControl != shown) {
            pages.topControl = shown;
            area.layout();
        }
    }

    private List<WaitRow> rows(Optional<FunctionLatency> function) {
        return WaitRow.of(function.map(f -> f.knownFates().waits()).orElse(Waits.NONE)).stream().sorted(sorting.order()).toList();
    }

    /** All waits of the function that is shown, in whole ns, as they are sorted; what is not known is empty. */
    String csv() {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("function", "cause", "lock_address", "lock", "waker", "tid", "pid", "name",
                "count", "total_ns")));
        Optional<FunctionLatency> function = selected.figures();
        rows(function).stream().map(WaitRow::waited).forEach(wait -> csv.append(CsvLine.of(List.of(function.get().function().name(),
                wait.cause().id(), wait.lockAddress() == 0 ? "" : "0x" + Long.toHexString(wait.lockAddress()), wait.lockName(),
                wait.waker().kind().id(), number(wait.waker().tid()), number(wait.waker().pid()), wait.waker().name(),
                Long.toString(wait.count()), Long.toString(wait.nanos())))));
        return csv.toString();
    }

    private static String number(int id) {
        return id == 0 ? "" : Integer.toString(id);
    }

    Table table() {
        return table;
    }

    /** What is shown where there is no list; empty where there is one. */
    Optional<String> message() {
        return pages.topControl == message ? Optional.of(message.text()) : Optional.empty();
    }

    @Override
    public void setFocus() {
        if (!table.setFocus()) {
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
