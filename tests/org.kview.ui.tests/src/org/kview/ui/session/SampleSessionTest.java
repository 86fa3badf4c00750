// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Link;
import org.eclipse.ui.PlatformUI;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calls.CallsService;
import org.kview.ui.functions.FunctionsView;

/** What one can do first: nothing has been recorded yet. */
class SampleSessionTest {
    @AfterEach
    void close() throws InterruptedException {
        RealSession.close();
    }

    private static Link firstPage() throws InterruptedException {
        Ui.view(KviewUi.VIEW_FUNCTIONS, FunctionsView.class);
        // The view learns of the state, and shows the page, after who set it.
        Ui.await("the first page", () -> shown().isPresent());
        return Ui.get(() -> shown().orElseThrow());
    }

    private static Optional<Link> shown() {
        Composite window = PlatformUI.getWorkbench().getWorkbenchWindows()[0].getShell();
        return Dialogs.all(window, Link.class).stream().filter(link -> link.isVisible() && link.getText().contains("sample"))
                .findFirst();
    }

    @Test
    void theFirstPageLeadsToTheSample() throws Exception {
        Ui.set(new SessionState.None());
        Link links = firstPage();
        assertThat(Ui.get(links::getText)).contains(KviewUi.COMMAND_RECORD, KviewUi.COMMAND_CONNECT, KviewUi.COMMAND_OPEN_SAMPLE,
                KviewUi.COMMAND_OPEN);
        Ui.run(() -> {
            Event click = new Event();
            click.text = KviewUi.COMMAND_OPEN_SAMPLE;
            links.notifyListeners(SWT.Selection, click);
        });
        Ui.await("its calls are at hand", () -> CallsService.get().state().store().isPresent());
        assertThat(Ui.get(() -> SessionService.get().state())).isInstanceOf(SessionState.Opened.class);
        assertThat(RealSession.figures().problems()).isEmpty();
        assertThat(RealSession.figures().functions()).hasSize(5).allMatch(function -> function.wall().count() > 0);
        assertThat(Ui.get(links::isVisible)).as("the first page").isFalse();
        // Once more, while it is open: it is written anew and opens.
        Ui.get(SessionController::get).open(SampleSession.inWorkspace()).join();
        Ui.await("its calls are at hand", () -> CallsService.get().state().store().isPresent());
    }
}
