// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.model.FunctionLatency;
import org.kview.model.Mechanism;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.Quantity;
import org.kview.model.Waits;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;
import org.osgi.service.prefs.BackingStoreException;

/** It comes with a recording that has something beside time, unless the user has hidden it. */
class BesideTimeColumnTest {
    private final Shell shell = Ui.get(() -> new Shell(Display.getCurrent()));

    @AfterEach
    void close() throws BackingStoreException {
        Ui.run(shell::dispose);
        InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID).node("functions.columns").clear();
    }

    private static List<FunctionLatency> figures(Quantity... quantities) {
        return List.of(new FunctionLatency(new ProbedFunction(0, "load", new ProbePoint.UserFunction("/bin/shop", "load", 1, 1, 1), Mechanism.TRAP,
                ProbedFunction.ALL_METRICS, ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", "", List.of(quantities)), 0, 0, 0,
                Optional.empty(), Map.of()));
    }

    private static boolean isShown(FunctionTable table) {
        return table.isVisible(FunctionColumn.BESIDE_TIME);
    }

    @Test
    void hiddenItStaysHidden() {
        List<FunctionLatency> counted = figures(new Quantity("faults", "page faults", Quantity.Unit.COUNT));
        Ui.run(() -> {
            FunctionTable table = new FunctionTable(shell);
            assertThat(isShown(table)).isFalse();
            table.setFigures(counted, false);
            assertThat(isShown(table)).isTrue();
            table.setVisible(FunctionColumn.BESIDE_TIME, false);
            table.setFigures(figures(), false);
            table.setFigures(counted, false);
            assertThat(isShown(table)).as("of the next recording").isFalse();
            table.control().dispose();
            FunctionTable next = new FunctionTable(shell);
            next.setFigures(counted, false);
            assertThat(isShown(next)).as("in the next window").isFalse();
            next.resetColumns();
            assertThat(isShown(next)).as("as at first").isTrue();
            next.setFigures(figures(), false);
            assertThat(isShown(next)).isFalse();
        });
    }
}
