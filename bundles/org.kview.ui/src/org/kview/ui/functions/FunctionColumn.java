// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.ui.widgets.Column;

/**
 * The columns of the function table: their titles, texts, order and copied values. The verdict is the second one, so that it is
 * visible even in a small window.
 */
enum FunctionColumn implements Column<FunctionRow> {
    NAME(Form.words("Function", 160, FunctionRow::name).tip("The probed function"), true, FunctionRow::name),
    VERDICT(Form.text("Verdict", 335, FunctionRow::verdictText, Comparator.comparingDouble((FunctionRow row) ->
            row.verdict().share())).tip("The largest part of the time; sorts by its share").descending(), true,
            FunctionRow::verdictText),
    BREAKDOWN(Form.text("Where the time went", 180, FunctionColumn::instead, Comparator.comparingLong((FunctionRow row) ->
            row.latency().wall().totalNanos())).tip("Shares of the wall-clock time of all calls; sorts by that time")
            .descending(), true, FunctionColumn::shares),
    BINARY(Form.text("Binary", 120, FunctionRow::binaryName, Comparator.comparing(FunctionRow::binary))
            .tip("The executable or library that holds it"), false, FunctionRow::binary),
    CALLS("Calls", "Entries seen; of a tracepoint or static probe its hits", row -> row.latency().calls(), true),
    ABANDONED("Abandoned", "Calls left in a way that no probe sees: by an exception, longjmp or hand-written code",
            row -> row.latency().abandoned(), false),
    LOST("Lost", "Calls that have no time for another reason: rest the pointer on the verdict",
            row -> row.latency().knownFates().lost().total(), false),
    UNFINISHED("Unfinished", "Calls still running when their thread or the recording ended; those of exit and exit_group, which do not return, are here",
            row -> row.latency().unfinished(), false),
    WALL_MEAN("Wall mean", "Wall-clock time of a call, arithmetic mean", false, row -> row.mean(Metric.WALL)),
    WALL_P50("Wall p50", "Half of the calls took less wall-clock time", true, FunctionRow::wallP50),
    WALL_P99("Wall p99", "99 % of the calls took less wall-clock time", true, FunctionRow::wallP99),
    WALL_MAX("Wall max", "Wall-clock time of the slowest call", true, row -> row.max(Metric.WALL)),
    WALL_TOTAL("Wall total", "Wall-clock time of all calls together", false, row -> row.total(Metric.WALL)),
    CPU_MEAN("CPU mean", "Time of a call on a CPU, arithmetic mean", false, row -> row.mean(Metric.ON_CPU)),
    CPU_P50("CPU p50", "Half of the calls ran for less time on a CPU", true, FunctionRow::cpuP50),
    CPU_P99("CPU p99", "99 % of the calls ran for less time on a CPU", true, FunctionRow::cpuP99),
    CPU_MAX("CPU max", "The longest that a call ran on a CPU", false, row -> row.max(Metric.ON_CPU)),
    /** Shown while there is a recording that has it, unless the user has hidden it, see {@link FunctionTable}. */
    BESIDE_TIME(Form.text("Beside time", 260, FunctionRow::besideText, Comparator.comparingDouble(FunctionRow::firstBeside))
            .tip("What a call took beside its time, on average; sorts by the first of these").descending(), true, FunctionRow::besideText);

    /** The text where nothing is known; a 0 would look like a measurement. */
    static final String UNKNOWN = "–";

    private static final int COUNT_WIDTH = 80;
    private static final int TIME_WIDTH = 86;

    private final Form<FunctionRow> form;
    private final boolean visibleAtFirst;
    private final Function<FunctionRow, String> copied;

    FunctionColumn(Form<FunctionRow> form, boolean visibleAtFirst, Function<FunctionRow, String> copied) {
        this.form = form;
        this.visibleAtFirst = visibleAtFirst;
        this.copied = copied;
    }

    /** A time in ns. */
    FunctionColumn(String title, String tip, boolean visibleAtFirst, Function<FunctionRow, OptionalDouble> nanos) {
        form = Form.time(title, TIME_WIDTH, nanos, UNKNOWN).tip(tip);
        this.visibleAtFirst = visibleAtFirst;
        copied = row -> {
            OptionalDouble value = nanos.apply(row);
            return value.isPresent() ? String.format(Locale.ROOT, "%.0f", value.getAsDouble()) : "";
        };
    }

    /** A count. */
    FunctionColumn(String title, String tip, ToLongFunction<FunctionRow> count, boolean visibleAtFirst) {
        this(Form.number(title, COUNT_WIDTH, (FunctionRow row) -> LatencyFormat.count(count.applyAsLong(row)),
                Comparator.comparingLong(count)).tip(tip), visibleAtFirst, row -> Long.toString(count.applyAsLong(row)));
    }

    /** The text in place of the bar where it is not known how the time was spent. */
    private static String instead(FunctionRow row) {
        return row.latency().function().measuresAll() ? "" : UNKNOWN;
    }

    /** For the clipboard, where no bar can stand: "on-CPU 12 %, lock 88 %". */
    private static String shares(FunctionRow row) {
        return Arrays.stream(Metric.values())
                .filter(metric -> metric != Metric.WALL && row.latency().share(metric) > 0)
                .sorted(Comparator.comparingDouble((Metric metric) -> row.latency().share(metric)).reversed())
                .map(metric -> metric.label() + " " + LatencyFormat.percent(row.latency().share(metric)))
                .collect(Collectors.joining(", "));
    }

    @Override
    public Form<FunctionRow> form() {
        return form;
    }

    /** The title with the unit in which {@link #copied} gives the value. */
    String copiedTitle() {
        return form.isTime() ? title() + " (ns)" : title();
    }

    boolean visibleAtFirst() {
        return visibleAtFirst;
    }

    /** What goes to the clipboard: times as whole ns, counts without separators. */
    String copied(FunctionRow row) {
        return copied.apply(row);
    }
}
