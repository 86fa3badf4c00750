// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.testing.Recorded;

class BreakdownBarTest {

    private static FunctionLatency latency(long wallNanos, Map<Metric, Long> nanos) {
        Map<Metric, Distribution> distributions = new EnumMap<>(Metric.class);
        distributions.put(Metric.WALL, new Distribution.Builder().add(wallNanos).build());
        nanos.forEach((metric, value) -> distributions.put(metric, new Distribution.Builder().add(value).build()));
        return new FunctionLatency(Recorded.function(0, "f", "f", "/bin/x", 0, 0, 0,
                ProbedFunction.ExitKind.UNKNOWN, 0, 0), 1, 0, 0, distributions);
    }

    @Test
    void widthsAddUpAndNothingVanishes() {
        Random random = new Random(5);
        for (int round = 0; round < 2000; round++) {
            Map<Metric, Long> nanos = new EnumMap<>(Metric.class);
            long sum = 0;
            for (Metric metric : Metric.OF_CALLS) {
                if (metric != Metric.WALL && random.nextBoolean()) {
                    long value = 1 + (long) Math.exp(random.nextDouble() * 20);
                    nanos.put(metric, value);
                    sum += value;
                }
            }
            BreakdownBar bar = BreakdownBar.of(latency(sum, nanos));
            double[] widths = bar.widths(180);
            assertThat(widths).hasSize(nanos.size());
            if (widths.length > 0) {
                assertThat(Arrays.stream(widths).sum()).isCloseTo(180, offset(1e-9));
                assertThat(Arrays.stream(widths).min().orElseThrow()).isGreaterThanOrEqualTo(2 - 1e-9);
            }
        }
    }

    @Test
    void partsStandInTheOrderOfMetricsWithTheirShares() {
        BreakdownBar bar = BreakdownBar.of(latency(1000, Map.of(Metric.LOCK, 940L, Metric.ON_CPU, 60L)));
        assertThat(bar.parts()).extracting(BreakdownBar.Part::metric).containsExactly(Metric.ON_CPU, Metric.LOCK);
        assertThat(bar.widths(100)).containsExactly(new double[] {6, 94}, offset(1e-9));
        assertThat(bar.parts().get(1).text()).isEqualTo("lock 940 ns · 94 %");
    }

    @Test
    void timeThatNoMetricExplainsStaysEmpty() {
        BreakdownBar bar = BreakdownBar.of(latency(1000, Map.of(Metric.ON_CPU, 250L)));
        assertThat(bar.widths(100)).containsExactly(new double[] {25}, offset(1e-9));
    }

    @Test
    void manyPartsInAFewPixelsShareThem() {
        Map<Metric, Long> nanos = new EnumMap<>(Metric.class);
        Metric.CAUSES.forEach(cause -> nanos.put(cause, 10L));
        assertThat(Arrays.stream(BreakdownBar.of(latency(90, nanos)).widths(9)).sum()).isCloseTo(9, offset(1e-9));
    }

    @Test
    void partsAreDrawnSideBySide() {
        BreakdownBar bar = BreakdownBar.of(latency(1000, Map.of(Metric.LOCK, 999L, Metric.ON_CPU, 1L)));
        Area area = new Area(50, 0, 100, 10);
        RecordingSurface surface = new RecordingSurface();
        bar.draw(surface, area);
        assertThat(surface.rectangles).hasSize(2);
        assertThat(surface.rectangles.get(0).right()).isEqualTo(surface.rectangles.get(1).x());
    }

    @Test
    void nothingMeasuredIsAnEmptyBar() {
        FunctionLatency none = new FunctionLatency(latency(1, Map.of()).function(), 0, 0, 0, Map.of());
        RecordingSurface surface = new RecordingSurface();
        BreakdownBar.of(none).draw(surface, new Area(0, 0, 100, 10));
        assertThat(surface.rectangles).isEmpty();
    }
}
