// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.Comparator;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.Function;

import org.kview.model.ByteFormat;
import org.kview.model.LatencyFormat;
import org.kview.ui.kernelviews.ViewRow.Figures;
import org.kview.ui.widgets.Column;

/** The columns of the list of kernel views. */
enum ViewColumn implements Column<ViewRow> {
    NAME(Form.words("Name", 250, ViewRow::name)),
    SITES(count("Sites", 70, Figures::sites)),
    PROCESSES(count("Processes", 84, Figures::processes).tip("Processes with memory of their own that run in it now")),
    HITS(count("Hits", 110, Figures::hits).tip("How often sites were reached by who is in the view")),
    HIT_RATE(Form.number("Hits/s", 90, row -> rate(row.figures().hitRate()),
            Comparator.comparingDouble(row -> row.figures().hitRate().orElse(-1)))),
    MISSED(count("Missed", 80, Figures::missed).tip("Of the hits, those for which no eBPF program ran where one was to")),
    REJECTED(count("Rejected", 84, Figures::rejected)
            .tip("Calls that are no hits: in interrupts, by eBPF programs, by the kernel itself")),
    MEMORY(Form.number("Memory", 84, row -> ByteFormat.bytes(row.memoryBytes()), Comparator.comparingLong(ViewRow::memoryBytes))),
    PAGES(Form.number("Pages", 84, ViewRow::pagesText, Comparator.comparingLong(row -> row.pages().text() + row.pages().tables()))
            .tip("Of 4 KiB: copies of the kernel's text, and page tables")),
    TOOK(Form.number("Took", 84, row -> row.tookNanos() == 0 ? "" : LatencyFormat.nanos(row.tookNanos()),
            Comparator.comparingLong(ViewRow::tookNanos)).tip("How long attaching took; of a view, how long adding its last set took")),
    AGE(Form.number("Since", 84, row -> LatencyFormat.nanos(row.ageNanos()), Comparator.comparingLong(ViewRow::ageNanos))
            .tip("How long ago it was made")),
    OWNER(Form.words("Owner", 220, ViewRow::owner)),
    NOTE(Form.words("Remarks", 320, ViewRow::note));

    private final Form<ViewRow> form;

    ViewColumn(Form<ViewRow> form) {
        this.form = form;
    }

    @Override
    public Form<ViewRow> form() {
        return form;
    }

    private static Form<ViewRow> count(String title, int width, Function<Figures, OptionalLong> value) {
        return Form.number(title, width, row -> count(value.apply(row.figures())),
                Comparator.comparingLong(row -> value.apply(row.figures()).orElse(-1)));
    }

    private static String count(OptionalLong value) {
        return value.isEmpty() ? "" : LatencyFormat.count(value.getAsLong());
    }

    static String rate(OptionalDouble rate) {
        return rate.isEmpty() ? "" : rate.getAsDouble() < 10 ? String.format(Locale.ROOT, "%.1f", rate.getAsDouble())
                : LatencyFormat.count(Math.round(rate.getAsDouble()));
    }
}
