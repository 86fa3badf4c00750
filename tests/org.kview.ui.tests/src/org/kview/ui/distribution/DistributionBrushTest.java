// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox;
import org.kview.chart.ChartTheme;
import org.kview.chart.DistributionSeries;
import org.kview.chart.Ink;
import org.kview.model.LatencyFormat;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;

/** Dragging over the distribution selects the calls that took so long, in all views. */
class DistributionBrushTest {
    @TempDir
    static Path folder;

    private DistributionView view;

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
    void open() {
        view = Ui.view(DistributionView.ID, DistributionView.class);
        Ui.run(() -> {
            SelectionService.get().clear();
            view.canvas().zoom().showAll();
        });
    }

    private void send(int type, int x, int keys) {
        Ui.run(() -> {
            Event event = new Event();
            event.x = x;
            event.y = 150;
            event.button = 1;
            event.stateMask = keys;
            view.canvas().notifyListeners(type, event);
        });
    }

    private void drag(int from, int to, int keys) {
        send(SWT.MouseDown, from, keys);
        send(SWT.MouseMove, to, keys);
        send(SWT.MouseUp, to, keys);
    }

    private void press(int key) {
        Ui.run(() -> {
            Event event = new Event();
            event.keyCode = key;
            view.canvas().notifyListeners(SWT.KeyDown, event);
        });
    }

    private static Optional<CallBox.Range> selected() {
        return Ui.get(() -> SelectionService.get().selection().wall());
    }

    private boolean isZoomed() {
        return Ui.get(() -> view.canvas().zoom().isZoomed());
    }

    @Test
    void draggingSelectsTheCallsThatTookSoLong() {
        int width = Ui.get(() -> view.canvas().getClientArea().width);
        int function = RealSession.function("price_basket").function().id();
        Ui.run(() -> SelectionService.get().select(CallSelection.ALL.withFunctions(Set.of(function))));
        drag(width * 3 / 4, width / 2, 0);
        CallBox.Range wall = selected().orElseThrow();
        assertThat((double) wall.least()).isCloseTo(Ui.get(() -> view.canvas().nanosAt(width / 2)), within(1.0));
        assertThat((double) wall.most()).isCloseTo(Ui.get(() -> view.canvas().nanosAt(width * 3 / 4)), within(1.0));
        assertThat(Ui.get(() -> SelectionService.get().selection().functions())).as("what else is selected stays").containsExactly(function);
        assertThat(isZoomed()).isFalse();
        assertThat(Ui.get(() -> view.canvas().svg())).contains(LatencyFormat.range(wall.least(), wall.most()));
        send(SWT.MouseDown, width / 3, 0);
        send(SWT.MouseUp, width / 3, 0);
        assertThat(selected()).as("a click takes it away").isEmpty();
    }

    /** As the window system tells of it: its first click is a click as well. */
    @Test
    void aDoubleClickShowsAllTimesAndTakesNothing() {
        int width = Ui.get(() -> view.canvas().getClientArea().width);
        drag(width / 3, width * 3 / 4, SWT.MOD1);
        drag(width / 3, width / 2, 0);
        Optional<CallBox.Range> wall = selected();
        assertThat(wall).isPresent();
        for (int type : new int[] {SWT.MouseDown, SWT.MouseUp, SWT.MouseDown, SWT.MouseDoubleClick, SWT.MouseUp}) {
            send(type, width / 2, 0);
        }
        assertThat(isZoomed()).isFalse();
        assertThat(selected()).isEqualTo(wall);
        send(SWT.MouseDown, width / 3, 0);
        send(SWT.MouseUp, width / 3, 0);
        assertThat(selected()).as("a click takes it away").isEmpty();
    }

    /** Such as a box in Latency over Time. */
    @Test
    void whatIsSelectedElsewhereIsMarked() {
        Set<Integer> marks = Set.of(ChartTheme.LIGHT.rgb(Ink.Tone.SELECTION), ChartTheme.DARK.rgb(Ink.Tone.SELECTION));
        assertThat(Ui.colours(Ui.get(() -> view.canvas().image()))).doesNotContainAnyElementsOf(marks);
        int width = Ui.get(() -> view.canvas().getClientArea().width);
        CallBox.Range wall = Ui.get(() -> new CallBox.Range((long) view.canvas().nanosAt(width / 3), (long) view.canvas().nanosAt(width / 2)));
        Ui.run(() -> SelectionService.get().select(CallSelection.ALL.withBox(Optional.empty(), Optional.of(wall))));
        assertThat(Ui.colours(Ui.get(() -> view.canvas().image()))).containsAnyElementsOf(marks);
    }

    /** Of two sessions over one axis; where a function was not measured there, that is said. */
    @Test
    void anotherSessionIsLaidOver() throws Exception {
        Path other = Files.copy(RealSession.in(Files.createDirectories(folder.resolve("other"))), folder.resolve("before.kview.zip"));
        Ui.get(() -> view.overlays().read(other)).join();
        Ui.settle();
        List<DistributionSeries> curves = Ui.get(() -> view.canvas().series());
        DistributionSeries own = curves.getFirst();
        DistributionSeries laid = curves.stream().filter(curve -> curve.label().equals("wall-clock in before")).findFirst().orElseThrow();
        assertThat(laid.distribution()).isEqualTo(own.distribution());
        assertThat(laid.rgb()).isNotEqualTo(own.rgb());
        assertThat(Ui.get(() -> view.canvas().input().title())).endsWith(" · over it: before");
        assertThat(Ui.colours(Ui.get(() -> view.canvas().image()))).contains(laid.rgb());
        Ui.run(() -> view.overlays().remove());
        assertThat(Ui.get(() -> view.canvas().series())).hasSize(2).noneMatch(curve -> curve.label().contains("before"));
        assertThat(Ui.get(() -> view.canvas().input().title())).doesNotContain("before");
    }

    /** Of the other session's curves, too, has to be known what is wrong with them. */
    @Test
    void whatIsWrongWithTheOtherSessionIsSaid() throws Exception {
        Path other = RealSession.markedIn(Files.createDirectories(folder.resolve("marked")));
        Files.writeString(other.resolve("session.json"), Files.readString(other.resolve("session.json"))
                .replaceFirst("\"missed_returns\" : [0-9]+", "\"missed_returns\" : 3"));
        Ui.get(() -> view.overlays().read(Files.move(other, other.resolveSibling("before.kview")))).join();
        Ui.settle();
        StructuredSelection basket = new StructuredSelection(RealSession.function("price_basket").function());
        Ui.run(() -> view.selectionChanged(view, basket));
        assertThat(Ui.get(() -> view.canvas().input().warnings())).anyMatch(sentence -> sentence.startsWith("before: 3 returns were not reported"));
        assertThat(Ui.get(() -> view.canvas().input().title())).contains(" · over it: before · ").contains("goes on to settle");
        Ui.run(() -> {
            view.overlays().remove();
            view.selectionChanged(view, StructuredSelection.EMPTY);
        });
        assertThat(Ui.get(() -> view.canvas().input().warnings())).isEmpty();
    }

    @Test
    void withCtrlItZoomsAndEscapeTakesTheSelectionFirst() {
        int width = Ui.get(() -> view.canvas().getClientArea().width);
        drag(width / 3, width * 3 / 4, SWT.MOD1);
        assertThat(isZoomed()).isTrue();
        assertThat(selected()).isEmpty();
        drag(width / 3, width / 2, 0);
        assertThat(selected()).isPresent();
        press(SWT.ESC);
        assertThat(selected()).isEmpty();
        assertThat(isZoomed()).isTrue();
        press(SWT.ESC);
        assertThat(isZoomed()).isFalse();
    }
}
