// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

import org.kview.ctf.calls.Call;
import org.kview.model.Metric;

/** The columns of a call, by which calls can be chosen and sorted. Each has the same name in all forms of output. */
public final class CallColumn {
    /** Stands for a number that a call does not have, or that is not known. */
    static final long ABSENT = Long.MIN_VALUE;

    /** What a column holds. */
    enum Kind {
        /** A time in ns. */
        NANOS,
        NUMBER,
        TEXT,
        /** The name of a part of the wall-clock time. */
        CAUSE
    }

    private static final List<CallColumn> ALL = all();

    private final String name;
    private final Kind kind;
    private final ToLongFunction<CallRow> number;
    private final Function<CallRow, String> text;

    private CallColumn(String name, Kind kind, ToLongFunction<CallRow> number, Function<CallRow, String> text) {
        this.name = name;
        this.kind = kind;
        this.number = number;
        this.text = text;
    }

    private static CallColumn nanos(String name, ToLongFunction<Call> value) {
        return new CallColumn(name, Kind.NANOS, row -> value.applyAsLong(row.call()), _ -> "");
    }

    private static CallColumn number(String name, ToLongFunction<Call> value) {
        return new CallColumn(name, Kind.NUMBER, row -> value.applyAsLong(row.call()), _ -> "");
    }

    private static CallColumn text(String name, Function<CallRow, String> value) {
        return new CallColumn(name, Kind.TEXT, _ -> ABSENT, value);
    }

    private static List<CallColumn> all() {
        List<CallColumn> all = new ArrayList<>(List.of(
                text("host", row -> row.host().name()),
                text("target", row -> row.host().target()),
                new CallColumn("start", Kind.NANOS, row -> row.host().sinceStartNanos(row.call().beginNanos()), _ -> ""),
                new CallColumn("end", Kind.NANOS, row -> row.host().sinceStartNanos(row.call().endNanos()), _ -> ""),
                number("tid", Call::tid),
                text("thread", row -> row.call().thread()),
                number("cpu", Call::cpu),
                number("start_cpu", call -> call.startCpu().isPresent() ? call.startCpu().getAsInt() : ABSENT),
                number("depth", Call::depth),
                text("function", row -> row.host().function(row.call().function())),
                text("parent", row -> row.call().parent().map(parent -> row.host().function(parent.function())).orElse("")),
                nanos(Metric.WALL.id(), Call::wallNanos),
                nanos(Metric.ON_CPU.id(), Call::onCpuNanos)));
        Metric.CAUSES.forEach(cause -> all.add(nanos(cause.id(), call -> call.nanos(cause))));
        all.add(new CallColumn("cause", Kind.CAUSE, _ -> ABSENT, row -> row.call().mainPart().id()));
        all.add(number("waker_tid", call -> call.waker().map(Call.Waker::tid).orElse(ABSENT)));
        all.add(text("waker", row -> row.call().waker().map(Call.Waker::name).orElse("")));
        return List.copyOf(all);
    }

    /** The columns, in the order of the output. */
    public static List<CallColumn> columns() {
        return ALL;
    }

    /** The column of this name. */
    public static Optional<CallColumn> of(String name) {
        return ALL.stream().filter(column -> column.name.equals(name)).findFirst();
    }

    /** Its name: letters, digits and low lines. */
    public String name() {
        return name;
    }

    Kind kind() {
        return kind;
    }

    boolean isText() {
        return kind == Kind.TEXT || kind == Kind.CAUSE;
    }

    /** The number that a call has in this column; {@link #ABSENT} if it has none, or a text. */
    long number(CallRow row) {
        return number.applyAsLong(row);
    }

    /** The text that a call has in this column; empty if it has none, or a number. */
    String text(CallRow row) {
        return text.apply(row);
    }
}
