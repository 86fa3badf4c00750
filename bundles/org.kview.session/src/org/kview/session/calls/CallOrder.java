// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

import org.kview.model.Metric;
import org.kview.model.SyntaxException;

/**
 * The order in which calls are listed. Immutable.
 *
 * @param column     what they are sorted by; if two calls are equal in it, the earlier one comes first
 * @param descending whether the largest comes first; calls that have nothing in the column come last in both directions
 */
public record CallOrder(CallColumn column, boolean descending) {
    /** Of the wall-clock time. */
    public static final CallOrder SLOWEST_FIRST = new CallOrder(CallColumn.of(Metric.WALL.id()).orElseThrow(), true);

    private static final String ASCENDING = ":asc";
    private static final String DESCENDING = ":desc";

    private static final Comparator<CallRow> BY_START = Comparator.comparingLong(CallRow::epochNanos)
            .thenComparingInt(row -> row.host().index()).thenComparingLong(row -> row.call().tid())
            .thenComparingLong(row -> row.call().depth()).thenComparingInt(row -> row.call().cpu());

    /**
     * Understands the name of a column, with {@code :asc} or {@code :desc} behind it if the direction is not to be the usual one:
     * the longest time first, otherwise ascending.
     *
     * @throws SyntaxException if there is no such column
     */
    public static CallOrder parse(String text) throws SyntaxException {
        boolean ascending = text.endsWith(ASCENDING);
        boolean descending = text.endsWith(DESCENDING);
        String name = ascending || descending ? text.substring(0, text.lastIndexOf(':')) : text;
        CallColumn column = CallColumn.of(name).orElseThrow(() -> new SyntaxException("'" + name + "' is no column; "
                + Names.nearest(name, CallColumn.columns().stream().map(CallColumn::name)).map(near -> "did you mean " + near + "?")
                        .orElse("they are " + CallColumn.columns().stream().map(CallColumn::name).collect(Collectors.joining(" "))), 1));
        boolean longestFirst = column.kind() == CallColumn.Kind.NANOS && !isMoment(column);
        return new CallOrder(column, descending || longestFirst && !ascending);
    }

    private static boolean isMoment(CallColumn column) {
        return column.name().equals("start") || column.name().equals("end");
    }

    /** Whether it is the order in which they began. */
    boolean isByStart() {
        return column.name().equals("start") && !descending;
    }

    Comparator<CallRow> comparator() {
        if (isByStart()) {
            return BY_START;
        }
        Comparator<CallRow> own = column.isText() ? Comparator.comparing(column::text) : Comparator.comparingLong(column::number);
        Comparator<CallRow> directed = descending ? own.reversed() : own;
        return Comparator.comparing(this::isAbsent).thenComparing(directed).thenComparing(BY_START);
    }

    /** A bound that rules out calls which would come after this one. */
    List<CallBound> bounds(CallRow last) {
        if (column.isText() || isAbsent(last)) {
            return List.of();
        }
        long number = column.number(last);
        return List.of(descending ? new CallBound(column, number, Long.MAX_VALUE) : new CallBound(column, Long.MIN_VALUE, number));
    }

    private boolean isAbsent(CallRow row) {
        return column.isText() ? column.text(row).isEmpty() : column.number(row) == CallColumn.ABSENT;
    }
}
