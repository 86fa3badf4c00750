// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;

import org.eclipse.ui.IViewPart;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.LatencySnapshot;
import org.kview.ui.Figures;
import org.kview.ui.KviewUi;
import org.kview.ui.Ui;

class FunctionsInSightTest {
    private static final LatencySnapshot FIGURES = Figures.snapshot(Figures.SHOP);

    private IViewPart functions;
    private IViewPart processes;

    @BeforeEach
    void look() throws InterruptedException {
        show(new SessionState.None(), "Kview Workbench");
        functions = Ui.view(KviewUi.VIEW_FUNCTIONS, IViewPart.class);
        processes = Ui.view(KviewUi.VIEW_PROCESSES, IViewPart.class);
        assertThat(isInSight(functions)).isFalse();
    }

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
        Ui.run(() -> Ui.page().hideView(processes));
        Ui.settle();
    }

    private static boolean isInSight(IViewPart view) {
        return Ui.get(() -> Ui.page().isPartVisible(view));
    }

    /** Waits until all who listen have heard of a session. */
    private static void show(SessionState state, String title) throws InterruptedException {
        Ui.set(state);
        Ui.await("the window's title tells of it", () -> Ui.page().getWorkbenchWindow().getShell().getText().startsWith(title));
    }

    @Test
    void theyComeToTheFrontWithTheFirstFiguresAndNotWithEach() throws InterruptedException {
        Path session = Path.of("/tmp/in-sight.kview");
        show(new SessionState.Recording(session, FIGURES), "Recording in-sight ");
        assertThat(isInSight(functions)).isTrue();
        Ui.run(() -> Ui.page().bringToTop(processes));
        show(new SessionState.Busy("Opening…"), "Kview Workbench");
        show(new SessionState.Opened(session, FIGURES), "in-sight ");
        assertThat(isInSight(processes)).as("who looks elsewhere meanwhile is left there").isTrue();
        show(new SessionState.Opened(Path.of("/tmp/in-sight-2.kview"), FIGURES), "in-sight-2 ");
        assertThat(isInSight(functions)).isTrue();
    }
}
