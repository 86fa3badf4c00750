// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.util.Comparator;
import java.util.Optional;

import org.kview.compare.Change;
import org.kview.compare.report.ComparisonText;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.statistics.Statistic;
import org.kview.ui.widgets.Column;

/** The columns of the table: their titles, texts and order. */
enum CompareColumn implements Column<CompareRow> {
    NAME(Form.words("Function", 150, CompareRow::name).tip("A function that was probed on both sides, or on one")),
    VERDICT(Form.text("Verdict", 560, CompareRow::verdict, Comparator.comparingInt((CompareRow row) -> -row.rank()))
            .tip("What differs most, and what can be said of it; sorts by what differs most for the program").descending()),
    BARS(Form.text("A over B", 130, (CompareRow _) -> "", Comparator.comparingDouble((CompareRow row) ->
            row.change(Statistic.MEAN).map(c -> Math.max(c.a(), c.b())).orElse(-1.0)))
            .tip("Where a mean call's time went, A above B, on one scale").descending()),
    CALLS_A(Form.number("Calls A", 76, (CompareRow row) -> calls(row.a()), Comparator.comparingLong((CompareRow row) ->
            count(row.a()))).tip("Entries in the sessions of A")),
    CALLS_B(Form.number("Calls B", 76, (CompareRow row) -> calls(row.b()), Comparator.comparingLong((CompareRow row) ->
            count(row.b()))).tip("Entries in the sessions of B")),
    TOTAL_CHANGE(Statistic.TOTAL, Side.CHANGE),
    P50_A(Statistic.P50, Side.A), P50_B(Statistic.P50, Side.B), P50_CHANGE(Statistic.P50, Side.CHANGE),
    P99_A(Statistic.P99, Side.A), P99_B(Statistic.P99, Side.B), P99_CHANGE(Statistic.P99, Side.CHANGE),
    MEAN_A(Statistic.MEAN, Side.A), MEAN_B(Statistic.MEAN, Side.B), MEAN_CHANGE(Statistic.MEAN, Side.CHANGE);

    private enum Side {
        A, B, CHANGE
    }

    private static final int TIME_WIDTH = 78;
    private static final int CHANGE_WIDTH = 88;

    private final Form<CompareRow> form;
    private final Optional<Statistic> changeOf;

    CompareColumn(Form<CompareRow> form) {
        this.form = form;
        changeOf = Optional.empty();
    }

    CompareColumn(Statistic statistic, Side side) {
        boolean isChange = side == Side.CHANGE;
        String title = isChange ? (statistic == Statistic.TOTAL ? "Total" : "Change") : statistic.id() + " " + side;
        String tip = statistic == Statistic.TOTAL ? "Change of the wall-clock time of all calls, by second of the recording"
                : isChange ? "Change of the wall-clock " + statistic.id() + "; bold where it is beyond noise"
                        : "Wall-clock " + statistic.id() + " in " + side + "; of several sessions the mean";
        form = Form.number(title, isChange ? CHANGE_WIDTH : TIME_WIDTH, (CompareRow row) -> row.change(statistic)
                .map(c -> isChange ? ComparisonText.difference(c) : ComparisonText.value(c, side == Side.A)).orElse(""),
                Comparator.comparingDouble((CompareRow row) -> row.change(statistic).map(c -> number(c, side)).orElse(-1.0)))
                .tip(tip);
        changeOf = isChange ? Optional.of(statistic) : Optional.empty();
    }

    @Override
    public Form<CompareRow> form() {
        return form;
    }

    private static double number(Change change, Side side) {
        double number = switch (side) {
            case A -> change.a();
            case B -> change.b();
            case CHANGE -> Math.abs(change.difference());
        };
        return Double.isNaN(number) ? -1 : number;
    }

    private static long count(Optional<FunctionLatency> latency) {
        return latency.map(FunctionLatency::calls).orElse(-1L);
    }

    private static String calls(Optional<FunctionLatency> latency) {
        return latency.map(l -> LatencyFormat.count(l.calls())).orElse("–");
    }

    /** Whether the cell holds a change that is to stand out. */
    boolean isNotable(CompareRow row) {
        return changeOf.flatMap(row::change).filter(Change::isBeyondNoise).isPresent();
    }
}
