// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.chart.Area;
import org.kview.compare.FunctionComparison;
import org.kview.compare.report.ComparisonPictures;
import org.kview.model.SafeText;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.chart.GcSurface;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.Sorting;
import org.kview.ui.widgets.TableRows;

/** The table of functions that are compared. */
final class CompareTable {
    private static final int MARGIN = 3;

    private final Table table;
    private final ChartFonts fonts;
    private final TableRows<CompareRow> lines;
    private List<CompareRow> rows = List.of();
    private Sorting<CompareRow, CompareColumn> sorting = new Sorting<>(CompareColumn.VERDICT, true);

    CompareTable(Composite parent) {
        table = new Table(parent, SWT.VIRTUAL | SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        lines = new TableRows<>(table, CompareTable::fill).searchedBy(CompareRow::name);
        fonts = new ChartFonts(table.getDisplay());
        Column.create(table, List.of(CompareColumn.values()), this::sortBy);
        table.addListener(SWT.PaintItem, this::paintBars);
        MetricColours.follow(table, table::redraw);
        table.addListener(SWT.Dispose, event -> fonts.dispose());
    }

    Table control() {
        return table;
    }

    /** Shows rows, in the order chosen before, and selects the first one. */
    void show(List<CompareRow> next) {
        rows = next;
        refresh();
        if (!rows.isEmpty()) {
            table.setSelection(0);
            table.showSelection();
        }
    }

    /** Does what a click on the column's head does: a second one reverses the order. */
    void sortBy(CompareColumn column) {
        sorting = sorting.clicked(column);
        Optional<CompareRow> selected = selection();
        refresh();
        selected.ifPresent(row -> table.setSelection(rows.indexOf(row)));
    }

    private void refresh() {
        rows = rows.stream().sorted(sorting.order().thenComparing(CompareRow::rank)).toList();
        lines.show(rows);
        sorting.show(table);
    }

    private static void fill(TableItem item, CompareRow row) {
        for (CompareColumn column : CompareColumn.values()) {
            item.setText(column.ordinal(), SafeText.line(column.text(row)));
            item.setFont(column.ordinal(), column.isNotable(row) || column == CompareColumn.VERDICT
                    && row.function().filter(FunctionComparison::differs).isPresent()
                            ? JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT) : null);
        }
    }

    private void paintBars(Event event) {
        if (event.index != CompareColumn.BARS.ordinal() || !(event.item.getData() instanceof CompareRow row)) {
            return;
        }
        Rectangle cell = ((TableItem) event.item).getBounds(event.index);
        Area area = new Area(cell.x, cell.y, cell.width, cell.height).inset(MARGIN + 1, MARGIN, MARGIN + 1, MARGIN);
        if (area.width() > 4 && area.height() > 4) {
            row.function().ifPresent(f -> ComparisonPictures.drawBars(f.pair(),
                    new GcSurface(event.gc, fonts, Palette.of(table)), area));
        }
    }

    /** In the order of the table. */
    List<CompareRow> rows() {
        return rows;
    }

    Optional<CompareRow> selection() {
        int index = table.getSelectionIndex();
        return index >= 0 && index < rows.size() ? Optional.of(rows.get(index)) : Optional.empty();
    }

    /** All lines, for spreadsheets. */
    String tsv() {
        List<CompareColumn> columns = Arrays.stream(CompareColumn.values()).filter(c -> c != CompareColumn.BARS).toList();
        String heads = columns.stream().map(CompareColumn::title).collect(Collectors.joining("\t", "", "\n"));
        return rows.stream().map(row -> columns.stream().map(c -> c.text(row).replaceAll("[\\t\\r\\n]", " "))
                .collect(Collectors.joining("\t", "", "\n"))).collect(Collectors.joining("", heads, ""));
    }
}
