// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.chart.DistributionSeries.Bin;
import org.kview.chart.RecordingSurface.DrawnText;
import org.kview.chart.RecordingSurface.VerticalLine;
import org.kview.model.Distribution;

class DistributionChartTest {
    private static final Area AREA = new Area(10, 20, 700, 260);

    private static Distribution logNormal(double medianNanos, double sigma, int calls) {
        Random random = new Random(calls);
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < calls; i++) {
            builder.add(Math.round(medianNanos * Math.exp(sigma * random.nextGaussian())));
        }
        return builder.build();
    }

    private static DistributionSeries series(String label, Distribution distribution) {
        return new DistributionSeries(label, label, 0x3465A4, distribution, Math.max(1, distribution.count()));
    }

    private static RecordingSurface draw(DistributionSeries... series) {
        RecordingSurface surface = new RecordingSurface();
        DistributionChart.of(List.of(series)).draw(surface, AREA);
        return surface;
    }

    /** Of all polygons, in pixels times pixels. */
    private static double inkedArea(RecordingSurface surface) {
        double area = 0;
        for (List<Surface.Point> polygon : surface.polygons) {
            for (int i = 0; i < polygon.size(); i++) {
                Surface.Point a = polygon.get(i);
                Surface.Point b = polygon.get((i + 1) % polygon.size());
                area += a.x() * b.y() - b.x() * a.y();
            }
        }
        return Math.abs(area) / 2;
    }

    /** In a small window there is hardly any room: of what there is the curves have their part. */
    @Test
    void aLowPictureHasCurvesThatCanBeSeen() {
        RecordingSurface surface = new RecordingSurface();
        DistributionChart.of(List.of(series("f", logNormal(2e6, 0.7, 5000)))).draw(surface, new Area(10, 20, 500, 90));
        double[] ys = surface.polygons.stream().flatMap(List::stream).mapToDouble(Surface.Point::y).sorted().toArray();
        assertThat(ys[ys.length - 1] - ys[0]).isGreaterThan(20);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 100, 5000, 200_000})
    void everyCallIsInExactlyOneBin(int calls) {
        for (double median : new double[] {3, 40, 5_000, 2e6, 3e9}) {
            DistributionSeries series = series("f", logNormal(median, 0.7, calls));
            List<Bin> bins = series.bins();
            assertThat(bins.stream().mapToLong(Bin::count).sum()).isEqualTo(calls);
            assertThat(bins.stream().mapToDouble(Bin::share).sum()).isCloseTo(1, offset(1e-9));
            for (int i = 0; i + 1 < bins.size(); i++) {
                assertThat(bins.get(i).highNanos()).isEqualTo(bins.get(i + 1).lowNanos());
            }
        }
    }

    @Test
    void theDensityIntegratesToTheShare() {
        for (Bin bin : series("f", logNormal(12, 1, 1000)).bins()) {
            double logWidth = Math.log(bin.highNanos() / Math.max(LogAxis.LEAST_NANOS, bin.lowNanos()));
            assertThat(bin.density() * logWidth).isCloseTo(bin.share(), offset(1e-12));
        }
    }

    @Test
    void areasAreAsTheShares() {
        Distribution all = logNormal(1e6, 0.5, 100_000);
        // Half of the calls waited, and for them it is the same distribution: half the area.
        Distribution half = logNormal(1e6, 0.5, 50_000);
        DistributionSeries wall = series("wall", all);
        DistributionSeries waited = new DistributionSeries("lock", "lock", 0xCC79A7, half, all.count());
        RecordingSurface both = draw(wall, waited);
        double total = inkedArea(both);
        RecordingSurface one = draw(wall);
        assertThat(total / inkedArea(one)).isCloseTo(1.5, offset(0.03));
    }

    @Test
    void manyCallsAreDrawnByBucketAndFewAreMerged() {
        assertThat(series("many", logNormal(1e6, 0.5, 200_000)).bins().size())
                .isGreaterThan(2 * series("few", logNormal(1e6, 0.5, 60)).bins().size());
    }

    @Test
    void aSingleSlowCallAmongAMillionIsSeen() {
        Distribution.Builder builder = new Distribution.Builder().add(logNormal(1e3, 0.1, 1_000_000));
        Distribution distribution = builder.add(5_000_000_000L).build();
        DistributionChart chart = DistributionChart.of(List.of(series("f", distribution)));
        RecordingSurface surface = new RecordingSurface();
        chart.draw(surface, AREA);
        double x = chart.xOf(5e9, AREA);
        assertThat(surface.polygons).anySatisfy(polygon -> {
            assertThat(polygon.getFirst().x()).isLessThanOrEqualTo(x);
            assertThat(polygon.getLast().x()).isGreaterThanOrEqualTo(x);
            assertThat(polygon.getFirst().y() - polygon.get(1).y()).isGreaterThan(2);
        });
        assertThat(chart.hover(x, AREA)).singleElement().extracting(Hover::text).asString()
                .endsWith("s · 1 call · <0.1 %");
    }

    @Test
    void hoverTellsRangeCountAndShare() {
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < 1000; i++) {
            builder.add(i < 34 ? 2_050_000 : 20_000_000);
        }
        DistributionChart chart = DistributionChart.of(List.of(series("f", builder.build())));
        assertThat(chart.hover(chart.xOf(2_050_000, AREA), AREA)).extracting(Hover::text)
                .containsExactly("2.03–2.10 ms · 34 calls · 3.4 %");
        assertThat(chart.hover(chart.xOf(6_000_000, AREA), AREA)).isEmpty();
        assertThat(chart.nanosAt(chart.xOf(2_050_000, AREA), AREA)).isCloseTo(2_050_000, offset(1e-3));
    }

    @Test
    void labelsLieNeitherOverEachOtherNorOverALine() {
        for (double factor = 1; factor < 40; factor *= 1.17) {
            RecordingSurface surface = draw(series("wall", logNormal(1e6, 0.4, 3000)),
                    series("CPU", logNormal(1e6 / factor, 0.3, 3000)));
            List<DrawnText> marks = surface.texts.stream().filter(t -> t.text().contains(" p")).toList();
            assertThat(marks).hasSizeGreaterThanOrEqualTo(3);
            List<VerticalLine> dashes = surface.lines.stream().filter(VerticalLine::dashed).toList();
            assertThat(dashes).hasSameSizeAs(marks);
            for (DrawnText mark : marks) {
                assertThat(mark.left()).isGreaterThanOrEqualTo(AREA.x());
                assertThat(mark.right()).isLessThanOrEqualTo(AREA.right());
                assertThat(marks).noneMatch(other -> other != mark && other.baseline() == mark.baseline()
                        && other.left() < mark.right() && mark.left() < other.right());
                assertThat(dashes).noneMatch(line -> line.x() > mark.left() && line.x() < mark.right()
                        && line.top() < mark.baseline());
            }
        }
    }

    /** A cause of five calls must not have the place of one that most of the time went to. */
    @Test
    void whereRoomIsShortLargePartsHaveTheirLabels() {
        List<DistributionSeries> series = new ArrayList<>(List.of(series("wall", logNormal(1.2e6, 0.3, 3000))));
        for (String rare : List.of("page fault", "block", "steal", "other")) {
            series.add(series(rare, logNormal(1e6, 0.3, 5)));
        }
        series.add(series("lock", logNormal(1.1e6, 0.3, 3000)));
        RecordingSurface surface = new RecordingSurface();
        DistributionChart.of(series).draw(surface, new Area(10, 20, 560, 260));
        List<String> marks = surface.texts.stream().map(DrawnText::text).filter(t -> t.contains(" p")).toList();
        assertThat(marks).anyMatch(t -> t.startsWith("wall p99")).anyMatch(t -> t.startsWith("lock p50"))
                .anyMatch(t -> t.startsWith("lock p99")).hasSizeLessThan(12);
    }

    @Test
    void labelsOfTheAxisAreParted() {
        for (double sigma : new double[] {0.01, 0.3, 1, 3}) {
            RecordingSurface surface = draw(series("f", logNormal(1e5, sigma, 1000)));
            double axis = surface.texts.stream().mapToDouble(DrawnText::baseline).max().orElseThrow();
            List<DrawnText> labels = new ArrayList<>(surface.texts.stream().filter(t -> t.baseline() == axis).toList());
            labels.sort(Comparator.comparingDouble(DrawnText::left));
            assertThat(labels).hasSizeGreaterThanOrEqualTo(2);
            for (int i = 0; i + 1 < labels.size(); i++) {
                assertThat(labels.get(i).right() + 8).isLessThan(labels.get(i + 1).left());
            }
        }
    }

    /** Of the calls at a time, in pixels. */
    private static double heightAt(DistributionChart chart, double nanos) {
        RecordingSurface surface = new RecordingSurface();
        chart.draw(surface, AREA);
        double x = chart.xOf(nanos, AREA);
        double bottom = surface.polygons.getFirst().getFirst().y();
        return surface.polygons.stream().filter(p -> p.getFirst().x() <= x && p.getLast().x() >= x)
                .mapToDouble(p -> bottom - p.stream().filter(point -> point.x() <= x).reduce((_, last) -> last).orElseThrow().y())
                .max().orElse(0);
    }

    @Test
    void logarithmicHeightsShowTheTail() {
        Distribution distribution = new Distribution.Builder().add(logNormal(1e3, 0.1, 1_000_000)).add(logNormal(5e6, 0.1, 100))
                .build();
        DistributionChart plain = DistributionChart.of(List.of(series("f", distribution)));
        assertThat(heightAt(plain, 5e6) / heightAt(plain, 1e3)).isLessThan(0.05);
        DistributionChart logarithmic = plain.withShares(ShareScale.LOGARITHMIC);
        assertThat(heightAt(logarithmic, 5e6) / heightAt(logarithmic, 1e3)).isGreaterThan(0.2);
        assertThat(heightAt(logarithmic, 1e3)).isGreaterThan(heightAt(logarithmic, 1.2e3))
                .isGreaterThan(heightAt(logarithmic, 5e6));
    }

    /** The labels left of the curves. */
    private static List<DrawnText> shares(DistributionChart chart) {
        RecordingSurface surface = new RecordingSurface();
        chart.draw(surface, AREA);
        return surface.texts.stream().filter(t -> t.text().endsWith(" %")).toList();
    }

    @Test
    void heightsHaveAnAxis() {
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < 1000; i++) {
            builder.add(i < 199 ? 1_000_000 : i < 999 ? 10_000_000 : 100_000_000);
        }
        DistributionSeries series = series("f", builder.build());
        DistributionChart chart = DistributionChart.of(List.of(series));
        assertThat(shares(chart)).isEmpty();
        List<DrawnText> linear = shares(chart.withShares(ShareScale.LINEAR));
        double most = 100 * series.bins().stream().mapToDouble(Bin::density).max().orElseThrow() * Math.log(1.01);
        assertThat(most).as("80 %% of the calls are in a bucket of some %%").isBetween(10.0, 25.0);
        assertThat(linear).extracting(DrawnText::text).startsWith("0 %", "5 %", "10 %");
        double highest = heightAt(chart.withShares(ShareScale.LINEAR), 10_000_000);
        assertThat(linear.get(0).baseline() - linear.get(2).baseline()).isCloseTo(highest * 10 / most, offset(0.5));
        assertThat(linear).allMatch(t -> t.left() >= AREA.x());
        List<DrawnText> logarithmic = shares(chart.withShares(ShareScale.LOGARITHMIC));
        assertThat(logarithmic).extracting(DrawnText::text).endsWith("0.1 %", "1 %", "10 %");
        assertThat(logarithmic.get(0).baseline() - logarithmic.get(1).baseline())
                .isCloseTo(logarithmic.get(1).baseline() - logarithmic.get(2).baseline(), offset(0.01));
    }

    /** Of a thousand calls 899 took 1 ms, a hundred 10 ms, and one a second. */
    private static DistributionChart cumulative(ShareScale scale) {
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < 1000; i++) {
            builder.add(i < 899 ? 1_000_000 : i < 999 ? 10_000_000 : 1_000_000_000);
        }
        return DistributionChart.of(List.of(series("f", builder.build()))).withShares(scale);
    }

    /** The height of the curve right of a time, as a share of the whole room. */
    private static double curveAfter(DistributionChart chart, double nanos) {
        RecordingSurface surface = new RecordingSurface();
        chart.draw(surface, AREA);
        List<Surface.Point> curve = surface.polylines.getFirst();
        double x = chart.xOf(nanos, AREA);
        double bottom = curve.getFirst().y();
        double y = curve.stream().filter(point -> point.x() > x).findFirst().orElseThrow().y();
        return (bottom - y) / (bottom - labelAt(surface, scaleTop(chart)));
    }

    private static String scaleTop(DistributionChart chart) {
        RecordingSurface surface = new RecordingSurface();
        chart.draw(surface, AREA);
        return surface.texts.stream().anyMatch(t -> t.text().equals("100 %")) ? "100 %" : "p99.9";
    }

    private static double labelAt(RecordingSurface surface, String label) {
        return surface.texts.stream().filter(t -> t.text().equals(label)).findFirst().orElseThrow().baseline() - 4;
    }

    @Test
    void cumulativeHeightsAreTheShareOfCallsThatTookNoLonger() {
        DistributionChart chart = cumulative(ShareScale.CUMULATIVE);
        assertThat(curveAfter(chart, 1_000_000)).isCloseTo(0.899, offset(0.005));
        assertThat(curveAfter(chart, 10_000_000)).isCloseTo(0.999, offset(0.005));
        assertThat(curveAfter(chart, 1_000_000_000)).isCloseTo(1, offset(0.005));
        assertThat(shares(chart)).extracting(DrawnText::text).startsWith("0 %").endsWith("100 %");
        assertThat(chart.hover(chart.xOf(10_000_000, AREA), AREA)).extracting(Hover::text).singleElement().asString()
                .startsWith("below 10.").endsWith(": 999 calls · 99.9 %, above: 1 · 0.1 %");
        assertThat(chart.hover(chart.xOf(3_000_000, AREA), AREA)).as("between the calls").extracting(Hover::text).singleElement()
                .asString().endsWith(": 899 calls · 89.9 %, above: 101 · 10.1 %");
    }

    /** Each nine has the same height: the slowest call is as far from p99.9 as p99 from p90, or less. */
    @Test
    void percentilesGrowByNines() {
        DistributionChart chart = cumulative(ShareScale.PERCENTILES);
        RecordingSurface surface = new RecordingSurface();
        chart.draw(surface, AREA);
        double p90 = labelAt(surface, "p90"), p99 = labelAt(surface, "p99"), p999 = labelAt(surface, "p99.9");
        assertThat(p90 - p99).isCloseTo(p99 - p999, offset(0.01)).isPositive();
        assertThat(surface.texts).extracting(DrawnText::text).doesNotContain("p99.99");
        assertThat(curveAfter(chart, 1_000_000)).as("89.9 %, nearly p90").isCloseTo(1 / 3.0, offset(0.01));
        assertThat(curveAfter(chart, 10_000_000)).as("p99.9").isCloseTo(1, offset(0.01));
        assertThat(curveAfter(chart, 1_000_000_000)).as("all").isGreaterThan(1);
    }

    @Test
    void aPartOfTheTimesLeavesCumulativeHeightsAsTheyAre() {
        DistributionChart whole = cumulative(ShareScale.CUMULATIVE);
        DistributionChart part = whole.withTimes(whole.wholeAxis().part(2e6, 2e7));
        assertThat(curveAfter(part, 10_000_000)).isCloseTo(0.999, offset(0.005));
    }

    @Test
    void sharesOfAllSizesHaveShortLabels() {
        Distribution distribution = new Distribution.Builder().add(logNormal(1e3, 0.3, 1_000_000)).build();
        DistributionSeries rare = new DistributionSeries("f", "f", 0x3465A4, distribution, 1_000_000_000_000L);
        assertThat(shares(DistributionChart.of(List.of(rare)).withShares(ShareScale.LOGARITHMIC))).isNotEmpty()
                .allMatch(t -> t.left() >= AREA.x()).extracting(DrawnText::text).contains("10⁻⁷ %");
    }

    @Test
    void aPartOfTheTimesFillsThePicture() {
        Distribution distribution = new Distribution.Builder().add(logNormal(1e3, 0.1, 1_000_000)).add(logNormal(5e6, 0.1, 100))
                .build();
        DistributionChart whole = DistributionChart.of(List.of(series("f", distribution)));
        DistributionChart part = whole.withTimes(whole.wholeAxis().part(2e6, 2e7));
        assertThat(heightAt(part, 5e6)).as("the highest that is shown has the height of the highest")
                .isGreaterThan(0.5 * heightAt(whole, 1e3));
        RecordingSurface surface = new RecordingSurface();
        part.draw(surface, AREA);
        assertThat(surface.texts).as("marks of what is not shown").noneMatch(t -> t.text().contains(" p50"));
        assertThat(part.hover(AREA.x() + 1, AREA)).as("left of the curves").isEmpty();
        RecordingSurface beside = new RecordingSurface();
        whole.withTimes(whole.wholeAxis().part(1.1e3, 1e5)).withShares(ShareScale.LINEAR).draw(beside, AREA);
        assertThat(beside.texts).as("nor among the labels of the heights").noneMatch(t -> t.text().contains(" p50"))
                .anyMatch(t -> t.text().contains(" p99"));
        RecordingSurface nothing = new RecordingSurface();
        whole.withTimes(whole.wholeAxis().part(2e4, 2e5)).draw(nothing, AREA);
        assertThat(nothing.texts).extracting(DrawnText::text).contains("No call took one of these times");
    }

    @Test
    void whatIsNotThereIsSaid() {
        assertThat(draw(series("f", Distribution.EMPTY)).texts).extracting(DrawnText::text)
                .contains("No call has returned yet");
        assertThat(draw(series("f", new Distribution.Builder().addTotals(3, 3, 1).build())).texts)
                .extracting(DrawnText::text).anyMatch(t -> t.startsWith("The distribution is lost"));
        assertThat(draw().texts).extracting(DrawnText::text).contains("No curve to draw");
    }

    @Test
    void callsBelowANanosecondHaveAPlace() {
        Distribution distribution = new Distribution.Builder().add(0).add(0).add(1).build();
        DistributionChart chart = DistributionChart.of(List.of(series("f", distribution)));
        chart.draw(new RecordingSurface(), AREA);
        assertThat(chart.hover(chart.xOf(0.6, AREA), AREA)).extracting(Hover::text)
                .containsExactly("0 ns · 2 calls · 66.7 %");
    }

    @Test
    void tinyAreasAreNoError() {
        for (double size : new double[] {0, 1, 20, 60}) {
            DistributionChart.of(List.of(series("f", logNormal(1e6, 0.4, 100))))
                    .draw(new RecordingSurface(), new Area(0, 0, size, size));
        }
    }
}
