// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.why;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.eclipse.core.runtime.preferences.IEclipsePreferences;
import org.eclipse.core.runtime.preferences.InstanceScope;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox.Range;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.TailReasons.Found;
import org.kview.session.calls.TailReasons.Reason;
import org.kview.ui.Dialogs;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calllist.CallsView;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.theme.MetricColours;

class WhyViewTest {
    private static final Range SLOW = new Range(5_000_000, Long.MAX_VALUE);

    @TempDir
    static Path folder;

    private WhyView view;

    /** Once: none of these tests changes it. */
    @BeforeAll
    static void openSession() throws Exception {
        RealSession.open(RealSession.in(folder));
    }

    @AfterAll
    static void closeSession() throws InterruptedException {
        RealSession.close();
    }

    @BeforeEach
    void open() throws Exception {
        view = Ui.view(WhyView.ID, WhyView.class);
        Ui.run(() -> selection().clear());
        awaitExplained();
    }

    private void awaitExplained() throws InterruptedException {
        Ui.settle();
        Ui.await("it is explained", view::isShown);
    }

    private static SelectionService selection() {
        return SelectionService.get();
    }

    private static FunctionLatency basket() {
        return RealSession.function("price_basket");
    }

    private static CallSelector baskets() {
        return CallSelector.ALL.withFunctions(Optional.of(Set.of(basket().function().id())));
    }

    private void selectSlowBaskets() throws InterruptedException {
        int id = basket().function().id();
        Ui.run(() -> selection().select(CallSelection.ALL.withFunctions(Set.of(id)).withBox(Optional.empty(), Optional.of(SLOW))));
        awaitExplained();
    }

    @Test
    void whatIsSelectedIsHeldAgainstTheRest() throws Exception {
        selectSlowBaskets();
        Found found = RealSession.store().ask(calls -> calls.reasons(baskets(), Range.ALL, SLOW, _ -> true)).orElseThrow();
        List<String> text = Ui.get(view::text);
        assertThat(text.getFirst()).startsWith(found.tailCalls() + " calls selected: ");
        assertThat(text.subList(1, text.size())).isNotEmpty().isEqualTo(found.reasons().stream().map(Reason::text).toList());
        assertThat(text.get(1)).contains("of what they take longer is lock");
        assertThat(Ui.get(() -> view.links().stream().map(link -> link.getText()).toList())).hasSize(found.reasons().size());
    }

    @Test
    void reasonsHaveTheColoursThatTheUserChooses() throws Exception {
        selectSlowBaskets();
        IEclipsePreferences preferences = InstanceScope.INSTANCE.getNode(KviewUi.BUNDLE_ID);
        try {
            Ui.run(() -> preferences.put(MetricColours.key(Metric.LOCK), "18,52,86"));
            Ui.await("they are drawn", () -> Dialogs.all(view.links().getFirst().getParent(), Label.class).stream().map(Label::getImage)
                    .filter(Objects::nonNull).anyMatch(image -> Ui.colours(image.getImageData()).contains(0x123456)));
        } finally {
            Ui.run(() -> preferences.remove(MetricColours.key(Metric.LOCK)));
        }
    }

    /** Calls are added while one moves the pointer to a sentence. */
    @Test
    void sentencesThatChangeStayTheSameWidgets() throws Exception {
        selectSlowBaskets();
        WhyJob.Answer answer = Ui.get(view::answered).orElseThrow();
        List<Link> links = Ui.get(view::links);
        List<Reason> others = answer.found().reasons().stream().map(its -> new Reason("more: " + its.text(), "wall > 1ms", its.cause())).toList();
        Found found = answer.found();
        Ui.run(() -> view.show(new WhyJob.Answer(answer.wish(), answer.wall(), new Found(found.tailCalls() + 1, found.restCalls(),
                found.tailMeanNanos(), found.restMeanNanos(), others))));
        assertThat(Ui.get(view::links)).isNotEmpty().isEqualTo(links);
        assertThat(Ui.get(() -> links.getFirst().getText())).startsWith("<a>more: ");
        assertThat(Ui.get(view::text).getFirst()).startsWith(found.tailCalls() + 1 + " calls selected: ");
        Ui.run(() -> links.getFirst().notifyListeners(SWT.Selection, new Event()));
        Ui.settle();
        CallsView calls = (CallsView) Ui.get(() -> Ui.page().findView(CallsView.ID));
        assertThat(Ui.get(calls::filterText)).as("it leads to what it says now").isEqualTo("wall > 1ms");
        Ui.run(() -> {
            calls.filter("");
            view.show(answer);
        });
    }

    @Test
    void withoutABoxTheSlowestAreExplained() throws Exception {
        int id = basket().function().id();
        Ui.run(() -> selection().select(CallSelection.ALL.withFunctions(Set.of(id))));
        awaitExplained();
        long least = (long) Math.floor(basket().wall().percentileNanos(99)) + 1;
        long slowest = RealSession.store().ask(calls -> calls.distribution(baskets().withWall(new Range(least, Long.MAX_VALUE)), () -> true).count())
                .orElseThrow();
        assertThat(Ui.get(view::text).getFirst()).startsWith(slowest + (slowest == 1 ? " call" : " calls") + " slowest, above ");
    }

    @Test
    void aSentenceLeadsToItsCalls() throws Exception {
        selectSlowBaskets();
        Ui.run(() -> view.links().getFirst().notifyListeners(SWT.Selection, new Event()));
        Ui.settle();
        CallsView calls = (CallsView) Ui.get(() -> Ui.page().findView(CallsView.ID));
        assertThat(Ui.get(calls::filterText)).isEqualTo("cause == lock");
        assertThat(Ui.get(() -> Ui.page().isPartVisible(calls))).isTrue();
        Ui.run(() -> calls.filter(""));
    }
}
