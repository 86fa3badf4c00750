// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;

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
        // NoErrorIsLogged fails this test where that makes an error; it knows those that Trace Compass makes of a trace that it still reads.
        RealSession.close();
        Ui.settle();
        assertThat(Ui.get(() -> SelectionService.get().selection())).isEqualTo(CallSelection.ALL);
    }
}
