// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

import org.eclipse.core.runtime.ILogListener;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Platform;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;

class ClosedSelectionTest {
    @TempDir
    Path folder;

    /** The table still has its lines then, and the figures that they were of are gone. */
    @Test
    void aSelectedFunctionGoesWithItsSession() throws Exception {
        Ui.view(FunctionsView.ID, FunctionsView.class);
        RealSession.open(RealSession.in(folder));
        int id = RealSession.function("price_basket").function().id();
        Ui.run(() -> SelectionService.get().select(CallSelection.ALL.withFunctions(Set.of(id))));
        List<String> errors = new CopyOnWriteArrayList<>();
        ILogListener listener = (status, _) -> {
            if (status.getSeverity() == IStatus.ERROR) {
                errors.add(status.getMessage() + ": " + status.getException());
            }
        };
        Platform.addLogListener(listener);
        try {
            RealSession.close();
            Ui.settle();
        } finally {
            Platform.removeLogListener(listener);
        }
        assertThat(errors).isEmpty();
        assertThat(Ui.get(() -> SelectionService.get().selection())).isEqualTo(CallSelection.ALL);
    }
}
