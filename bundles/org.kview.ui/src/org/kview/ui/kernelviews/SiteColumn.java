// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.Comparator;
import java.util.function.ToLongFunction;

import org.kview.model.LatencyFormat;
import org.kview.targets.values.KernelSites.Figures;
import org.kview.ui.widgets.Column;

/** The columns of the list of sites. */
enum SiteColumn implements Column<SiteRow> {
    SITE(Form.words("Site", 300, SiteRow::name)),
    KIND(Form.words("Kind", 90, row -> ViewsModel.kind(row.kind()))),
    HITS(count("Hits", 110, Figures::hits).tip("How often it was reached by who is in the view")),
    HIT_RATE(Form.number("Hits/s", 90, row -> ViewColumn.rate(row.rate()), Comparator.comparingDouble(row -> row.rate().orElse(-1)))),
    MISSED(count("Not Watched", 114, Figures::missed).tip("Calls among the hits whose return was not watched: too many were under way")),
    RETURNS(count("Lost Returns", 114, Figures::lostReturns)
            .tip("Returns for which no eBPF program ran: the process had left, the set was off, or another program was at it")),
    RECORDS(count("Lost Records", 116, Figures::lostRecords)
            .tip("Trace events for which no eBPF program ran, as another tracer had the buffer for their record")),
    INTERRUPTS(count("In Interrupts", 116, f -> f.rejected().inInterrupts()).tip("Calls that are no hits: in an interrupt")),
    NESTED(count("Nested", 80, f -> f.rejected().nested()).tip("Calls that are no hits: by an eBPF program, or by what it called")),
    KERNEL(count("By Kernel", 84, f -> f.rejected().byKernel()).tip("Calls that are no hits: by a kernel thread on the process's memory"));

    private final Form<SiteRow> form;

    SiteColumn(Form<SiteRow> form) {
        this.form = form;
    }

    @Override
    public Form<SiteRow> form() {
        return form;
    }

    private static Form<SiteRow> count(String title, int width, ToLongFunction<Figures> value) {
        return Form.number(title, width, row -> LatencyFormat.count(value.applyAsLong(row.figures())),
                Comparator.comparingLong(row -> value.applyAsLong(row.figures())));
    }
}
