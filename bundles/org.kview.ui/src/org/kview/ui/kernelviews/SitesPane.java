// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.Action;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.kview.model.SafeText;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.SearchField;
import org.kview.ui.widgets.TableRows;

/** The sites of the sets that are chosen above, tens of thousands of them if need be. */
final class SitesPane {
    private static final String NOTHING_CHOSEN = "Choose a set above, or a view, to see what each of its sites counts.";

    private final SitesModel model = new SitesModel();
    private final Composite area;
    private final Label summary;
    private final Text search;
    private final Table table;
    private final TableRows<SiteRow> lines;
    /** As the lines are, so that the chosen one can be found again. */
    private List<SiteRow> rows = List.of();
    private Optional<SiteRow> chosen = Optional.empty();

    SitesPane(Composite parent) {
        area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).spacing(0, 0).applyTo(area);
        summary = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).align(SWT.FILL, SWT.CENTER).grab(true, false).applyTo(summary);
        search = SearchField.create(area, "Site", this::narrow, this::toTable);
        GridDataFactory.fillDefaults().hint(180, SWT.DEFAULT).applyTo(search);
        table = new Table(area, SWT.VIRTUAL | SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        GridDataFactory.fillDefaults().span(2, 1).indent(0, 6).grab(true, true).applyTo(table);
        lines = new TableRows<>(table, SitesPane::fill).searchedBy(SiteRow::name);
        Column.create(table, List.of(SiteColumn.values()), this::sortBy);
        table.addListener(SWT.Selection, _ -> choose());
        createMenu();
        show("");
    }

    private void createMenu() {
        Action copy = Actions.of("&Copy", () -> chosen.ifPresent(row -> Actions.copy(table.getDisplay(),
                String.join("\t", SafeText.cells(Column.texts(SiteColumn.values(), row))))));
        Action csv = Actions.of("Copy All as CS&V", () -> Actions.copy(table.getDisplay(), SitesCsv.of(rows)));
        MenuManager menu = new MenuManager();
        menu.setRemoveAllWhenShown(true);
        menu.addMenuListener(shown -> {
            copy.setEnabled(chosen.isPresent());
            List.of(copy, csv).forEach(shown::add);
        });
        table.setMenu(menu.createContextMenu(table));
    }

    private static void fill(TableItem item, SiteRow row) {
        item.setText(SafeText.cells(Column.texts(SiteColumn.values(), row)));
    }

    private void narrow() {
        model.filter(search.getText());
        showRows();
    }

    private void toTable() {
        table.setFocus();
    }

    void sortBy(SiteColumn column) {
        model.sortBy(column);
        showRows();
    }

    private void choose() {
        int index = table.getSelectionIndex();
        chosen = index >= 0 && index < rows.size() ? Optional.of(rows.get(index)) : Optional.empty();
    }

    /** Shows what the sets that are chosen have told. @param note what else is to be said; may be empty */
    void update(List<ViewsReading.Sites> sites, String note) {
        model.update(sites);
        showRows();
        show(note);
    }

    /** Shows nothing, until sites are told again. */
    void clear() {
        model.clear();
        showRows();
        show("");
    }

    private void show(String note) {
        String told = model.summary();
        String all = (told + " " + note).strip();
        summary.setText(SafeText.lines((all.isEmpty() ? NOTHING_CHOSEN : all).replace("&", "&&")));
        summary.setToolTipText(SafeText.lines(all));
    }

    private void showRows() {
        rows = model.rows();
        lines.show(rows);
        model.sorting().show(table);
        // The line that is chosen stays so wherever it is sorted to.
        chosen.ifPresent(row -> {
            for (int i = 0; i < rows.size(); i++) {
                if (rows.get(i).isSameSite(row)) {
                    table.setSelection(new int[] {i});
                    return;
                }
            }
            table.deselectAll();
        });
        choose();
    }

    Composite control() {
        return area;
    }

    Table table() {
        return table;
    }

    Text search() {
        return search;
    }

    String summaryText() {
        return summary.getText();
    }

    SitesModel model() {
        return model;
    }
}
