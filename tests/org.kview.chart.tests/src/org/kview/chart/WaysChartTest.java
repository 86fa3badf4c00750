// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kview.model.ComparedWays;
import org.kview.model.ComparedWays.Cost;
import org.kview.model.ComparedWays.Kind;
import org.kview.model.ComparedWays.Way;
import org.kview.model.CostToOthers.Interval;

class WaysChartTest {
    private static final Area AREA = new Area(0, 0, 900, 220);

    private static Way way(Kind kind, Interval traced, Interval others) {
        return new Way(kind, "", List.of(new Cost("read()", 60, 190, Optional.of(traced), Optional.of(others))), 0, "");
    }

    private static WaysChart chart() {
        return WaysChart.of(new ComparedWays("web-3", "6.12.1", "x86_64", 2, Instant.EPOCH, List.of(
                way(Kind.CALL_VIEW, new Interval(500, 480, 520), new Interval(-1, -30, 20)),
                new Way(Kind.FUNCTION_VIEW, "There is no module.", List.of(), 0, ""),
                way(Kind.CALL_IN, new Interval(440, 430, 450), new Interval(140, 130, 150)),
                new Way(Kind.CALL_POST, "", List.of(new Cost("read()", 3, 190, Optional.empty(), Optional.empty())), 0, ""))));
    }

    private static double centre(int way) {
        return 20 + (AREA.height() - 42) / 4 * (way + 0.5);
    }

    @ParameterizedTest
    @EnumSource(ChartTheme.class)
    void eachWayIsABarOfEachProcess(ChartTheme theme) {
        SvgSurface surface = SvgSurface.file(AREA.width(), AREA.height(), theme);
        chart().draw(surface, AREA);
        String svg = surface.text();
        assertThat(svg.split("<rect[^>]*fill=\"#3465a4\"", -1)).as("bars").hasSize(1 + 4);
        assertThat(svg).contains("The recorded process, a call", "Others, a call", "View: the system call", "+440 ns", "+140 ns",
                "nothing seen", "not here", "too few rounds").contains("View: a function of the kernel: There is no module.");
    }

    @Test
    void whatLiesUnderThePointerIsTold() {
        assertThat(chart().hover(300, centre(2), AREA)).contains(
                "In eBPF: the system call, by tracepoints · The recorded process, a call: +440 ns (+430 ns to +450 ns)");
        assertThat(chart().hover(800, centre(0), AREA)).contains(
                "View: the system call · Others, a call: not told apart from nothing, −1.0 ns (−30.0 ns to +20.0 ns)");
        assertThat(chart().hover(20, centre(1), AREA)).as("its name").contains("View: a function of the kernel: There is no module.");
        assertThat(chart().hover(300, 219, AREA)).as("the axis").isEmpty();
    }

    @Test
    void withoutAnyCostsThereIsNoBarAndNothingFails() {
        SvgSurface surface = SvgSurface.file(300, 60, ChartTheme.LIGHT);
        WaysChart.of(new ComparedWays("web-3", "6.12.1", "x86_64", 2, Instant.EPOCH, List.of(new Way(Kind.CALL_VIEW, "There is no module.", List.of(), 0, ""))))
                .draw(surface, new Area(0, 0, 300, 60));
        assertThat(surface.text()).contains("not here").doesNotContain("#3465a4");
    }
}
