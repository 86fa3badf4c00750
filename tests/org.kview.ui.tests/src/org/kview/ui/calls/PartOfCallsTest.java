// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.ui.actions.ActionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredSession;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calls.view.CallsPart;
import org.kview.ui.selection.SelectionService;

/** Storing the calls was cancelled on the way: those that there are stay in sight, and all that is copied of them says so. */
class PartOfCallsTest {
    private static final List<String> VIEWS = List.of(KviewUi.VIEW_CALLS, KviewUi.VIEW_WHY, KviewUi.VIEW_TIMELINE, KviewUi.VIEW_LATENCY);

    @TempDir
    static Path folder;

    private GrowingCalls growing;
    private SessionCallStore part;

    @BeforeAll
    static void openSession() throws Exception {
        RealSession.open(RealSession.in(folder));
    }

    @AfterAll
    static void closeSession() throws InterruptedException {
        RealSession.close();
    }

    @BeforeEach
    void cancel() throws Exception {
        Ui.run(() -> SelectionService.get().clear());
        growing = new GrowingCalls(folder.resolve("demo.kview.zip"), folder.resolve("growing"));
        growing.part();
        part = growing.cancelled();
    }

    @AfterEach
    void end() throws InterruptedException {
        growing.close();
    }

    private static CallsPart<?> view(String id) throws InterruptedException {
        CallsPart<?> view = Ui.view(id, CallsPart.class);
        Ui.settle();
        Ui.await(id + " shows them", view::isShown);
        Ui.settle();
        return view;
    }

    @Test
    void eachViewSaysUntilWhenAndGoesOn() throws Exception {
        for (String id : VIEWS) {
            CallsPart<?> view = view(id);
            assertThat(Ui.get(view::message)).as(id).isEmpty();
            assertThat(Ui.get(view::soFar)).as(id).matches("Calls until [0-9.]+ m?s of [0-9.]+ s\\. Figures are of these; storing the others was cancelled\\.");
            assertThat(Ui.get(() -> view.goOn().isVisible() && view.goOn().getSize().x > 0)).as("Go on in " + id).isTrue();
        }
        CallsPart<?> view = view(KviewUi.VIEW_LATENCY);
        Ui.run(() -> view.goOn().notifyListeners(SWT.Selection, new Event()));
        Ui.await("all are at hand", () -> CallsService.get().state() instanceof CallsState.Stored stored && !stored.calls().equals(part));
        Ui.await("it shows all", () -> view.isShown() && view.soFar().isEmpty());
        assertThat(Ui.get(() -> view.goOn().isVisible())).isFalse();
    }

    @Test
    void whatIsCopiedSaysUntilWhen() throws Exception {
        String line = "# " + part.ask(StoredSession::reached).orElseThrow().orElseThrow();
        for (String id : List.of(KviewUi.VIEW_CALLS, KviewUi.VIEW_WHY)) {
            CallsPart<?> view = view(id);
            Ui.run(() -> {
                Clipboard clipboard = new Clipboard(Display.getCurrent());
                clipboard.setContents(new Object[] {"before"}, new org.eclipse.swt.dnd.Transfer[] {TextTransfer.getInstance()});
                clipboard.dispose();
                view.getViewSite().getActionBars().getGlobalActionHandler(ActionFactory.COPY.getId()).run();
            });
            Ui.await("it is on the clipboard of " + id, () -> copied().startsWith(line));
        }
    }

    private static String copied() {
        Clipboard clipboard = new Clipboard(Display.getCurrent());
        try {
            return clipboard.getContents(TextTransfer.getInstance()) instanceof String text ? text : "";
        } finally {
            clipboard.dispose();
        }
    }
}
