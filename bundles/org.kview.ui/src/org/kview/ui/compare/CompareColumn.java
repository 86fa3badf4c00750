/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.compare;

import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;

import org.kview.compare.Change;
import org.kview.compare.report.ComparisonText;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.statistics.Statistic;

/** The columns of the table: their titles, texts and order. */
enum CompareColumn {
    NAME("Function", "A function that was probed on both sides, or on one", 150,
            CompareRow::name, Comparator.comparing(CompareRow::name, String.CASE_INSENSITIVE_ORDER)),
    VERDICT("Verdict", "What differs most, and what can be said of it; sorts by what differs most for the program", 560,
            CompareRow::verdict, Comparator.comparingInt(row -> -row.rank())),
    BARS("A over B", "Where a mean call's time went, A above B, on one scale", 130, row -> "",
            Comparator.comparingDouble(row -> row.change(Statistic.MEAN).map(c -> Math.max(c.a(), c.b())).orElse(-1.0))),
    CALLS_A("Calls A", "Entries in the sessions of A", 76, row -> calls(row.a()), Comparator.comparingLong(r -> count(r.a()))),
    CALLS_B("Calls B", "Entries in the sessions of B", 76, row -> calls(row.b()), Comparator.comparingLong(r -> count(r.b()))),
    TOTAL_CHANGE(Statistic.TOTAL, Side.CHANGE),
    P50_A(Statistic.P50, Side.A), P50_B(Statistic.P50, Side.B), P50_CHANGE(Statistic.P50, Side.CHANGE),
    P99_A(Statistic.P99, Side.A), P99_B(Statistic.P99, Side.B), P99_CHANGE(Statistic.P99, Side.CHANGE),
    MEAN_A(Statistic.MEAN, Side.A), MEAN_B(Statistic.MEAN, Side.B), MEAN_CHANGE(Statistic.MEAN, Side.CHANGE);

    private enum Side {
        A, B, CHANGE
    }

    private static final int TIME_WIDTH = 78;
    private static final int CHANGE_WIDTH = 88;

    private final String title;
    private final String tip;
    private final int width;
    private final Function<CompareRow, String> text;
    private final Comparator<CompareRow> order;
    private final Optional<Statistic> changeOf;

    CompareColumn(String title, String tip, int width, Function<CompareRow, String> text,
            Comparator<CompareRow> order) {
        this.title = title;
        this.tip = tip;
        this.width = width;
        this.text = text;
        this.order = order;
        changeOf = Optional.empty();
    }

    CompareColumn(Statistic statistic, Side side) {
        boolean isChange = side == Side.CHANGE;
        title = isChange ? (statistic == Statistic.TOTAL ? "Total" : "Change") : statistic.id() + " " + side;
        tip = statistic == Statistic.TOTAL ? "Change of the wall-clock time of all calls, by second of the recording"
                : isChange ? "Change of the wall-clock " + statistic.id() + "; bold where it is beyond noise"
                        : "Wall-clock " + statistic.id() + " in " + side + "; of several sessions the mean";
        width = isChange ? CHANGE_WIDTH : TIME_WIDTH;
        text = row -> row.change(statistic).map(c -> isChange ? ComparisonText.difference(c)
                : ComparisonText.value(c, side == Side.A)).orElse("");
        order = Comparator.comparingDouble(row -> row.change(statistic).map(c -> number(c, side)).orElse(-1.0));
        changeOf = isChange ? Optional.of(statistic) : Optional.empty();
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

    String title() {
        return title;
    }

    String tip() {
        return tip;
    }

    int width() {
        return width;
    }

    boolean isNumber() {
        return this != NAME && this != BARS && this != VERDICT;
    }

    String text(CompareRow row) {
        return text.apply(row);
    }

    /** Whether the cell holds a change that is to stand out. */
    boolean isNotable(CompareRow row) {
        return changeOf.flatMap(row::change).filter(Change::isBeyondNoise).isPresent();
    }

    /** Ascending. */
    Comparator<CompareRow> order() {
        return order;
    }
}
