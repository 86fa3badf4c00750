// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.testing.Recorded;

/** A cause has one colour on every ground: where that is hard to see, the edge around it is not. */
class ContrastTest {
    /** What graphics need, by the Web Content Accessibility Guidelines. */
    private static final double SEEN = 3;

    private static boolean isSeen(ChartTheme theme, int rgb) {
        return ChartTheme.contrast(rgb, theme.rgb(Ink.Tone.BACKGROUND)) >= SEEN;
    }

    private static void assertSeen(RecordingSurface surface, Metric metric, Area part) {
        for (ChartTheme theme : ChartTheme.values()) {
            boolean edged = surface.outlines.stream().anyMatch(outline -> outline.area().equals(part)
                    && isSeen(theme, theme.rgb(outline.stroke().ink())));
            assertThat(edged || isSeen(theme, metric.rgb())).as("%s on %s", metric, theme).isTrue();
        }
    }

    @Test
    void everyPartOfABarIsSeenOnBothGrounds() {
        for (Metric metric : Metric.OF_CALLS) {
            if (metric != Metric.WALL) {
                assertPartSeen(metric);
            }
        }
    }

    private static void assertPartSeen(Metric metric) {
        FunctionLatency latency = new FunctionLatency(Recorded.function(0, "f", "f", "/bin/x", 0, 0, 0,
                ProbedFunction.ExitKind.UNKNOWN, 0, 0), 1, 0, 0, Map.of(Metric.WALL, new Distribution.Builder().add(1000).build(),
                        metric, new Distribution.Builder().add(600).build()));
        RecordingSurface surface = new RecordingSurface();
        BreakdownBar.of(latency).draw(surface, new Area(5, 0, 100, 10));
        assertSeen(surface, metric, new Area(5, 0, 60, 10));
    }

    @Test
    void everySquareOfALegendIsSeenOnBothGrounds() {
        for (Metric metric : Metric.values()) {
            RecordingSurface surface = new RecordingSurface();
            new Legend(List.of(new Legend.Entry(Ink.of(metric.rgb()), metric.label()))).draw(surface, new Area(0, 0, 200, 20));
            assertSeen(surface, metric, surface.rectangles.getFirst());
        }
    }

    @Test
    void contrastIsThatOfTheGuidelines() {
        assertThat(ChartTheme.contrast(0xFFFFFF, 0x000000)).isEqualTo(21);
        assertThat(ChartTheme.contrast(0x777777, 0xFFFFFF)).isEqualTo(4.48, Offset.offset(0.01));
        assertThat(ChartTheme.contrast(0x444444, 0x444444)).isEqualTo(1);
    }
}
