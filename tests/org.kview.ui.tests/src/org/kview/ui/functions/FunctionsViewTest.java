// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.eclipse.jface.viewers.IStructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.dnd.Clipboard;
import org.eclipse.swt.dnd.TextTransfer;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Listener;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableColumn;
import org.eclipse.ui.handlers.IHandlerService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.Bookmark;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.targets.values.LinkState;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.session.SessionState;

class FunctionsViewTest {
    private FunctionsView view;
    private Table table;

    @BeforeEach
    void open() {
        view = Ui.view(FunctionsView.ID, FunctionsView.class);
        table = Ui.get(() -> view.table().control());
        Ui.run(() -> view.filterField().setText(""));
    }

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    @Test
    void figuresOfALostLinkDontLookLikeThoseOfNow() throws InterruptedException {
        LatencySnapshot figures = Figures.snapshot(Figures.SHOP);
        Path session = Path.of("/tmp/shop.kview");
        Ui.set(new SessionState.Recording(session, figures));
        assertThat(Ui.get(() -> view.banner().sentences())).isEmpty();
        Ui.set(new SessionState.Recording(session, figures, LinkState.RECONNECTING));
        Ui.await("it is said", () -> !view.banner().sentences().isEmpty());
        assertThat(Ui.get(() -> view.banner().sentences())).singleElement().asString().contains("is lost",
                figures.info().target(), "goes on there");
        assertThat(Ui.get(() -> table.getItemCount())).as("what is known stays").isPositive();
        Ui.set(new SessionState.Recording(session, figures, LinkState.RESUMED));
        Ui.await("nothing is said any more", () -> view.banner().sentences().isEmpty());
    }

    private List<String> column(FunctionColumn column) {
        return Ui.get(() -> {
            List<String> texts = new ArrayList<>();
            for (int i = 0; i < table.getItemCount(); i++) {
                texts.add(table.getItem(i).getText(column.ordinal()));
            }
            return texts;
        });
    }

    @Test
    void showsASessionsFigures() {
        Ui.show(Figures.snapshot(Figures.SHOP));
        assertThat(column(FunctionColumn.NAME)).contains("render", "price_basket", "index_all").hasSize(6);
        assertThat(column(FunctionColumn.CALLS)).contains("18,204", "96");
        assertThat(column(FunctionColumn.WALL_P99)).allMatch(text -> text.endsWith("ms"));
        assertThat(column(FunctionColumn.VERDICT)).anyMatch(text -> text.startsWith("waits for a lock"));
        assertThat(Ui.get(view::countText)).isEqualTo("6 functions");
    }

    @Test
    void aClickOnAHeadSortsAndASecondTurnsRound() {
        Ui.show(Figures.snapshot(Figures.SHOP));
        click(FunctionColumn.CALLS);
        assertThat(column(FunctionColumn.CALLS)).startsWith("18,204", "18,204", "604").endsWith("12");
        click(FunctionColumn.CALLS);
        assertThat(column(FunctionColumn.CALLS)).startsWith("12", "96");
        click(FunctionColumn.NAME);
        assertThat(column(FunctionColumn.NAME)).first().isEqualTo("fetch_rates");
        Ui.run(() -> view.table().sortBy(FunctionColumn.BREAKDOWN));
    }

    private void click(FunctionColumn column) {
        Ui.run(() -> {
            TableColumn widget = table.getColumn(column.ordinal());
            assertThat(widget.getText()).isEqualTo(column.title());
            widget.notifyListeners(SWT.Selection, new Event());
        });
    }

    @Test
    void theFilterSaysHowMany() {
        Ui.show(Figures.snapshot(Figures.SHOP));
        Ui.run(() -> view.filterField().setText("*e"));
        assertThat(column(FunctionColumn.NAME)).containsExactlyInAnyOrder("poll_queue", "flush_cache");
        assertThat(Ui.get(view::countText)).isEqualTo("2 of 6");
    }

    @Test
    void theSelectionIsThatOfFunctionsAndOutlivesNewFigures() {
        Ui.show(Figures.snapshot(Figures.SHOP));
        Ui.run(() -> {
            table.setSelection(1);
            table.notifyListeners(SWT.Selection, new Event());
        });
        assertThat(selected()).containsExactly("price_basket");
        Ui.show(Figures.snapshot(Figures.SHOP, new Losses(1, 0, 0, 0, 0), List.of()));
        assertThat(selected()).containsExactly("price_basket");
        Ui.run(() -> view.filterField().setText("render"));
        assertThat(selected()).isEmpty();
    }

    /** Other views know the function alone; what they select of it leaves the value selected. */
    @Test
    void aValueStaysSelectedWhileItsFunctionsCallsAreBrushed() {
        Ui.show(Figures.byValue());
        Ui.run(() -> {
            table.setSelection(1);
            table.notifyListeners(SWT.Selection, new Event());
        });
        assertThat(selected()).containsExactly("price_basket · arg1 = 3");
        assertThat(Ui.get(() -> SelectionService.get().selection().functions())).containsExactly(0);
        Ui.run(() -> SelectionService.get().selectTime(Optional.of(new Bookmark.Range(1, 2))));
        assertThat(selected()).containsExactly("price_basket · arg1 = 3");
        Ui.show(Figures.byValue());
        assertThat(selected()).containsExactly("price_basket · arg1 = 3");
        assertThat(Ui.get(view::countText)).isEqualTo("2 functions");
        Ui.run(() -> SelectionService.get().select(SelectionService.get().selection().withFunctions(Set.of(1))));
        assertThat(selected()).containsExactly("flush_cache");
    }

    private List<String> selected() {
        return Ui.get(() -> ((IStructuredSelection) view.getSite().getSelectionProvider().getSelection()).stream()
                .map(element -> ((ProbedFunction) element).name()).toList());
    }

    @Test
    void theCopyCommandPutsTsvOnTheClipboard() {
        Ui.show(Figures.snapshot(Figures.SHOP));
        String text = Ui.get(() -> {
            view.setFocus();
            view.getSite().getService(IHandlerService.class).executeCommand("org.eclipse.ui.edit.copy", null);
            Clipboard clipboard = new Clipboard(Display.getCurrent());
            try {
                return (String) clipboard.getContents(TextTransfer.getInstance());
            } finally {
                clipboard.dispose();
            }
        });
        assertThat(text.split("\n")).hasSize(7);
        assertThat(text).startsWith("Function\tVerdict\tWhere the time went\tCalls\tWall p50 (ns)")
                .containsPattern("flush_cache\t[^\t]+\t[^\t]+\t96\t");
    }

    @Test
    void whatIsMissingStandsAtTheTop() {
        LatencySnapshot figures = Figures.snapshot(Figures.SHOP, new Losses(1204, 3, 0, 0, 0),
                List.of("symbols.json of shop.kview is damaged."));
        Ui.show(figures);
        List<String> sentences = Ui.get(() -> view.banner().sentences());
        assertThat(sentences).hasSize(3);
        assertThat(sentences.get(0)).contains("symbols.json");
        assertThat(sentences.get(1)).startsWith("1,204 events were lost");
        assertThat(Ui.get(() -> view.banner().isVisible())).isTrue();
        Ui.show(Figures.snapshot(Figures.SHOP));
        assertThat(Ui.get(() -> view.banner().isVisible())).isFalse();
    }

    @Test
    void saysWhatCanBeDoneWhereThereIsNothing() {
        Ui.set(new SessionState.None());
        assertThat(Ui.get(view::messageText)).contains("No session is open");
        Ui.set(new SessionState.Busy("Opening shop.kview…"));
        assertThat(Ui.get(view::messageText)).contains("Opening shop.kview");
        Ui.set(new SessionState.Failed("There is no process 4711."));
        assertThat(Ui.get(view::messageText)).contains("There is no process 4711.");
        Ui.show(Figures.snapshot(Figures.SHOP));
        assertThat(Ui.get(view::messageText)).isEmpty();
    }

    /** Four times a second, every figure another one: what is out of sight must cost nothing. */
    @Test
    void ofAThousandFunctionsOnlyThoseInSightGetTexts() throws InterruptedException {
        AtomicInteger filled = new AtomicInteger();
        Listener counter = event -> filled.incrementAndGet();
        Ui.run(() -> table.addListener(SWT.SetData, counter));
        try {
            Ui.show(Figures.snapshot(thousand(0)));
            Ui.await("they are painted", () -> filled.get() > 0);
            for (int round = 1; round < 5; round++) {
                Ui.show(Figures.snapshot(thousand(round)));
            }
            int inSight = Ui.get(() -> table.getClientArea().height / table.getItemHeight() + 2);
            assertThat(inSight).isLessThan(100);
            assertThat(filled.get()).as("lines that were asked for").isPositive().isLessThanOrEqualTo(inSight + 10);
            assertThat(Ui.get(() -> table.getItem(900).getData())).as("what a line far below holds").isNull();
            String last = Ui.get(() -> view.table().rows().shown().get(999).name());
            Ui.run(() -> table.setTopIndex(999));
            Ui.settle();
            assertThat(Ui.get(() -> table.getItem(999).getText(FunctionColumn.NAME.ordinal()))).isEqualTo(last);
            assertThat(Ui.get(() -> table.getItem(0).getText(FunctionColumn.CALLS.ordinal()))).as("when it is asked for")
                    .isEqualTo(FunctionColumn.CALLS.text(Ui.get(() -> view.table().rows().shown().getFirst())));
        } finally {
            Ui.run(() -> table.removeListener(SWT.SetData, counter));
        }
    }

    private static List<Figures.Shape> thousand(int round) {
        return IntStream.range(0, 1000).mapToObj(i -> new Figures.Shape("function_" + i, 3 + round, 1e5 + i, Metric.LOCK, 1e6,
                0.2, 0, 0)).toList();
    }
}
