// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.kview.ui.KviewUi;
import org.osgi.service.prefs.BackingStoreException;
import org.osgi.service.prefs.Preferences;

/**
 * Order, widths and visibility of the table's columns, kept from one start to the next. Columns are
 * kept by name, so that one that a later version adds takes its usual place.
 *
 * @param order   every column, from the left
 * @param widths  pixels
 * @param visible those shown
 */
record ColumnState(List<FunctionColumn> order, Map<FunctionColumn, Integer> widths, Set<FunctionColumn> visible) {
    private static final String NODE = "functions.columns";
    private static final int WIDEST = 2000;

    static ColumnState initial() {
        Map<FunctionColumn, Integer> widths = new EnumMap<>(FunctionColumn.class);
        Set<FunctionColumn> visible = EnumSet.noneOf(FunctionColumn.class);
        for (FunctionColumn column : FunctionColumn.values()) {
            widths.put(column, column.width());
            if (column.visibleAtFirst()) {
                visible.add(column);
            }
        }
        return new ColumnState(List.of(FunctionColumn.values()), widths, visible);
    }

    static ColumnState load() {
        return load(preferences());
    }

    static ColumnState load(Preferences preferences) {
        ColumnState state = initial();
        List<FunctionColumn> order = new ArrayList<>();
        for (String name : preferences.get("order", "").split(",")) {
            Arrays.stream(FunctionColumn.values()).filter(c -> c.name().equals(name) && !order.contains(c))
                    .forEach(order::add);
        }
        for (FunctionColumn column : FunctionColumn.values()) {
            if (!order.contains(column)) {
                order.add(Math.min(column.ordinal(), order.size()), column);
            }
            int width = preferences.getInt("width." + column.name(), column.width());
            state.widths.put(column, Math.clamp(width, 20, WIDEST));
            boolean shown = preferences.getBoolean("visible." + column.name(), column.visibleAtFirst());
            if (shown || column == FunctionColumn.NAME) {
                state.visible.add(column);
            } else {
                state.visible.remove(column);
            }
        }
        return new ColumnState(List.copyOf(order), state.widths, state.visible);
    }

    void save() throws BackingStoreException {
        Preferences preferences = preferences();
        save(preferences);
        preferences.flush();
    }

    void save(Preferences preferences) {
        preferences.put("order", String.join(",", order.stream().map(FunctionColumn::name).toList()));
        widths.forEach((column, width) -> preferences.putInt("width." + column.name(), width));
        for (FunctionColumn column : order) {
            preferences.putBoolean("visible." + column.name(), visible.contains(column));
        }
    }

    private static Preferences preferences() {
        return InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID).node(NODE);
    }
}
