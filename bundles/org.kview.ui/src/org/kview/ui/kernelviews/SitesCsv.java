// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;

import org.kview.session.report.CsvLine;

/** The list of sites as a table for spreadsheets: whole numbers, what is not known is empty. */
final class SitesCsv {
    private static final List<String> FIELDS = List.of("set", "site", "kind", "name", "hits", "hits_per_second", "missed",
            "lost_returns", "lost_records", "rejected_interrupts", "rejected_nested", "rejected_kernel");

    private SitesCsv() {
    }

    static String of(List<SiteRow> rows) {
        StringBuilder csv = new StringBuilder(CsvLine.of(FIELDS));
        rows.forEach(row -> csv.append(CsvLine.of(List.of(Long.toString(row.set()), Integer.toString(row.figures().site()),
                ViewsModel.kind(row.kind()), row.name(), Long.toString(row.figures().hits()), ViewsCsv.text(row.rate()),
                Long.toString(row.figures().missed()), Long.toString(row.figures().lostReturns()),
                Long.toString(row.figures().lostRecords()), Long.toString(row.figures().rejected().inInterrupts()),
                Long.toString(row.figures().rejected().nested()), Long.toString(row.figures().rejected().byKernel())))));
        return csv.toString();
    }
}
