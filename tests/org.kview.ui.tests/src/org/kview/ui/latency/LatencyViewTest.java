// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Event;
import org.eclipse.tracecompass.tmf.core.signal.TmfSelectionRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.signal.TmfSignalManager;
import org.eclipse.tracecompass.tmf.core.signal.TmfWindowRangeUpdatedSignal;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.TmfTraceManager;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.calls.CallBox;
import org.kview.chart.Area;
import org.kview.chart.ChartTheme;
import org.kview.chart.Ink;
import org.kview.model.Bookmark;
import org.kview.model.Bookmark.Range;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.session.calls.CallSelector;
import org.kview.session.calls.StoredSession;
import org.kview.ui.KviewUi;
import org.kview.ui.RealSession;
import org.kview.ui.Ui;
import org.kview.ui.calls.GrowingCalls;
import org.kview.ui.functions.FunctionsView;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;

class LatencyViewTest {
    @TempDir
    static Path folder;

    private LatencyView view;
    private LatencyCanvas canvas;

    /** Once: none of these tests changes it. */
    @BeforeAll
    static void openSession() throws Exception {
        RealSession.openWithTrace(RealSession.in(folder));
    }

    @AfterAll
    static void closeSession() throws InterruptedException {
        RealSession.close();
    }

    @BeforeEach
    void open() throws Exception {
        view = Ui.view(LatencyView.ID, LatencyView.class);
        canvas = view.canvas();
        Ui.run(() -> {
            selection().clear();
            view.zoom().showAll();
        });
        awaitDrawn();
    }

    /** What was asked for last, with its figures. */
    private void awaitDrawn() throws InterruptedException {
        Ui.settle();
        Ui.await("it is drawn", view::isAnswered);
    }

    private HeatPicture picture() {
        return Ui.get(() -> canvas.scene().picture()).orElseThrow();
    }

    private HeatSummary summary() {
        return Ui.get(() -> canvas.scene().summary()).orElseThrow();
    }

    private static SelectionService selection() {
        return Ui.get(SelectionService::get);
    }

    private void send(int type, double x, double y, Consumer<Event> more) {
        Ui.run(() -> {
            Event event = new Event();
            event.x = (int) x;
            event.y = (int) y;
            event.button = 1;
            more.accept(event);
            canvas.notifyListeners(type, event);
        });
    }

    private void drag(Area area, int keys) throws InterruptedException {
        send(SWT.MouseDown, area.x(), area.y(), event -> event.stateMask = keys);
        send(SWT.MouseMove, area.right(), area.bottom(), event -> event.stateMask = keys);
        send(SWT.MouseUp, area.right(), area.bottom(), event -> event.stateMask = keys);
        awaitDrawn();
    }

    private void selectFunction(String name) throws InterruptedException {
        FunctionLatency wanted = RealSession.function(name);
        Ui.run(() -> ((FunctionsView) Ui.page().findView(KviewUi.VIEW_FUNCTIONS)).select(
                Bookmark.Function.of(wanted.function())));
        awaitDrawn();
    }

    /** Each call once, and of each function the very percentiles of the report. */
    @Test
    void itsNumbersAreTheReports() throws Exception {
        long counted = Arrays.stream(picture().map().counts()).flatMapToLong(Arrays::stream).sum();
        assertThat(counted).isEqualTo(RealSession.calls());
        assertThat(summary().shown().count()).isEqualTo(RealSession.calls());
        for (FunctionLatency function : RealSession.figures().functions()) {
            selectFunction(function.function().name());
            assertThat(summary().shown()).as(function.function().name()).isEqualTo(function.wall());
            assertThat(Ui.get(() -> canvas.scene().title())).isEqualTo(function.function().name());
        }
        assertThat(summary().selected()).isEmpty();
    }

    /** As the window system tells of it: its first click is a click as well. */
    @Test
    void aDoubleClickShowsAllAndTakesNothing() throws Exception {
        Area plot = picture().scale().plot();
        drag(plot.inset(plot.width() / 4, plot.height() / 4, plot.width() / 4, plot.height() / 4), 0);
        CallSelection selected = Ui.get(() -> selection().selection());
        assertThat(selected.hasBox()).isTrue();
        for (int type : new int[] {SWT.MouseDown, SWT.MouseUp, SWT.MouseDown, SWT.MouseDoubleClick, SWT.MouseUp}) {
            send(type, plot.x() + 9, plot.y() + 9, _ -> { });
        }
        awaitDrawn();
        assertThat(Ui.get(() -> selection().selection())).isEqualTo(selected);
    }

    /** What an earlier click took away is not brought back by a double click beside the picture. */
    @Test
    void aDoubleClickBringsBackOnlyWhatItsOwnClickTook() throws Exception {
        Area plot = picture().scale().plot();
        Area box = plot.inset(plot.width() / 4, plot.height() / 4, plot.width() / 4, plot.height() / 4);
        drag(box, 0);
        send(SWT.MouseDown, plot.x() + 9, plot.y() + 9, _ -> { });
        send(SWT.MouseUp, plot.x() + 9, plot.y() + 9, _ -> { });
        assertThat(Ui.get(() -> selection().selection().hasBox())).isFalse();
        for (int type : new int[] {SWT.MouseDown, SWT.MouseUp, SWT.MouseDown, SWT.MouseDoubleClick, SWT.MouseUp}) {
            send(type, 1, 1, _ -> { });
        }
        awaitDrawn();
        assertThat(Ui.get(() -> selection().selection().hasBox())).as("a double click beside the picture selects nothing").isFalse();
    }

    /** Each call that is stored so far once, and that it is not all is said. */
    @Test
    void thePictureGrowsWhileCallsAreStored() throws Exception {
        try (GrowingCalls growing = new GrowingCalls(folder.resolve("demo.kview.zip"), folder.resolve("growing"))) {
            long first = growing.part().ask(StoredSession::calls).orElseThrow();
            awaitDrawn();
            assertThat(summary().shown().count()).isEqualTo(first).isLessThan(RealSession.calls());
            assertThat(Ui.get(view::soFar)).contains("Figures are of these");
            List<String> missing = Ui.get(() -> view.banner().sentences());
            long more = growing.all().ask(StoredSession::calls).orElseThrow();
            Ui.await("it has grown", () -> view.isAnswered() && canvas.scene().summary().orElseThrow().shown().count() == more);
            assertThat(Arrays.stream(picture().map().counts()).flatMapToLong(Arrays::stream).sum()).isEqualTo(more).isGreaterThan(first);
            assertThat(Ui.get(() -> view.banner().sentences())).as("what is missing by now").isNotEqualTo(missing)
                    .isEqualTo(RealSession.store().ask(StoredSession::findings).orElseThrow());
        }
        awaitDrawn();
        assertThat(summary().shown().count()).isEqualTo(RealSession.calls());
        assertThat(Ui.get(view::soFar)).isEmpty();
    }

    @Test
    void whatIsCopiedHoldsEachCallOnce() {
        Instant began = RealSession.figures().info().start();
        long start = began.getEpochSecond() * 1_000_000_000 + began.getNano();
        List<String> lines = List.of(picture().csv(start).split("\r\n"));
        assertThat(lines.getFirst()).isEqualTo("returned_from_ns,returned_before_ns,wall_from_ns,wall_below_ns,calls");
        assertThat(lines.stream().skip(1).mapToLong(line -> Long.parseLong(line.split(",")[4])).sum()).isEqualTo(RealSession.calls());
        assertThat(lines.stream().skip(1).mapToLong(line -> Long.parseLong(line.split(",")[1]))).as("since its start")
                .allMatch(nanos -> nanos > 0 && nanos < Duration.ofHours(1).toNanos());
    }

    @Test
    void aBoxSelectsItsCallsEverywhere() throws Exception {
        Area plot = picture().scale().plot();
        Area box = new Area(Math.floor(plot.x() + plot.width() / 4), Math.floor(plot.y() + 10), Math.floor(plot.width() / 2),
                Math.floor(plot.height() / 2));
        drag(box, 0);
        CallSelection selected = Ui.get(() -> selection().selection());
        Range time = selected.time().orElseThrow();
        CallBox.Range wall = selected.wall().orElseThrow();
        assertThat(time).isEqualTo(new Range(picture().scale().timeAt(box.x()), picture().scale().timeAt(box.right())));
        CallSelector same = CallSelector.ALL.withEnds(new CallBox.Range(time.beginNanos(), time.endNanos())).withWall(wall);
        Distribution calls = RealSession.store().ask(its -> its.distribution(same, () -> true)).orElseThrow();
        assertThat(calls.count()).isPositive().isLessThan(RealSession.calls());
        assertThat(summary().selected()).contains(calls);
        var context = Ui.get(() -> TmfTraceManager.getInstance().getCurrentTraceContext().getSelectionRange());
        assertThat(RealSession.time(context)).isEqualTo(time);
        assertThat(Ui.get(() -> canvas.scene().brush())).isPresent();
        // A click takes it back, and so does Escape.
        send(SWT.KeyDown, 0, 0, event -> event.keyCode = SWT.ESC);
        assertThat(Ui.get(() -> selection().selection().hasBox())).isFalse();
    }

    @Test
    void itFollowsTraceCompass() throws Exception {
        Range all = picture().scale().range();
        long third = (all.endNanos() - all.beginNanos()) / 3;
        long lag = RealSession.trace().clockLagNanos();
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfSelectionRangeUpdatedSignal(this,
                TmfTimestamp.fromNanos(all.beginNanos() + 2 * third - lag), TmfTimestamp.fromNanos(all.beginNanos() + third - lag))));
        awaitDrawn();
        assertThat(Ui.get(() -> selection().selection().time())).contains(new Range(all.beginNanos() + third, all.beginNanos() + 2 * third));
        assertThat(summary().selected()).isPresent();
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfWindowRangeUpdatedSignal(this, new TmfTimeRange(
                TmfTimestamp.fromNanos(all.beginNanos() + third - lag), TmfTimestamp.fromNanos(all.beginNanos() + 2 * third - lag)))));
        awaitDrawn();
        assertThat(picture().scale().range()).isEqualTo(new Range(all.beginNanos() + third, all.beginNanos() + 2 * third));
        Ui.run(() -> TmfSignalManager.dispatchSignal(new TmfSelectionRangeUpdatedSignal(this,
                TmfTimestamp.fromNanos(all.beginNanos() + third - lag))));
        awaitDrawn();
        assertThat(Ui.get(() -> selection().selection().time())).as("a moment selects no calls").isEmpty();
    }

    @Test
    void wheelKeysAndCtrlDragZoom() throws Exception {
        HeatScale whole = picture().scale();
        Area plot = whole.plot();
        double x = plot.x() + plot.width() / 3;
        long under = whole.timeAt(x);
        send(SWT.MouseVerticalWheel, x, plot.y() + 20, event -> event.count = 3);
        awaitDrawn();
        Range zoomed = picture().scale().range();
        assertThat(zoomed.endNanos() - zoomed.beginNanos()).isLessThan(whole.range().endNanos() - whole.range().beginNanos());
        assertThat(Math.abs(picture().scale().x(under) - x)).isLessThan(1.5);
        var window = Ui.get(() -> TmfTraceManager.getInstance().getCurrentTraceContext().getWindowRange());
        assertThat(RealSession.time(window)).as("Trace Compass shows the same").isEqualTo(zoomed);
        send(SWT.KeyDown, 0, 0, event -> event.keyCode = SWT.ARROW_RIGHT);
        awaitDrawn();
        assertThat(picture().scale().range().beginNanos()).isGreaterThan(zoomed.beginNanos());
        send(SWT.KeyDown, 0, 0, event -> event.character = '0');
        awaitDrawn();
        assertThat(picture().scale()).isEqualTo(whole);
        drag(new Area(Math.floor(x), Math.floor(plot.y() + 5), 60, Math.floor(plot.height() / 2)), SWT.MOD1);
        assertThat(picture().scale().range().beginNanos()).isEqualTo(whole.timeAt(Math.floor(x)));
        assertThat(picture().scale().wall().minNanos()).isGreaterThan(whole.wall().minNanos());
        assertThat(Ui.get(() -> selection().selection().hasBox())).as("Ctrl and drag selects nothing").isFalse();
        send(SWT.MouseDoubleClick, x, plot.y() + 5, _ -> { });
        awaitDrawn();
        assertThat(picture().scale()).isEqualTo(whole);
    }

    @Test
    void keysSelectAsWell() throws Exception {
        for (int key : new int[] {SWT.ARROW_RIGHT, SWT.ARROW_RIGHT, SWT.ARROW_UP}) {
            send(SWT.KeyDown, 0, 0, event -> {
                event.keyCode = key;
                event.stateMask = SWT.MOD2;
            });
        }
        awaitDrawn();
        CallSelection selected = Ui.get(() -> selection().selection());
        assertThat(selected.time().orElseThrow().endNanos()).isGreaterThan(selected.time().get().beginNanos());
        assertThat(selected.wall().orElseThrow().most()).isEqualTo(Long.MAX_VALUE);
        send(SWT.KeyDown, 0, 0, event -> event.keyCode = SWT.CR);
        awaitDrawn();
        assertThat(picture().scale().range()).isEqualTo(selected.time().get());
    }

    @Test
    void thePointerTellsExactNumbers() {
        HeatPicture picture = picture();
        Area plot = picture.scale().plot();
        boolean found = false;
        for (int y = (int) plot.y(); y < plot.bottom(); y += 2) {
            for (int x = (int) plot.x(); x < plot.right(); x += 3) {
                int cx = x;
                int cy = y;
                List<String> lines = Ui.get(() -> canvas.hoverLines(cx, cy));
                int pixel = picture.pixels()[(int) ((y - plot.y()) * plot.width() + x - plot.x())];
                if (pixel == HeatPicture.NOTHING) {
                    assertThat(lines.isEmpty() || lines.getFirst().endsWith(": 0 calls")).isTrue();
                } else if (!found) {
                    found = true;
                    assertThat(lines.getFirst()).matches("[\\d.]+–[\\d.]+ (ns|µs|ms|s): [1-9][\\d,]* calls?");
                    assertThat(lines.get(1)).matches("All latencies: [1-9][\\d,]* calls? · p50 .* · p99 .*");
                    assertThat(lines.get(2)).matches("-?\\d+\\.\\d{9}–-?\\d+\\.\\d{9} s since the start · \\d\\d:\\d\\d:\\d\\d\\.\\d{6} UTC");
                }
            }
        }
        assertThat(found).isTrue();
        assertThat(Ui.get(() -> canvas.hoverLines(1, 1))).isEmpty();
    }

    @Test
    void cellsAreSeenInBothThemes() {
        Set<Integer> painted = Ui.colours(Ui.get(() -> canvas.image(canvas.scene())));
        boolean dark = Ui.get(canvas::isDark);
        assertThat(painted).contains(HeatColours.of(1, picture().most(), dark));
        for (boolean theme : new boolean[] {false, true}) {
            int ground = (theme ? ChartTheme.DARK : ChartTheme.LIGHT)
                    .rgb(Ink.Tone.BACKGROUND);
            double before = 0;
            for (long calls = 1; calls <= 1_000_000; calls *= 10) {
                double contrast = ChartTheme.contrast(HeatColours.of(calls, 1_000_000, theme), ground);
                assertThat(contrast).as("a single call, and more of them").isGreaterThan(Math.max(1.5, before));
                before = contrast;
            }
        }
    }
}
