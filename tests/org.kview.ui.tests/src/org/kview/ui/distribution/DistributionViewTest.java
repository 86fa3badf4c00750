// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.eclipse.jface.viewers.StructuredSelection;
import org.eclipse.swt.graphics.ImageData;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kview.chart.DistributionSeries;
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
        Set<Integer> empty = colours(Ui.get(() -> view.canvas().image()));
        Ui.show(FIGURES);
        Set<Integer> painted = colours(Ui.get(() -> view.canvas().image()));
        assertThat(painted.size()).isGreaterThan(empty.size() + 3);
        assertThat(painted).contains(Metric.WALL.rgb(), Metric.ON_CPU.rgb());
        assertThat(empty).doesNotContain(Metric.WALL.rgb(), Metric.ON_CPU.rgb());
    }

    private static Set<Integer> colours(ImageData image) {
        Set<Integer> colours = new HashSet<>();
        for (int y = 0; y < image.height; y++) {
            for (int x = 0; x < image.width; x++) {
                var rgb = image.palette.getRGB(image.getPixel(x, y));
                colours.add(rgb.red << 16 | rgb.green << 8 | rgb.blue);
            }
        }
        return colours;
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
        DistributionInput input = DistributionInput.of(FIGURES, List.of(0, 1, 2, 3, 4, 5),
                EnumSet.of(Metric.WALL, Metric.ON_CPU));
        assertThat(input.series()).hasSize(DistributionInput.MOST_SERIES);
        assertThat(input.series().stream().map(DistributionSeries::rgb)).doesNotHaveDuplicates();
        assertThat(input.title()).isEqualTo("price_basket and 5 more, the first 7 curves");
    }

    /** The functions table's order, not the alphabet's. */
    @Test
    void theFirstThatAreSelectedAreDrawn() {
        DistributionInput input = DistributionInput.of(FIGURES, List.of(5, 2, 0, 4, 1, 3), EnumSet.of(Metric.WALL,
                Metric.ON_CPU));
        assertThat(input.series().stream().map(DistributionSeries::label)).startsWith("index_all wall-clock",
                "index_all on-CPU", "render wall-clock");
        assertThat(input.title()).startsWith("index_all and 5 more");
    }

    @Test
    void marksAndColoursOfSeveralFunctionsTellThemApart() {
        List<DistributionSeries> both = DistributionInput.of(FIGURES, List.of(0, 2), EnumSet.of(Metric.WALL,
                Metric.ON_CPU)).series();
        assertThat(both.stream().map(DistributionSeries::shortLabel)).containsExactly("price_basket wall",
                "price_basket CPU", "render wall", "render CPU");
        assertThat(DistributionInput.of(FIGURES, List.of(0, 2), EnumSet.of(Metric.WALL)).series().stream()
                .map(DistributionSeries::shortLabel)).containsExactly("price_basket", "render");
        Set<Integer> metrics = new HashSet<>();
        for (Metric metric : Metric.values()) {
            metrics.add(metric.rgb());
        }
        assertThat(DistributionInput.of(FIGURES, List.of(0, 1, 2, 3, 4, 5), EnumSet.of(Metric.WALL, Metric.ON_CPU)).series()
                .stream().map(DistributionSeries::rgb)).as("a metric's colour would be read as that metric")
                .doesNotContainAnyElementsOf(metrics);
    }

    @Test
    void causesThatNeverOccurredAreLeftOut() {
        DistributionInput input = DistributionInput.of(FIGURES, List.of(0), EnumSet.copyOf(Metric.CAUSES));
        assertThat(input.series().stream().map(DistributionSeries::label)).containsExactly("run queue", "lock");
    }

    /** A curve that is missing must not look like no time, nor another curve stand for it. */
    @Test
    void whatWasNotMeasuredIsNamed() {
        ProbePoint.SystemCall point = new ProbePoint.SystemCall("fsync");
        ProbedFunction call = new ProbedFunction(0, point.label(), point, Mechanism.TRACEPOINT, Set.of(Metric.WALL),
                ProbedFunction.ExitKind.UNKNOWN, 0, 300, List.of(), false, 0);
        FunctionLatency function = FIGURES.functions().get(1);
        LatencySnapshot figures = new LatencySnapshot(FIGURES.info(), List.of(new FunctionLatency(call, 2, 0, 0,
                Map.of(Metric.WALL, function.wall())), function), FIGURES.losses(), FIGURES.overhead(), List.of());
        DistributionInput both = DistributionInput.of(figures, List.of(0), EnumSet.of(Metric.WALL, Metric.ON_CPU));
        assertThat(both.series().stream().map(DistributionSeries::label)).containsExactly("wall-clock");
        assertThat(both.title()).isEqualTo("syscall:fsync · on-CPU not measured");
        DistributionInput cpu = DistributionInput.of(figures, List.of(0), EnumSet.of(Metric.ON_CPU));
        assertThat(cpu.series()).as("wall-clock time is switched off").isEmpty();
        assertThat(cpu.title()).isEqualTo("syscall:fsync · on-CPU not measured");
        assertThat(DistributionInput.of(FIGURES, List.of(0), EnumSet.noneOf(Metric.class)).title()).as("all is switched off")
                .isEqualTo("price_basket");
    }

    @Test
    void savesPngAndSvg() throws Exception {
        Ui.show(FIGURES);
        Path png = folder.resolve("a.png");
        PictureActions.write(png, "", Optional.of(Ui.get(() -> view.canvas().image())));
        assertThat(new ImageData(png.toString()).width).isGreaterThan(200);
        assertThat(Ui.get(() -> view.canvas().svg())).startsWith("<svg").contains("render").contains("</svg>");
        PictureActions.write(folder.resolve("a.svg"), "<svg/>", Optional.empty());
        assertThat(Files.readString(folder.resolve("a.svg"))).isEqualTo("<svg/>");
    }
}
