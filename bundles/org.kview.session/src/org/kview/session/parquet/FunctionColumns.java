// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.model.SafeText;

/** What each table says of a host, and of a function; they are also the folders of its files. */
public final class FunctionColumns {
    private FunctionColumns() {
    }

    /**
     * The folder of a host.
     *
     * @param name   as it calls itself
     * @param target as the user named it, if it has no name
     */
    public static String hostFolder(String name, String target) {
        return ParquetFolder.partition("host", name.isEmpty() ? target : name);
    }

    /** The folder of a function; of an empty name, that of functions that the session does not list. */
    public static String functionFolder(String name) {
        return ParquetFolder.partition("function", name);
    }

    /** Begins a table's columns. */
    public static <R> List<Column<R>> ofHost(String target) {
        return new ArrayList<>(List.of(Column.text("target", _ -> target)));
    }

    /** Likewise, where rows are of one function. */
    public static <R> List<Column<R>> of(String target, ProbedFunction function) {
        String name = SafeText.line(function.name());
        return of(target, _ -> name, function.point());
    }

    /** Likewise, where the session does not list the functions. */
    public static <R> List<Column<R>> ofUnlisted(String target, Function<R, String> name) {
        return of(target, name, new ProbePoint.Unknown("", ""));
    }

    private static <R> List<Column<R>> of(String target, Function<R, String> name, ProbePoint point) {
        String kind = SafeText.line(point.kind());
        String binary = SafeText.line(point.binary());
        String symbol = SafeText.line(point.symbol());
        List<Column<R>> columns = ofHost(target);
        columns.add(Column.text("function_name", name));
        columns.add(Column.optionalText("kind", _ -> kind));
        // "binary" is a word of SQL.
        columns.add(Column.optionalText("binary_path", _ -> binary));
        columns.add(Column.optionalText("symbol", _ -> symbol));
        return columns;
    }
}
