// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LostCalls;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.Quantity;
import org.kview.model.Waits;
import org.kview.testing.Recorded;
import org.kview.ui.Figures;
import org.kview.ui.widgets.Sorting;

class FunctionRowsTest {
    private final FunctionRows rows = new FunctionRows();

    @BeforeEach
    void fill() {
        rows.setFigures(Figures.snapshot(Figures.SHOP).functions(), false);
    }

    private List<String> names() {
        return rows.shown().stream().map(FunctionRow::name).toList();
    }

    @Test
    void startsWithWhatTookTheMostTime() {
        assertThat(names().subList(0, 2)).containsExactly("render", "price_basket");
    }

    @Test
    void sortsByEveryColumnBothWays() {
        for (FunctionColumn column : FunctionColumn.values()) {
            rows.sort(new Sorting<>(column, false));
            List<FunctionRow> ascending = rows.shown();
            assertThat(ascending).as(column.title()).isSortedAccordingTo(column.order());
            rows.sort(new Sorting<>(column, true));
            assertThat(rows.shown()).as(column.title()).isSortedAccordingTo(column.order().reversed())
                    .containsExactlyInAnyOrderElementsOf(ascending);
        }
    }

    @Test
    void whatCallsTookBesideTimeIsToldOfACall() {
        FunctionLatency f = rows.shown().getFirst().latency();
        Quantity faults = new Quantity("minor_faults", "minor page faults", Quantity.Unit.COUNT);
        Quantity read = new Quantity("read_bytes", "bytes read", Quantity.Unit.BYTES);
        ProbedFunction counted = new ProbedFunction(0, "load", f.function().point(), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", "", List.of(faults, read));
        FunctionRow row = FunctionRow.of(new FunctionLatency(counted, f.calls(), 0, 0, Optional.empty(), f.distributions(), List.of(),
                Map.of(faults, new Distribution.Builder().add(3 * f.wall().count()).build())), false);
        assertThat(FunctionColumn.BESIDE_TIME.text(row)).isEqualTo("minor page faults 3 · bytes read 0 B");
        assertThat(FunctionColumn.BESIDE_TIME.text(rows.shown().getFirst())).isEqualTo(FunctionColumn.UNKNOWN);
        assertThat(FunctionColumn.BESIDE_TIME.order().compare(row, rows.shown().getFirst())).isPositive();
        Quantity cycles = new Quantity("cycles", "cycles", Quantity.Unit.COUNT);
        Quantity instructions = new Quantity("instructions", "instructions", Quantity.Unit.COUNT);
        ProbedFunction executed = new ProbedFunction(0, "load", f.function().point(), Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                ProbedFunction.Ends.UNKNOWN, ProbedFunction.Cost.UNKNOWN, 0, Waits.Told.NO, "", "", List.of(cycles, instructions));
        long calls = f.wall().count();
        FunctionLatency counts = new FunctionLatency(executed, f.calls(), 0, 0, Optional.empty(), f.distributions(), List.of(),
                Map.of(cycles, new Distribution.Builder().add(20 * calls).build(), instructions, new Distribution.Builder().add(30 * calls).build()));
        assertThat(FunctionColumn.BESIDE_TIME.text(FunctionRow.of(counts, false))).isEqualTo("cycles 20 · instructions 30 · instructions a cycle 1.50");
    }

    @Test
    void filterKeepsTheTotal() {
        rows.setFilter("r*");
        assertThat(names()).containsExactly("render");
        assertThat(rows.total()).isEqualTo(6);
        rows.setFilter("");
        assertThat(names()).hasSize(6);
    }

    @Test
    void whatTheTimesAreOfStandsBehindTheVerdict() {
        FunctionLatency f = rows.shown().getFirst().latency();
        long total = f.wall().totalNanos();
        ProbedFunction cut = new ProbedFunction(0, "handle", new ProbePoint.UserFunction("/srv/shop/checkout", "handle", 1, 1, 1),
                Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                new ProbedFunction.Ends(ProbedFunction.ExitKind.RETURN_SITES, List.of("process"), false), new ProbedFunction.Cost(1, 1), 0);
        FunctionRow row = FunctionRow.of(new FunctionLatency(cut, f.calls(), 0, 0, Optional.of(Recorded.fates(
                new LostCalls(0, 0, 5, 0, 0), 3, 0, 0, total / 10, 0, 0, Optional.empty())), f.distributions()), false);
        assertThat(row.verdictText()).startsWith(row.verdict().text()).endsWith(" · until it goes on to process · ± 10 %");
        assertThat(FunctionColumn.VERDICT.copied(row)).isEqualTo(row.verdictText());
        assertThat(FunctionColumn.LOST.text(row)).isEqualTo("5");
    }

    @Test
    void ofCallsThatAreTimedInPartNoVerdictIsShown() {
        FunctionLatency f = rows.shown().getFirst().latency();
        ProbedFunction cut = new ProbedFunction(0, "w_poll", new ProbePoint.UserFunction("/srv/shop/checkout", "w_poll", 1, 1, 1),
                Mechanism.TRAP, ProbedFunction.ALL_METRICS,
                new ProbedFunction.Ends(ProbedFunction.ExitKind.RETURN_SITES, List.of("poll"), false), new ProbedFunction.Cost(1, 1), 0);
        FunctionRow row = FunctionRow.of(new FunctionLatency(cut, f.calls(), 0, 0, Optional.of(Recorded.fates(
                LostCalls.NONE, f.calls(), 0, 0, 0, 0, 0, Optional.empty())), f.distributions()), false);
        assertThat(row.verdictText()).isEqualTo("not known: its time after it goes on to poll isn't measured");
        assertThat(FunctionColumn.VERDICT.copied(row)).isEqualTo(row.verdictText());
    }

    @Test
    void whatIsNotKnownIsNoZero() {
        FunctionLatency never = new FunctionLatency(Figures.probed(0, "never"), 0, 0, 0, Map.of());
        Distribution lost = new Distribution.Builder().addTotals(3, 3000, 2000).build();
        FunctionLatency damaged = new FunctionLatency(Figures.probed(1, "damaged"), 3, 0, 0, Map.of(Metric.WALL, lost));
        rows.setFigures(List.of(never, damaged), false);
        rows.sort(new Sorting<>(FunctionColumn.WALL_P99, false));
        FunctionRow first = row("never");
        FunctionRow second = row("damaged");
        assertThat(FunctionColumn.WALL_P99.text(first)).isEqualTo(FunctionColumn.UNKNOWN);
        assertThat(FunctionColumn.WALL_P99.copied(first)).isEmpty();
        assertThat(FunctionColumn.WALL_MEAN.text(second)).isEqualTo("1.00 µs");
        assertThat(FunctionColumn.WALL_P99.text(second)).isEqualTo(FunctionColumn.UNKNOWN);
        assertThat(FunctionColumn.WALL_MAX.text(second)).isEqualTo("2.00 µs");
    }

    private FunctionRow row(String name) {
        return rows.shown().stream().filter(row -> row.name().equals(name)).findFirst().orElseThrow();
    }

    /** Whatever the order is by; and a filter finds them by themselves. */
    @Test
    void valuesFollowTheirFunction() {
        rows.setFigures(Figures.byValue().functions(), false);
        assertThat(names()).containsExactly("price_basket", "price_basket · arg1 = 3", "price_basket · arg1 = 1", "price_basket · arg1: other values",
                "flush_cache");
        rows.sort(new Sorting<>(FunctionColumn.CALLS, false));
        assertThat(names()).containsExactly("flush_cache", "price_basket", "price_basket · arg1: other values", "price_basket · arg1 = 1",
                "price_basket · arg1 = 3");
        assertThat(rows.total()).isEqualTo(2);
        rows.setFilter("arg1 = 3");
        assertThat(names()).containsExactly("price_basket · arg1 = 3");
        assertThat(rows.functionsShown()).isEqualTo(1);
        rows.setFilter("");
        rows.setWithValues(false);
        assertThat(names()).containsExactly("flush_cache", "price_basket");
    }

    @Test
    void whatWasNotCalledSoFarMayBeYet() {
        FunctionLatency never = new FunctionLatency(Figures.probed(0, "never"), 0, 0, 0, Map.of());
        rows.setFigures(List.of(never), true);
        assertThat(FunctionColumn.VERDICT.text(rows.shown().getFirst())).isEqualTo("not called yet");
        rows.setFigures(List.of(never), false);
        assertThat(FunctionColumn.VERDICT.text(rows.shown().getFirst())).isEqualTo("never called");
    }

    @Test
    void copiesWholeNanosecondsWithTheUnitInTheHead() {
        rows.setFilter("flush_cache");
        String tsv = FunctionText.tsv(List.of(FunctionColumn.NAME, FunctionColumn.CALLS, FunctionColumn.WALL_MAX,
                FunctionColumn.BREAKDOWN), rows.shown());
        String[] lines = tsv.split("\n");
        assertThat(lines).hasSize(2);
        assertThat(lines[0]).isEqualTo("Function\tCalls\tWall max (ns)\tWhere the time went");
        assertThat(lines[1]).matches("flush_cache\t96\t\\d{8}\tblock I/O 9\\d %, on-CPU \\d %.*");
    }

    /** However wide a column of counts is. */
    @Test
    void theUnitStandsAtTimesAlone() {
        for (FunctionColumn column : FunctionColumn.values()) {
            boolean times = column.isNumber() && rows.shown().stream().map(column::text)
                    .anyMatch(text -> text.matches(".* (ns|µs|ms|s)"));
            assertThat(column.copiedTitle().endsWith(" (ns)")).as(column.title()).isEqualTo(times);
        }
    }

    @Test
    void aNameNeverMakesAnotherCell() {
        FunctionLatency odd = new FunctionLatency(Figures.probed(0, "a\tb\nc"), 0, 0, 0, Map.of());
        rows.setFigures(List.of(odd), false);
        assertThat(FunctionText.tsv(List.of(FunctionColumn.NAME), rows.shown())).isEqualTo("Function\na b c\n");
    }
}
