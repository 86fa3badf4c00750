// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.kview.model.FunctionLatency;
import org.kview.ui.text.NameFilter;
import org.kview.ui.widgets.Sorting;

/** The lines of the function table: filtered and sorted; those of a function's values follow it, in the same order. Knows no widget. Not safe for several threads. */
final class FunctionRows {
    private List<FunctionRow> all = List.of();
    private List<FunctionRow> shown = List.of();
    private boolean withValues = true;
    private NameFilter filter = NameFilter.of("");
    private Sorting<FunctionRow, FunctionColumn> sorting = new Sorting<>(FunctionColumn.BREAKDOWN, true);

    /** @param live whether their recording goes on */
    void setFigures(List<FunctionLatency> functions, boolean live) {
        all = functions.stream().map(function -> FunctionRow.of(function, live)).toList();
        refresh();
    }

    void setFilter(String text) {
        filter = NameFilter.of(text);
        refresh();
    }

    /** Whether the values by which figures are split have lines. */
    void setWithValues(boolean with) {
        withValues = with;
        refresh();
    }

    boolean isWithValues() {
        return withValues;
    }

    void sort(Sorting<FunctionRow, FunctionColumn> next) {
        sorting = next;
        refresh();
    }

    Sorting<FunctionRow, FunctionColumn> sorting() {
        return sorting;
    }

    /** In the order of the table. */
    List<FunctionRow> shown() {
        return shown;
    }

    int total() {
        return all.size();
    }

    /** How many functions have lines. */
    int functionsShown() {
        return (int) shown.stream().map(FunctionRow::whole).distinct().count();
    }

    private void refresh() {
        // Ids and names break ties, so that equal lines don't change places while figures arrive.
        Comparator<FunctionRow> order = sorting.order().thenComparingInt((FunctionRow row) -> row.whole().id()).thenComparing(FunctionRow::name);
        shown = all.stream().sorted(order)
                .flatMap(row -> withValues ? Stream.concat(Stream.of(row), row.values().stream().sorted(order)) : Stream.of(row))
                .filter(row -> filter.test(row.name())).toList();
    }
}
