// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

import org.kview.model.FunctionLatency;
import org.kview.ui.text.NameFilter;
import org.kview.ui.widgets.Sorting;

/** The lines of the function table: filtered and sorted. Knows no widget. Not safe for several threads. */
final class FunctionRows {
    private List<FunctionRow> all = List.of();
    private List<FunctionRow> shown = List.of();
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

    OptionalInt indexOf(int functionId) {
        return IntStream.range(0, shown.size()).filter(i -> shown.get(i).id() == functionId).findFirst();
    }

    private void refresh() {
        // Ids break ties, so that equal lines don't change places while figures arrive.
        shown = all.stream().filter(row -> filter.test(row.name()))
                .sorted(sorting.order().thenComparingInt(FunctionRow::id)).toList();
    }
}
