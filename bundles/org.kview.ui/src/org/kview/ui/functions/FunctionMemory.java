// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

import org.eclipse.ui.IMemento;
import org.kview.model.Bookmark;
import org.kview.ui.widgets.Sorting;

/** The state of the function table that is restored with a session: filter, order, selection, and whether values have lines. */
final class FunctionMemory {
    private static final String FILTER = "filter";
    private static final String SORT = "sort";
    private static final String DESCENDING = "descending";
    private static final String SELECTED = "selected";
    private static final String BINARY = "binary";
    private static final String VALUES = "values";

    private FunctionMemory() {
    }

    static void save(FunctionTable table, String filter, IMemento memento) {
        memento.putString(FILTER, filter);
        memento.putString(SORT, table.rows().sorting().column().name());
        memento.putBoolean(DESCENDING, table.rows().sorting().descending());
        memento.putBoolean(VALUES, table.rows().isWithValues());
        for (FunctionRow row : table.selection()) {
            memento.createChild(SELECTED, row.name()).putString(BINARY, row.binary());
        }
    }

    static String filter(IMemento memento) {
        return Optional.ofNullable(memento.getString(FILTER)).orElse("");
    }

    static void restore(FunctionTable table, IMemento memento) {
        Arrays.stream(FunctionColumn.values()).filter(c -> c.name().equals(memento.getString(SORT))).findFirst()
                .ifPresent(column -> table.sort(new Sorting<>(column, Boolean.TRUE.equals(memento.getBoolean(DESCENDING)))));
        table.setWithValues(!Boolean.FALSE.equals(memento.getBoolean(VALUES)));
        Set<Bookmark.Function> selected = new HashSet<>();
        for (IMemento child : memento.getChildren(SELECTED)) {
            selected.add(new Bookmark.Function(child.getID(), Optional.ofNullable(child.getString(BINARY)).orElse("")));
        }
        table.select(row -> selected.contains(Bookmark.Function.of(row.latency().function())));
    }
}
