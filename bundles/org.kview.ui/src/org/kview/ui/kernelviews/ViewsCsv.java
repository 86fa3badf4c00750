// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

import org.kview.session.report.CsvLine;
import org.kview.targets.values.KernelViews.Pages;

/** The list of kernel views as a table for spreadsheets: whole numbers, what is not known is empty. */
final class ViewsCsv {
    private static final List<String> FIELDS = List.of("view", "id", "name", "sites", "processes", "hits", "hits_per_second", "missed",
            "rejected", "memory_bytes", "text_pages", "shared_text_pages", "table_pages", "took_ns", "age_ns", "owner", "note");

    private ViewsCsv() {
    }

    /** Each view, then what is in it; the first field is the view's number. */
    static String of(List<ViewRow> views) {
        StringBuilder csv = new StringBuilder(CsvLine.of(FIELDS));
        for (ViewRow view : views) {
            csv.append(line(view.id(), view));
            view.children().forEach(row -> csv.append(line(view.id(), row)));
        }
        return csv.toString();
    }

    private static String line(long view, ViewRow row) {
        ViewRow.Figures figures = row.figures();
        return CsvLine.of(List.of(Long.toString(view), Long.toString(row.id()), row.name(), text(figures.sites()),
                text(figures.processes()), text(figures.hits()), text(figures.hitRate()), text(figures.missed()), text(figures.rejected()),
                Long.toString(row.memoryBytes()), pages(row, Pages::text), pages(row, Pages::sharedText), pages(row, Pages::tables),
                row.tookNanos() == 0 ? "" : Long.toString(row.tookNanos()), Long.toString(row.ageNanos()), row.owner(), row.note()));
    }

    private static String pages(ViewRow row, ToLongFunction<Pages> figure) {
        return row.pages().isKnown() ? Long.toString(figure.applyAsLong(row.pages())) : "";
    }

    private static String text(OptionalLong value) {
        return value.isEmpty() ? "" : Long.toString(value.getAsLong());
    }

    static String text(OptionalDouble value) {
        return value.isEmpty() ? "" : Double.toString(Math.round(value.getAsDouble() * 10) / 10.0);
    }
}
