// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.osgi.service.prefs.BackingStoreException;
import org.osgi.service.prefs.Preferences;

class ColumnStateTest {
    private final Preferences preferences = InstanceScope.INSTANCE.getNode("org.kview.ui.tests").node("columns");

    @AfterEach
    void remove() throws BackingStoreException {
        preferences.removeNode();
    }

    /** The view has some 800 pixels of a window of 1024. */
    @Test
    void theAnswerIsInSightInSmallWindows() {
        ColumnState state = ColumnState.initial();
        List<FunctionColumn> shown = state.order().stream().filter(state.visible()::contains).toList();
        assertThat(shown).startsWith(FunctionColumn.NAME, FunctionColumn.VERDICT, FunctionColumn.BREAKDOWN);
        assertThat(shown.subList(0, 3).stream().mapToInt(state.widths()::get).sum()).isLessThanOrEqualTo(700);
    }

    @Test
    void comesBackAsItWas() {
        ColumnState state = ColumnState.initial();
        List<FunctionColumn> order = new ArrayList<>(state.order());
        order.remove(FunctionColumn.VERDICT);
        order.addFirst(FunctionColumn.VERDICT);
        state.widths().put(FunctionColumn.CALLS, 133);
        state.visible().remove(FunctionColumn.WALL_MEAN);
        ColumnState changed = new ColumnState(order, state.widths(), state.visible());
        changed.save(preferences);
        assertThat(ColumnState.load(preferences)).isEqualTo(changed);
    }

    @Test
    void nonsenseInThePreferencesIsPassedOver() {
        preferences.put("order", "CALLS,NO_SUCH,CALLS");
        preferences.put("width.CALLS", "wide");
        preferences.putInt("width.NAME", -5);
        preferences.putBoolean("visible.NAME", false);
        ColumnState state = ColumnState.load(preferences);
        assertThat(state.order()).containsExactlyInAnyOrder(FunctionColumn.values());
        assertThat(state.widths()).containsEntry(FunctionColumn.CALLS, FunctionColumn.CALLS.width());
        assertThat(state.widths().get(FunctionColumn.NAME)).isPositive();
        assertThat(state.visible()).contains(FunctionColumn.NAME);
    }
}
