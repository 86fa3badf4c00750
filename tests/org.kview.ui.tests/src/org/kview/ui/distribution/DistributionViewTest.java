// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

import org.eclipse.jface.action.ActionContributionItem;
import org.eclipse.jface.action.ToolBarManager;
import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Menu;
import org.eclipse.swt.widgets.MenuItem;
import org.eclipse.ui.XMLMemento;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.chart.ChartTheme;
import org.kview.chart.DistributionSeries;
import org.kview.chart.Ink;
import org.kview.chart.ShareScale;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.ui.Figures;
import org.kview.ui.Ui;
import org.kview.ui.session.SessionState;

class DistributionViewTest {
    private static final LatencySnapshot FIGURES = Figures.snapshot(Figures.SHOP);

    @TempDir
    Path folder;

    private DistributionView view;

    @BeforeEach
    void open() {
        view = Ui.view(DistributionView.ID, DistributionView.class);
    }

    @AfterEach
    void close() {
        Ui.set(new SessionState.None());
    }

    @Test
    void withoutASelectionItShowsWhereTheMostTimeWent() {
        Ui.show(FIGURES);
        assertThat(Ui.get(() -> view.canvas().input().title())).isEqualTo("render");
    }

    @Test
    void itFollowsTheSelection() {
        Ui.show(FIGURES);
        Ui.run(() -> view.selectionChanged(view, new StructuredSelection(List.of(Figures.probed(1, "flush_cache"),
                Figures.probed(3, "fetch_rates")))));
        assertThat(Ui.get(() -> view.canvas().input().title())).isEqualTo("flush_cache and 1 more");
        Ui.run(() -> view.selectionChanged(view, StructuredSelection.EMPTY));
    }

    @Test
    void thePictureHoldsTheColoursOfWallClockAndOnCpu() {
        Ui.set(new SessionState.None());
        Set<Integer> empty = Ui.colours(Ui.get(() -> view.canvas().image()));
        Ui.show(FIGURES);
        Set<Integer> painted = Ui.colours(Ui.get(() -> view.canvas().image()));
        assertThat(painted.size()).isGreaterThan(empty.size() + 3);
        assertThat(painted).contains(Metric.WALL.rgb(), Metric.ON_CPU.rgb());
        assertThat(empty).doesNotContain(Metric.WALL.rgb(), Metric.ON_CPU.rgb());
    }

    @Test
    void thePointerReadsOutRangeCallsAndShare() {
        Ui.show(FIGURES);
        List<List<String>> everywhere = Ui.get(() -> {
            int width = view.canvas().getClientArea().width;
            return java.util.stream.IntStream.range(0, width).mapToObj(view.canvas()::hoverLines).toList();
        });
        assertThat(everywhere).anySatisfy(lines -> assertThat(lines).anyMatch(
                line -> line.matches("wall-clock:  [\\d.]+–[\\d.]+ ms · [\\d,]+ calls · [\\d.]+ %")));
        assertThat(everywhere.getFirst()).isEmpty();
    }

    @Test
    void manyFunctionsAreCutToWhatColoursTellApart() {
        DistributionInput input = input(FIGURES, List.of(0, 1, 2, 3, 4, 5),
                EnumSet.of(Metric.WALL, Metric.ON_CPU));
        assertThat(input.series()).hasSize(DistributionInput.MOST_SERIES);
        assertThat(input.series().stream().map(DistributionSeries::rgb)).doesNotHaveDuplicates();
        assertThat(input.title()).isEqualTo("price_basket and 5 more, the first 7 of 12 curves");
    }

    private static DistributionInput input(LatencySnapshot figures, List<Integer> selected, Set<Metric> metrics) {
        return DistributionInput.of(figures, selected.stream().map(id -> figures.functions().get(id).function()).toList(), metrics);
    }

    /** Also over those of another session. */
    @Test
    void callsWithAValueHaveCurvesOfTheirOwn() {
        LatencySnapshot figures = Figures.byValue();
        FunctionLatency value = figures.functions().getFirst().byValue().getFirst();
        DistributionInput input = DistributionInput.of(figures, List.of(value.function()), EnumSet.of(Metric.WALL));
        assertThat(input.title()).isEqualTo("price_basket · arg1 = 3");
        assertThat(input.series()).singleElement().satisfies(series -> assertThat(series.distribution()).isEqualTo(value.wall()));
        assertThat(input.with(Optional.of(new Overlay("before", figures))).series()).hasSize(2);
        assertThat(input.with(Optional.of(new Overlay("before", FIGURES))).title()).endsWith(" · not in before");
    }

    /** A curve that is not drawn must not be read as one that is not there. */
    @Test
    void ofOneFunctionBesideAnotherSessionItIsSaidAsWell() {
        Distribution some = new Distribution.Builder().add(5_000).build();
        Map<Metric, Distribution> all = new EnumMap<>(Metric.class);
        Set<Metric> metrics = EnumSet.of(Metric.WALL, Metric.ON_CPU);
        metrics.addAll(Metric.CAUSES);
        metrics.forEach(metric -> all.put(metric, some));
        LatencySnapshot figures = new LatencySnapshot(FIGURES.info(), List.of(new FunctionLatency(Figures.probed(0, "f"), 1, 0, 0, all)),
                FIGURES.losses(), FIGURES.overhead(), List.of());
        DistributionInput input = input(figures, List.of(0), metrics);
        assertThat(input.title()).isEqualTo("f");
        DistributionInput both = input.with(Optional.of(new Overlay("before", figures)));
        int drawn = both.series().size();
        assertThat(drawn).isLessThan(2 * metrics.size());
        assertThat(both.title()).isEqualTo("f, the first " + drawn + " of " + 2 * metrics.size() + " curves · over it: before");
    }

    /** The functions table's order, not the alphabet's. */
    @Test
    void theFirstThatAreSelectedAreDrawn() {
        DistributionInput input = input(FIGURES, List.of(5, 2, 0, 4, 1, 3), EnumSet.of(Metric.WALL,
                Metric.ON_CPU));
        assertThat(input.series().stream().map(DistributionSeries::label)).startsWith("index_all wall-clock",
                "index_all on-CPU", "render wall-clock");
        assertThat(input.title()).startsWith("index_all and 5 more");
    }

    @Test
    void marksAndColoursOfSeveralFunctionsTellThemApart() {
        List<DistributionSeries> both = input(FIGURES, List.of(0, 2), EnumSet.of(Metric.WALL,
                Metric.ON_CPU)).series();
        assertThat(both.stream().map(DistributionSeries::shortLabel)).containsExactly("price_basket wall",
                "price_basket CPU", "render wall", "render CPU");
        assertThat(input(FIGURES, List.of(0, 2), EnumSet.of(Metric.WALL)).series().stream()
                .map(DistributionSeries::shortLabel)).containsExactly("price_basket", "render");
        Set<Integer> metrics = new HashSet<>();
        for (Metric metric : Metric.values()) {
            metrics.add(metric.rgb());
        }
        assertThat(input(FIGURES, List.of(0, 1, 2, 3, 4, 5), EnumSet.of(Metric.WALL, Metric.ON_CPU)).series()
                .stream().map(DistributionSeries::rgb)).as("a metric's colour would be read as that metric")
                .doesNotContainAnyElementsOf(metrics);
    }

    @Test
    void causesThatNeverOccurredAreLeftOut() {
        DistributionInput input = input(FIGURES, List.of(0), EnumSet.copyOf(Metric.CAUSES));
        assertThat(input.series().stream().map(DistributionSeries::label)).containsExactly("run queue", "lock");
    }

    /** A curve that is missing must not look like no time, nor another curve stand for it. */
    @Test
    void whatWasNotMeasuredIsNamed() {
        ProbePoint.SystemCall point = new ProbePoint.SystemCall("fsync");
        ProbedFunction call = new ProbedFunction(0, point.label(), point, Mechanism.TRACEPOINT, Set.of(Metric.WALL),
                ProbedFunction.Ends.UNKNOWN, new ProbedFunction.Cost(0, 300), 0);
        FunctionLatency function = FIGURES.functions().get(1);
        LatencySnapshot figures = new LatencySnapshot(FIGURES.info(), List.of(new FunctionLatency(call, 2, 0, 0,
                Map.of(Metric.WALL, function.wall())), function), FIGURES.losses(), FIGURES.overhead(), List.of());
        DistributionInput both = input(figures, List.of(0), EnumSet.of(Metric.WALL, Metric.ON_CPU));
        assertThat(both.series().stream().map(DistributionSeries::label)).containsExactly("wall-clock");
        assertThat(both.title()).isEqualTo("syscall:fsync · on-CPU not measured");
        DistributionInput cpu = input(figures, List.of(0), EnumSet.of(Metric.ON_CPU));
        assertThat(cpu.series()).as("wall-clock time is switched off").isEmpty();
        assertThat(cpu.title()).isEqualTo("syscall:fsync · on-CPU not measured");
        assertThat(input(FIGURES, List.of(0), EnumSet.noneOf(Metric.class)).title()).as("all is switched off")
                .isEqualTo("price_basket");
    }

    /** Whichever metrics of calls are switched on. */
    @Test
    void aTracepointHasTheTimeBetweenItsHits() {
        ProbePoint.Tracepoint point = new ProbePoint.Tracepoint("sched", "sched_switch");
        ProbedFunction tracepoint = ProbedFunction.of(0, point.label(), point, Mechanism.TRACEPOINT, ProbedFunction.OF_HITS);
        FunctionLatency function = FIGURES.functions().get(1);
        LatencySnapshot figures = new LatencySnapshot(FIGURES.info(), List.of(new FunctionLatency(tracepoint, 2, 0, 0,
                Map.of(Metric.BETWEEN, function.wall())), function), FIGURES.losses(), FIGURES.overhead(), List.of());
        for (Set<Metric> metrics : List.of(EnumSet.of(Metric.WALL, Metric.ON_CPU), EnumSet.noneOf(Metric.class))) {
            DistributionInput input = input(figures, List.of(0), metrics);
            assertThat(input.series()).singleElement().satisfies(series -> {
                assertThat(series.label()).isEqualTo("time between hits");
                assertThat(series.distribution()).isEqualTo(function.wall());
            });
            assertThat(input.title()).isEqualTo("tracepoint:sched:sched_switch");
        }
        assertThat(input(figures, List.of(0, 1), EnumSet.of(Metric.WALL)).title()).doesNotContain("not measured");
    }

    private void send(int type, int x, Consumer<Event> more) {
        Ui.run(() -> {
            Event event = new Event();
            event.x = x;
            event.y = 150;
            event.button = 1;
            more.accept(event);
            view.canvas().notifyListeners(type, event);
        });
    }

    private double span() {
        return Ui.get(() -> view.canvas().chart().axis().maxNanos() / view.canvas().chart().axis().minNanos());
    }

    @Test
    void draggingOverTimesShowsThem() {
        Ui.show(FIGURES);
        int width = Ui.get(() -> view.canvas().getClientArea().width);
        double whole = span();
        send(SWT.MouseDown, width / 2, _ -> { });
        send(SWT.MouseMove, width / 2 + 2, _ -> { });
        send(SWT.MouseUp, width / 2 + 2, _ -> { });
        assertThat(span()).as("a click").isEqualTo(whole);
        double left = Ui.get(() -> view.canvas().nanosAt(width / 2));
        double right = Ui.get(() -> view.canvas().nanosAt(width * 3 / 4));
        send(SWT.MouseDown, width / 2, _ -> { });
        send(SWT.MouseMove, width * 3 / 4, _ -> { });
        Set<Integer> dragged = Ui.colours(Ui.get(() -> view.canvas().image()));
        assertThat(dragged).containsAnyOf(ChartTheme.LIGHT.rgb(Ink.Tone.SELECTION), ChartTheme.DARK.rgb(Ink.Tone.SELECTION));
        send(SWT.MouseUp, width * 3 / 4, _ -> { });
        assertThat(Ui.get(() -> view.canvas().chart().axis().minNanos())).isCloseTo(left, withinPercentage(0.1));
        assertThat(Ui.get(() -> view.canvas().chart().axis().maxNanos())).isCloseTo(right, withinPercentage(0.1));
        Ui.show(FIGURES);
        assertThat(span()).as("more calls of the same function").isCloseTo(right / left, withinPercentage(0.1));
        Ui.run(() -> view.selectionChanged(view, new StructuredSelection(List.of(Figures.probed(1, "flush_cache")))));
        Ui.run(() -> view.selectionChanged(view, StructuredSelection.EMPTY));
        assertThat(span()).as("another function, and back").isEqualTo(whole);
    }

    @Test
    void wheelAndKeysZoom() {
        Ui.show(FIGURES);
        int width = Ui.get(() -> view.canvas().getClientArea().width);
        double whole = span();
        double under = Ui.get(() -> view.canvas().nanosAt(width / 3));
        send(SWT.MouseVerticalWheel, width / 3, event -> event.count = 3);
        assertThat(span()).isLessThan(whole);
        assertThat(Ui.get(() -> view.canvas().nanosAt(width / 3))).isCloseTo(under, withinPercentage(0.1));
        send(SWT.MouseVerticalWheel, width / 3, event -> event.count = -3);
        assertThat(span()).isEqualTo(whole);
        send(SWT.KeyDown, 0, event -> event.character = '+');
        double zoomed = span();
        assertThat(zoomed).isLessThan(whole);
        double left = Ui.get(() -> view.canvas().chart().axis().minNanos());
        send(SWT.KeyDown, 0, event -> event.keyCode = SWT.ARROW_LEFT);
        assertThat(Ui.get(() -> view.canvas().chart().axis().minNanos())).isLessThan(left);
        assertThat(span()).isCloseTo(zoomed, withinPercentage(0.1));
        send(SWT.KeyDown, 0, event -> event.keyCode = SWT.ESC);
        assertThat(span()).isEqualTo(whole);
        Ui.run(view.canvas().zoom().history()::undo);
        assertThat(span()).as("undone").isNotEqualTo(whole);
        Ui.run(view.canvas().zoom().history()::redo);
        assertThat(span()).isEqualTo(whole);
        send(SWT.KeyDown, 0, event -> event.character = '+');
        send(SWT.MouseDoubleClick, width / 2, _ -> { });
        assertThat(span()).isEqualTo(whole);
    }

    @Test
    void heightsAreLogarithmicOnDemandAndWithTheSessionAgain() {
        Ui.show(FIGURES);
        assertThat(Ui.get(() -> view.canvas().svg())).contains("height: share of calls");
        ToolBarManager bar = (ToolBarManager) view.getViewSite().getActionBars().getToolBarManager();
        ActionContributionItem log = Arrays.stream(bar.getItems()).filter(ActionContributionItem.class::isInstance)
                .map(ActionContributionItem.class::cast).filter(item -> item.getAction().getText().equals("Log")).findFirst()
                .orElseThrow();
        Ui.run(() -> {
            log.getAction().setChecked(true);
            log.getAction().run();
        });
        assertThat(Ui.get(() -> view.canvas().heights())).isEqualTo(ShareScale.LOGARITHMIC);
        XMLMemento memento = XMLMemento.createWriteRoot("view");
        Ui.run(() -> view.saveSession(memento));
        Ui.run(() -> view.restoreSession(XMLMemento.createWriteRoot("view")));
        assertThat(Ui.get(() -> view.canvas().heights())).isEqualTo(ShareScale.LINEAR);
        Ui.run(() -> view.restoreSession(memento));
        assertThat(Ui.get(() -> view.canvas().heights())).isEqualTo(ShareScale.LOGARITHMIC);
        assertThat(log.getAction().isChecked()).isTrue();
        Ui.run(() -> view.restoreSession(XMLMemento.createWriteRoot("view")));
    }

    /** By the menu, as a user chooses them; the button shows whether one of them is its own. */
    @Test
    void heightsAreCumulativeOrPercentilesByTheMenu() {
        Ui.show(FIGURES);
        for (ShareScale scale : List.of(ShareScale.CUMULATIVE, ShareScale.PERCENTILES, ShareScale.LOGARITHMIC, ShareScale.LINEAR)) {
            Ui.run(() -> {
                Menu menu = view.canvas().getMenu();
                menu.notifyListeners(SWT.Show, new Event());
                MenuItem heights = Arrays.stream(menu.getItems()).filter(item -> item.getText().equals("&Heights")).findFirst().orElseThrow();
                heights.getMenu().notifyListeners(SWT.Show, new Event());
                MenuItem[] items = heights.getMenu().getItems();
                for (int i = 0; i < items.length; i++) {
                    items[i].setSelection(i == scale.ordinal());
                }
                items[scale.ordinal()].notifyListeners(SWT.Selection, new Event());
            });
            assertThat(Ui.get(() -> view.canvas().heights())).isEqualTo(scale);
            String picture = Ui.get(() -> view.canvas().svg());
            assertThat(picture.contains("took no longer")).isEqualTo(scale == ShareScale.CUMULATIVE);
            assertThat(picture.contains(">p99<")).isEqualTo(scale == ShareScale.PERCENTILES);
        }
    }

    @Test
    void whatIsCopiedHoldsEachCallOnce() {
        Ui.show(FIGURES);
        List<DistributionSeries> curves = Ui.get(() -> view.canvas().series());
        List<String> lines = List.of(PictureActions.csv(curves).split("\r\n"));
        assertThat(lines.getFirst()).isEqualTo("curve,from_ns,below_ns,calls");
        assertThat(lines.stream().skip(1).mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(',') + 1))).sum())
                .isPositive().isEqualTo(curves.stream().mapToLong(curve -> curve.distribution().count()).sum());
    }

    @Test
    void savesPngAndSvg() throws Exception {
        Ui.show(FIGURES);
        Path png = folder.resolve("a.png");
        PictureActions.write(png, "", Optional.of(Ui.get(() -> view.canvas().image())));
        assertThat(new ImageData(png.toString()).width).isGreaterThan(200);
        assertThat(Ui.get(() -> view.canvas().svg())).startsWith("<svg").contains("render").contains("</svg>");
        // A view that is too low for the title saves it all the same.
        String title = Ui.get(() -> view.canvas().input().title());
        Point shown = Ui.get(() -> view.canvas().getSize());
        Ui.run(() -> view.canvas().setSize(shown.x, DistributionCanvas.LEAST_HEIGHT));
        assertThat(Ui.get(() -> view.canvas().svg())).contains(">" + title + "<");
        Ui.run(() -> view.canvas().setSize(shown));
        PictureActions.write(folder.resolve("a.svg"), "<svg/>", Optional.empty());
        assertThat(Files.readString(folder.resolve("a.svg"))).isEqualTo("<svg/>");
        // It is replaced, not written over: a disk that gets full leaves the former one.
        Path former = Files.createLink(folder.resolve("former.svg"), folder.resolve("a.svg"));
        PictureActions.write(folder.resolve("a.svg"), "<svg></svg>", Optional.empty());
        assertThat(former).hasContent("<svg/>");
        assertThat(folder.resolve("a.svg")).hasContent("<svg></svg>");
    }
}
