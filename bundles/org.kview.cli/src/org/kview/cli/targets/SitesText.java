// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.targets;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.kview.model.LatencyFormat;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.KernelSites;
import org.kview.targets.values.KernelSites.Figures;
import org.kview.targets.values.KernelViews.Rejected;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** The sites of a set, for people and for programs. */
final class SitesText {
    /** Of each set, unless all are wanted. */
    private static final int USUAL_LINES = 20;
    private static final String LINE = "      %14s %10s %10s %10s  %s%n";

    private SitesText() {
    }

    static String text(SetSites sites, boolean all) {
        StringBuilder text = new StringBuilder();
        List<SetSites.Line> lines = sites.lines(all);
        if (!lines.isEmpty()) {
            text.append(String.format(Locale.ROOT, LINE, "Hits", sites.before().isPresent() ? "Hits/s" : "", "Missed", "Rejected", "Site"));
        }
        lines.stream().limit(all ? lines.size() : USUAL_LINES).forEach(line -> text.append(String.format(Locale.ROOT, LINE,
                LatencyFormat.count(line.figures().hits()), rate(line), LatencyFormat.count(line.figures().unseen()),
                LatencyFormat.count(line.figures().rejected().total()), TerminalText.printable(line.name() + reasons(line.figures())))));
        int left = all ? 0 : lines.size() - USUAL_LINES;
        if (left > 0) {
            text.append("      and ").append(LatencyFormat.count(left)).append(" more that have counted something: --all shows all\n");
        }
        sites.now().filter(_ -> lines.isEmpty()).ifPresent(_ -> text.append("      None of its sites has counted anything.\n"));
        if (!sites.note().isEmpty()) {
            text.append("      ").append(TerminalText.printable(sites.note())).append('\n');
        }
        return text.toString();
    }

    private static String rate(SetSites.Line line) {
        return line.rate().isEmpty() ? "" : line.rate().getAsDouble() < 10 ? String.format(Locale.ROOT, "%.1f", line.rate().getAsDouble())
                : LatencyFormat.count(Math.round(line.rate().getAsDouble()));
    }

    /** Why calls were missed or rejected; empty if none was. */
    private static String reasons(Figures f) {
        List<String> reasons = new ArrayList<>();
        add(reasons, f.missed(), "returns not watched");
        add(reasons, f.lostReturns(), "returns without a program");
        add(reasons, f.lostRecords(), "records without a buffer");
        add(reasons, f.rejected().inInterrupts(), "in interrupts");
        add(reasons, f.rejected().nested(), "by eBPF programs");
        add(reasons, f.rejected().byKernel(), "by kernel threads");
        return reasons.isEmpty() ? "" : " (" + String.join(", ", reasons) + ")";
    }

    private static void add(List<String> reasons, long count, String why) {
        if (count > 0) {
            reasons.add(LatencyFormat.count(count) + " " + why);
        }
    }

    static void put(ObjectNode set, SetSites sites, boolean all) {
        ArrayNode list = set.putArray("figures");
        sites.now().map(KernelSites::readNanos).ifPresent(nanos -> set.put("figures_read_ns", nanos));
        for (SetSites.Line line : sites.lines(all)) {
            Figures f = line.figures();
            ObjectNode node = list.addObject().put("site", f.site()).put("name", line.name()).put("hits", f.hits());
            line.rate().ifPresent(rate -> node.put("hits_per_second", Math.round(rate * 10) / 10.0));
            node.put("missed", f.missed()).put("lost_returns", f.lostReturns()).put("lost_records", f.lostRecords());
            put(node.putObject("rejected"), f.rejected());
        }
        if (!sites.note().isEmpty()) {
            set.put("figures_note", sites.note());
        }
    }

    static ObjectNode put(ObjectNode node, Rejected rejected) {
        return node.put("interrupts", rejected.inInterrupts()).put("nested", rejected.nested()).put("kernel", rejected.byKernel());
    }
}
