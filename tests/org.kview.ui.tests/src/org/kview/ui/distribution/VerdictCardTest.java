// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Shell;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.Verdict;
import org.kview.targets.values.LinkState;
import org.kview.ui.Dialogs;
import org.kview.ui.Figures;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calllist.CallsView;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionState;
import org.kview.ui.theme.Palette;
import org.kview.ui.why.WhyView;

/** The answer to "where does its time go", above the curves. */
class VerdictCardTest {
    @TempDir
    Path folder;

    private VerdictCard card;
    private DistributionView view;

    @BeforeEach
    void open() {
        view = Ui.view(DistributionView.ID, DistributionView.class);
        card = view.card();
    }

    @AfterEach
    void close() throws InterruptedException {
        Ui.run(() -> view.selectionChanged(view, StructuredSelection.EMPTY));
        Ui.set(new SessionState.None());
        RealSession.close();
    }

    private void select(int id, String name) {
        Ui.run(() -> view.selectionChanged(view, new StructuredSelection(List.of(Figures.probed(id, name)))));
        Ui.settle();
    }

    private void follow(String target) {
        Ui.run(() -> {
            Event event = new Event();
            event.text = target;
            card.next().notifyListeners(SWT.Selection, event);
        });
        Ui.settle();
    }

    @Test
    void itTellsOfTheFunctionThatIsShown() {
        assertThat(Ui.get(card::isVisible)).isFalse();
        Ui.show(Figures.snapshot(Figures.SHOP));
        select(0, "price_basket");
        assertThat(Ui.get(() -> card.sentence().getText())).matches("price_basket · waits for a lock: \\d+ % of its time");
        assertThat(Ui.get(() -> card.bar().getBackground().getRGB())).isEqualTo(Ui.get(() ->
                Palette.of(Metric.LOCK).getRGB()));
        assertThat(Ui.get(() -> card.next().getText())).contains("Look next at who holds it", "Help");
        select(1, "flush_cache");
        assertThat(Ui.get(() -> card.next().getText())).contains("the disk itself");
        Ui.set(new SessionState.None());
        assertThat(Ui.get(card::isVisible)).isFalse();
    }

    /** With the events open below, which take a third of the window. */
    @Test
    void allOfItCanBeReadInASmallWindowAsWell() throws Exception {
        Shell window = Ui.get(() -> Ui.page().getWorkbenchWindow().getShell());
        Rectangle before = Ui.get(window::getBounds);
        RealSession.openWithTrace(RealSession.in(folder));
        try {
            for (Point size : List.of(new Point(1500, 950), new Point(1024, 700))) {
                Ui.run(() -> window.setBounds(0, 0, size.x, size.y));
                Ui.settle();
                // The window system tells of a window's size some time after it was set.
                Ui.await(size + ": room for the curves", () -> view.canvas().getClientArea().height >= DistributionCanvas.LEAST_HEIGHT);
                for (FunctionLatency function : RealSession.figures().functions()) {
                    select(function.function().id(), function.function().name());
                    for (Control text : List.of(card.sentence(), card.next())) {
                        Ui.await("all of it can be read, within the window", () -> isLaidOut(text, window));
                    }
                    assertThat(Ui.get(() -> view.canvas().getClientArea().height)).as(size + ": room for the curves")
                            .isGreaterThanOrEqualTo(DistributionCanvas.LEAST_HEIGHT);
                }
            }
            scrollsWhereItWouldTakeTheCurvesRoom();
        } finally {
            Ui.run(() -> window.setBounds(before));
        }
    }

    private void scrollsWhereItWouldTakeTheCurvesRoom() throws InterruptedException {
        FunctionLatency function = RealSession.figures().functions().getFirst();
        String sentence = "what is known of it besides · ".repeat(100);
        Ui.run(() -> card.show(Optional.of(new VerdictCard.Shown(0, sentence, Verdict.of(function), new VerdictCard.Can(true, true, true)))));
        Ui.await("room for the curves under a long verdict", () -> view.canvas().getClientArea().height >= DistributionCanvas.LEAST_HEIGHT
                && view.canvas().getBounds().y + view.canvas().getBounds().height <= view.canvas().getParent().getClientArea().height);
        Ui.await("its end can be scrolled to", () -> card.getVerticalBar().isVisible() && endComesIntoSight());
    }

    /** On the UI thread. */
    private boolean endComesIntoSight() {
        card.setOrigin(0, card.getVerticalBar().getMaximum());
        Rectangle links = card.next().getBounds();
        Rectangle place = card.getDisplay().map(card.next(), card, new Rectangle(0, 0, links.width, links.height));
        return card.getClientArea().intersection(place).equals(place);
    }

    /** On the UI thread: wrapped, and within the window. */
    private static boolean isLaidOut(Control text, Shell window) {
        Rectangle shown = text.getBounds();
        Rectangle place = text.getDisplay().map(text, null, new Rectangle(0, 0, shown.width, shown.height));
        return shown.height >= text.computeSize(shown.width, SWT.DEFAULT).y && window.getBounds().intersection(place).equals(place);
    }

    @Test
    void whatCannotBeJudgedHasNoAdvice() {
        Ui.show(Figures.snapshot(List.of(new Figures.Shape("idle", 0, 1, Metric.LOCK, 1, 0, 0, 0))));
        select(0, "idle");
        assertThat(Ui.get(() -> card.sentence().getText())).isEqualTo("idle · never called");
        assertThat(Ui.get(() -> card.next().getText())).doesNotContain("Look next", "Its calls", "Why slow")
                .contains("Record again", "Help");
        follow("help");
        Shell help = Ui.get(() -> Dialogs.find("Kview Workbench Help")).orElseThrow();
        assertThat(Ui.get(() -> Dialogs.all(help, org.eclipse.swt.widgets.List.class).getFirst().getSelection()))
                .containsExactly("The verdict");
        Ui.run(help::close);
    }

    /** Of a session that is open; one that is being recorded has no end yet. */
    @Test
    void itsLinksLeadToTheNextRecordingAndToTheOneBefore() throws Exception {
        RealSession.open(RealSession.in(folder));
        select(RealSession.function("price_basket").function().id(), "price_basket");
        Ui.run(() -> card.getDisplay().asyncExec(() -> follow(card, "previous")));
        Shell none = Dialogs.await("Compare with Previous");
        Dialogs.press(none, "OK");
        Dialogs.awaitNone("Compare with Previous");
        Ui.run(() -> card.getDisplay().asyncExec(() -> follow(card, "again")));
        Shell wizard = Dialogs.await("Record");
        Ui.run(wizard::close);
        Dialogs.awaitNone("Record");
        RealSession.close();
        Ui.set(new SessionState.Recording(folder.resolve("next.kview"), Figures.snapshot(Figures.SHOP), LinkState.CONNECTED));
        select(0, "price_basket");
        assertThat(Ui.get(() -> card.next().getText())).doesNotContain("previous", "Record again");
        Ui.set(new SessionState.None());
    }

    private static void follow(VerdictCard card, String target) {
        Event event = new Event();
        event.text = target;
        card.next().notifyListeners(SWT.Selection, event);
    }

    @Test
    void itsLinksLeadToTheCalls() throws Exception {
        RealSession.open(RealSession.in(folder));
        int id = RealSession.function("price_basket").function().id();
        select(id, "price_basket");
        follow("calls");
        assertThat(Ui.get(() -> SelectionService.get().selection().causes())).isEqualTo(Set.of(Metric.LOCK));
        assertThat(Ui.get(() -> SelectionService.get().selection().functions())).isEqualTo(Set.of(id));
        assertThat(Ui.get(() -> Ui.page().isPartVisible(Ui.page().findView(CallsView.ID)))).isTrue();
        follow("why");
        assertThat(Ui.get(() -> SelectionService.get().selection().causes())).isEmpty();
        assertThat(Ui.get(() -> Ui.page().isPartVisible(Ui.page().findView(WhyView.ID)))).isTrue();
    }
}
