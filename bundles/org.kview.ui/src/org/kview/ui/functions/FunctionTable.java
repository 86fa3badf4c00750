// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

import org.eclipse.core.runtime.ILog;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.swt.widgets.TableItem;
import org.kview.model.FunctionLatency;
import org.kview.model.SafeText;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.theme.MetricColours;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.NumberCells;
import org.kview.ui.widgets.Sorting;
import org.kview.ui.widgets.TableRows;
import org.osgi.service.prefs.BackingStoreException;

/** The table of functions. */
final class FunctionTable {
    private final Table table;
    private final FunctionRows rows = new FunctionRows();
    private final TableRows<FunctionRow> lines;
    private final NumberCells cells;
    private final Map<FunctionColumn, Integer> hiddenWidths = new EnumMap<>(FunctionColumn.class);
    private final ChartFonts fonts;
    private final BreakdownToolTip toolTip;
    /** Whether what is shown has something beside time. */
    private boolean countsBeside;
    /** Whether that is to be seen then. */
    private boolean wantsBeside;

    FunctionTable(Composite parent) {
        table = new Table(parent, SWT.VIRTUAL | SWT.MULTI | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        lines = new TableRows<>(table, this::fill).searchedBy(FunctionRow::name);
        fonts = new ChartFonts(table.getDisplay());
        ColumnState state = ColumnState.load();
        Column.create(table, List.of(FunctionColumn.values()), this::sortBy);
        cells = NumberCells.of(table, List.of(FunctionColumn.values()), lines::refill);
        apply(state);
        table.addListener(SWT.PaintItem, this::paintBar);
        MetricColours.follow(table, table::redraw);
        table.addListener(SWT.Dispose, event -> {
            saveColumns();
            fonts.dispose();
        });
        toolTip = new BreakdownToolTip(table, this::rowWithBarAt);
        rows.sorting().show(table);
    }

    Table control() {
        return table;
    }

    FunctionRows rows() {
        return rows;
    }

    private TableColumn widget(FunctionColumn column) {
        return table.getColumn(column.ordinal());
    }

    // Figures, filter and order

    /** Shows new figures; the selection stays. */
    void setFigures(List<FunctionLatency> functions, boolean live) {
        change(() -> rows.setFigures(functions, live));
        boolean counts = functions.stream().anyMatch(f -> !f.function().quantities().isEmpty());
        if (counts != countsBeside) {
            countsBeside = counts;
            show(FunctionColumn.BESIDE_TIME, counts && wantsBeside);
        }
    }

    void setFilter(String text) {
        change(() -> rows.setFilter(text));
    }

    void setWithValues(boolean with) {
        change(() -> rows.setWithValues(with));
    }

    /** Does what a click on the column's head does: a second one reverses the order. */
    void sortBy(FunctionColumn column) {
        sort(rows.sorting().clicked(column));
    }

    void sort(Sorting<FunctionRow, FunctionColumn> sorting) {
        change(() -> rows.sort(sorting));
        sorting.show(table);
    }

    /** Selects those of these functions that are shown. */
    void select(Predicate<FunctionRow> wanted) {
        List<FunctionRow> shown = rows.shown();
        table.setSelection(IntStream.range(0, shown.size()).filter(i -> wanted.test(shown.get(i))).toArray());
    }

    private void change(Runnable change) {
        Set<Object> selected = new java.util.HashSet<>(selection().stream().map(FunctionRow::key).toList());
        change.run();
        List<FunctionRow> shown = rows.shown();
        lines.show(shown);
        int[] after = IntStream.range(0, shown.size()).filter(i -> selected.contains(shown.get(i).key())).toArray();
        // Selecting scrolls; while figures arrive the table must stay where the user put it.
        if (!Arrays.equals(IntStream.of(table.getSelectionIndices()).sorted().toArray(), after)) {
            table.deselectAll();
            table.select(after);
        }
    }

    // Lines

    private void fill(TableItem item, FunctionRow row) {
        item.setText(SafeText.cells(cells.texts(FunctionColumn.values(), row)));
    }

    private void paintBar(Event event) {
        if (event.index != FunctionColumn.BREAKDOWN.ordinal()) {
            return;
        }
        TableItem item = (TableItem) event.item;
        if (item.getData() instanceof FunctionRow row) {
            BreakdownCell.paint(event.gc, fonts, item.getBounds(event.index), row.latency(), Palette.of(table));
        }
    }

    private Optional<FunctionRow> rowWithBarAt(Point point) {
        TableItem item = table.getItem(point);
        if (item == null || !item.getBounds(FunctionColumn.BREAKDOWN.ordinal()).contains(point)) {
            return Optional.empty();
        }
        return item.getData() instanceof FunctionRow row ? Optional.of(row) : Optional.empty();
    }

    /** Selected lines, in the order of the table. */
    List<FunctionRow> selection() {
        return IntStream.of(table.getSelectionIndices()).sorted().filter(i -> i < rows.shown().size())
                .mapToObj(rows.shown()::get).toList();
    }

    /** The selected lines, or all where none is selected, with the columns in sight. */
    String tsv() {
        List<FunctionRow> selected = selection();
        return FunctionText.tsv(visibleColumns(), selected.isEmpty() ? rows.shown() : selected);
    }

    // Columns

    private List<FunctionColumn> visibleColumns() {
        return order().stream().filter(this::isVisible).toList();
    }

    private List<FunctionColumn> order() {
        List<FunctionColumn> order = new ArrayList<>();
        for (int index : table.getColumnOrder()) {
            order.add(FunctionColumn.values()[index]);
        }
        return order;
    }

    boolean isVisible(FunctionColumn column) {
        return !hiddenWidths.containsKey(column);
    }

    /** As the user wants it: also of what is shown next. */
    void setVisible(FunctionColumn column, boolean visible) {
        wantsBeside = column == FunctionColumn.BESIDE_TIME ? visible : wantsBeside;
        show(column, visible);
    }

    /** A hidden column keeps its width for when it comes back. */
    private void show(FunctionColumn column, boolean visible) {
        TableColumn widget = widget(column);
        if (visible && !isVisible(column)) {
            widget.setWidth(cells.width(column.ordinal(), hiddenWidths.remove(column)));
            widget.setResizable(true);
        } else if (!visible && isVisible(column)) {
            hiddenWidths.put(column, widget.getWidth());
            widget.setWidth(0);
            widget.setResizable(false);
        }
    }

    void resetColumns() {
        apply(ColumnState.initial());
    }

    private void apply(ColumnState state) {
        hiddenWidths.clear();
        for (FunctionColumn column : FunctionColumn.values()) {
            widget(column).setWidth(cells.width(column.ordinal(), state.widths().get(column)));
            widget(column).setResizable(true);
            show(column, state.visible().contains(column));
        }
        wantsBeside = state.visible().contains(FunctionColumn.BESIDE_TIME);
        show(FunctionColumn.BESIDE_TIME, countsBeside && wantsBeside);
        table.setColumnOrder(state.order().stream().mapToInt(FunctionColumn::ordinal).toArray());
    }

    private void saveColumns() {
        Map<FunctionColumn, Integer> widths = new EnumMap<>(FunctionColumn.class);
        for (FunctionColumn column : FunctionColumn.values()) {
            widths.put(column, hiddenWidths.getOrDefault(column, widget(column).getWidth()));
        }
        Set<FunctionColumn> visible = EnumSet.noneOf(FunctionColumn.class);
        visible.addAll(visibleColumns());
        visible.remove(FunctionColumn.BESIDE_TIME);
        if (wantsBeside) {
            visible.add(FunctionColumn.BESIDE_TIME);
        }
        try {
            new ColumnState(order(), widths, visible).save();
        } catch (BackingStoreException e) {
            ILog.of(getClass()).warn("The order of the function table's columns could not be kept.", e);
        }
    }

    BreakdownToolTip toolTip() {
        return toolTip;
    }
}
