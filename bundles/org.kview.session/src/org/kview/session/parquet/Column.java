// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A column of a table.
 *
 * @param <R>      what a row is made of
 * @param name     with the unit of its numbers
 * @param optional whether a row may have nothing there: {@link #ABSENT}, or an empty text
 * @param number   what a row has there; 0 if the column holds texts
 * @param text     likewise; empty if it holds numbers
 */
public record Column<R>(String name, Kind kind, boolean optional, ToLongFunction<R> number, Function<R, String> text) {
    /** Of an optional column: nothing. */
    public static final long ABSENT = Long.MIN_VALUE;

    /** What a column holds. */
    public enum Kind {
        /** Whole numbers of 64 bits. */
        NUMBER,
        /** Moments, in microseconds since 1970 in UTC: of all units it is the one that every reader takes. */
        MOMENT,
        TEXT
    }

    /** Numbers, one in each row. */
    public static <R> Column<R> number(String name, ToLongFunction<R> value) {
        return new Column<>(name, Kind.NUMBER, false, value, _ -> "");
    }

    /** Numbers, or {@link #ABSENT}. */
    public static <R> Column<R> optionalNumber(String name, ToLongFunction<R> value) {
        return new Column<>(name, Kind.NUMBER, true, value, _ -> "");
    }

    /** Moments, given in ns since 1970. */
    public static <R> Column<R> moment(String name, ToLongFunction<R> epochNanos) {
        return new Column<>(name, Kind.MOMENT, false, row -> Math.floorDiv(epochNanos.applyAsLong(row), 1000), _ -> "");
    }

    /** Texts, one in each row. */
    public static <R> Column<R> text(String name, Function<R, String> value) {
        return new Column<>(name, Kind.TEXT, false, _ -> 0, value);
    }

    /** Texts; an empty one is nothing. */
    public static <R> Column<R> optionalText(String name, Function<R, String> value) {
        return new Column<>(name, Kind.TEXT, true, _ -> 0, value);
    }
}
