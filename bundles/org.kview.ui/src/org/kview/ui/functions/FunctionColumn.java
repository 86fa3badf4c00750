/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.functions;

import java.util.Comparator;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;

/** The columns of the function table: their titles, texts, order and copied values. */
enum FunctionColumn {
    NAME("Function", "The probed function", 150, true, Kind.TEXT, FunctionRow::name, FunctionRow::name,
            Comparator.comparing(FunctionRow::name, String.CASE_INSENSITIVE_ORDER)),
    BINARY("Binary", "The executable or library that holds it", 120, false, Kind.TEXT, FunctionRow::binaryName,
            row -> row.latency().function().point().binary(),
            Comparator.comparing(row -> row.latency().function().point().binary())),
    CALLS("Calls", "Entries seen", 80, row -> row.latency().calls(), true),
    ABANDONED("Abandoned", "Calls left in a way that no probe sees: by an exception, longjmp or hand-written code", 80,
            row -> row.latency().abandoned(), false),
    LOST("Lost", "Calls that have no time for another reason: rest the pointer on the verdict", 80,
            row -> row.latency().knownFates().lost().total(), false),
    UNFINISHED("Unfinished", "Calls still running when their thread or the recording ended", 80,
            row -> row.latency().unfinished(), false),
    WALL_MEAN("Wall mean", "Wall-clock time of a call, arithmetic mean", row -> row.mean(Metric.WALL), true),
    WALL_P50("Wall p50", "Half of the calls took less wall-clock time", FunctionRow::wallP50, true),
    WALL_P99("Wall p99", "99 % of the calls took less wall-clock time", FunctionRow::wallP99, true),
    WALL_MAX("Wall max", "Wall-clock time of the slowest call", row -> row.max(Metric.WALL), true),
    WALL_TOTAL("Wall total", "Wall-clock time of all calls together", row -> row.total(Metric.WALL), false),
    CPU_MEAN("CPU mean", "Time of a call on a CPU, arithmetic mean", row -> row.mean(Metric.ON_CPU), true),
    CPU_P50("CPU p50", "Half of the calls ran for less time on a CPU", FunctionRow::cpuP50, true),
    CPU_P99("CPU p99", "99 % of the calls ran for less time on a CPU", FunctionRow::cpuP99, true),
    CPU_MAX("CPU max", "The longest that a call ran on a CPU", row -> row.max(Metric.ON_CPU), true),
    BREAKDOWN("Where the time went", "Shares of the wall-clock time of all calls; sorts by that time", 180, true,
            Kind.BAR, row -> "", FunctionColumn::shares,
            Comparator.comparingLong(row -> row.latency().wall().totalNanos())),
    VERDICT("Verdict", "The largest part of the time; sorts by its share", 380, true, Kind.TEXT,
            FunctionRow::verdictText, FunctionRow::verdictText,
            Comparator.comparingDouble(row -> row.verdict().share()));

    /** How a column looks. */
    enum Kind {
        TEXT, COUNT, NANOS, BAR;

        boolean isNumber() {
            return this == COUNT || this == NANOS;
        }
    }

    /** What stands where nothing is known; a 0 would be a measurement. */
    static final String UNKNOWN = "–";

    private static final int TIME_WIDTH = 86;

    private final String title;
    private final String tip;
    private final int width;
    private final boolean visibleAtFirst;
    private final Kind kind;
    private final Function<FunctionRow, String> text;
    private final Function<FunctionRow, String> copied;
    private final Comparator<FunctionRow> order;

    FunctionColumn(String title, String tip, int width, boolean visibleAtFirst, Kind kind,
            Function<FunctionRow, String> text, Function<FunctionRow, String> copied, Comparator<FunctionRow> order) {
        this.title = title;
        this.tip = tip;
        this.width = width;
        this.visibleAtFirst = visibleAtFirst;
        this.kind = kind;
        this.text = text;
        this.copied = copied;
        this.order = order;
    }

    /** A time in ns. Unknown times sort below all others. */
    FunctionColumn(String title, String tip, Function<FunctionRow, OptionalDouble> nanos, boolean visibleAtFirst) {
        this(title, tip, TIME_WIDTH, visibleAtFirst, Kind.NANOS,
                row -> optional(nanos.apply(row), LatencyFormat::nanos, UNKNOWN),
                row -> optional(nanos.apply(row), value -> String.format(Locale.ROOT, "%.0f", value), ""),
                Comparator.comparingDouble(row -> nanos.apply(row).orElse(-1)));
    }

    /** A count. */
    FunctionColumn(String title, String tip, int width, Function<FunctionRow, Long> count, boolean visibleAtFirst) {
        this(title, tip, width, visibleAtFirst, Kind.COUNT, row -> LatencyFormat.count(count.apply(row)),
                row -> Long.toString(count.apply(row)), Comparator.comparingLong(count::apply));
    }

    private static String optional(OptionalDouble value, Function<Double, String> format, String otherwise) {
        return value.isPresent() ? format.apply(value.getAsDouble()) : otherwise;
    }

    /** For the clipboard, where no bar can stand: "on-CPU 12 %, lock 88 %". */
    private static String shares(FunctionRow row) {
        return java.util.Arrays.stream(Metric.values())
                .filter(metric -> metric != Metric.WALL && row.latency().share(metric) > 0)
                .sorted(Comparator.comparingDouble((Metric metric) -> row.latency().share(metric)).reversed())
                .map(metric -> metric.label() + " " + LatencyFormat.percent(row.latency().share(metric)))
                .collect(Collectors.joining(", "));
    }

    String title() {
        return title;
    }

    /** The title with the unit in which {@link #copied} gives the value. */
    String copiedTitle() {
        return kind == Kind.NANOS ? title + " (ns)" : title;
    }

    String tip() {
        return tip;
    }

    int width() {
        return width;
    }

    boolean visibleAtFirst() {
        return visibleAtFirst;
    }

    Kind kind() {
        return kind;
    }

    /** What the table shows. */
    String text(FunctionRow row) {
        return text.apply(row);
    }

    /** What goes to the clipboard: times as whole ns, counts without separators. */
    String copied(FunctionRow row) {
        return copied.apply(row);
    }

    /** Ascending. */
    Comparator<FunctionRow> order() {
        return order;
    }

    /** Whether the first click sorts the largest first: one looks for what is slow. */
    boolean descendingAtFirst() {
        return kind != Kind.TEXT || this == VERDICT;
    }
}
