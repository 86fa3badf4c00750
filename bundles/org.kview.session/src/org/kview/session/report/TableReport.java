// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import static org.kview.session.report.TerminalText.coloured;
import static org.kview.session.report.TerminalText.left;
import static org.kview.session.report.TerminalText.printable;
import static org.kview.session.report.TerminalText.right;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.chart.BreakdownBar;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.model.Metric;
import org.kview.model.Verdict;

/** The report for a terminal: two lines a function, those that took most time first. */
public final class TableReport {
    private static final int CALLS_WIDTH = 13;
    /**
     * On a terminal that is at least this wide, columns have their full width; on a narrower one they are as narrow as
     * possible.
     */
    private static final int ROOMY = 96;
    private static final int TIME_WIDTH = 9;
    private static final int TIMES = 6;
    private static final int BAR_WIDTH = 24;
    private static final int NARROW_BAR_WIDTH = 14;
    /** Of a function: those that took most time. */
    private static final int MOST_VALUES = 10;

    private final LatencySnapshot snapshot;
    private final HostFigures hosts;
    private final TableStyle style;
    private final boolean all;
    private final SessionText text;
    private final Map<Integer, String> names;
    private final int nameWidth;
    private final int callsWidth;
    private final int barWidth;
    private final TerminalText out;

    private TableReport(LatencySnapshot snapshot, TableStyle style, boolean all) {
        this.snapshot = snapshot;
        hosts = new HostFigures(snapshot);
        this.style = style;
        this.all = all;
        out = new TerminalText(style);
        text = new SessionText(snapshot);
        names = Figures.names(snapshot);
        boolean roomy = style.width() >= ROOMY;
        barWidth = roomy ? BAR_WIDTH : NARROW_BAR_WIDTH;
        callsWidth = roomy ? CALLS_WIDTH : 1 + Math.max("Calls".length(), snapshot.functions().stream()
                .mapToInt(f -> LatencyFormat.count(f.calls()).length()).max().orElse(0));
        int room = style.width() - callsWidth - TIMES * TIME_WIDTH;
        int longest = Stream.of(names.values().stream(), snapshot.hosts().stream().map(host -> "    " + host.info().target()),
                snapshot.functions().stream().flatMap(f -> f.values().stream().map(v -> "    " + v.value().of(f.function().by()))))
                .flatMap(labels -> labels).mapToInt(String::length).max().orElse(0);
        nameWidth = Math.max("Function".length(), Math.min(room, longest));
    }

    public static String of(LatencySnapshot snapshot, TableStyle style) {
        return of(snapshot, style, false);
    }

    /** @param all whether functions that were never called have lines of their own */
    public static String of(LatencySnapshot snapshot, TableStyle style, boolean all) {
        return new TableReport(snapshot, style, all).text();
    }

    private String text() {
        out.bold(text.title());
        out.sentence(text.recorded());
        text.warnings().forEach(out::warning);
        out.line("");
        if (!Hits.areAllOf(snapshot)) {
            out.bold(left("Function", nameWidth) + right("Calls", callsWidth) + right("Total", TIME_WIDTH)
                    + right("Wall p50", TIME_WIDTH) + right("p99", TIME_WIDTH) + right("max", TIME_WIDTH)
                    + right("CPU p50", TIME_WIDTH) + right("p99", TIME_WIDTH));
        }
        Figures.byTime(snapshot).stream().filter(f -> all || !NeverCalled.is(f)).forEach(this::function);
        hits();
        if (!all) {
            NeverCalled.line(snapshot).ifPresent(line -> out.sentence(printable(line) + " (--all lists them)"));
        }
        if (snapshot.functions().isEmpty()) {
            out.line("No function was probed.");
        }
        out.line("");
        text.cost().forEach(out::sentence);
        text.others().forEach(out::sentence);
        text.method().forEach(out::sentence);
        return out.toString();
    }

    /** Hits take no time: their figures stand by themselves. */
    private void hits() {
        List<FunctionLatency> hits = Hits.of(snapshot).stream().filter(f -> all || !NeverCalled.is(f)).toList();
        if (hits.isEmpty()) {
            return;
        }
        if (!Hits.areAllOf(snapshot)) {
            out.line("");
        }
        out.bold(left(Hits.heading(hits), nameWidth) + right("Hits", callsWidth) + right("Hits/s", TIME_WIDTH)
                + right("Between", TIME_WIDTH + 1) + right("p50", TIME_WIDTH) + right("p99", TIME_WIDTH) + right("max", TIME_WIDTH));
        for (FunctionLatency latency : hits) {
            hitsLine(printable(names.get(latency.function().id())), latency, snapshot);
            FunctionNotes.of(latency).forEach(note -> out.note("    ", note));
            snapshot.hosts().forEach(host -> host.functions().stream()
                    .filter(part -> MergedHosts.isSame(part.function(), latency.function()))
                    .forEach(part -> hitsLine("    " + printable(host.info().target()), part, host)));
        }
    }

    private void hitsLine(String label, FunctionLatency latency, LatencySnapshot of) {
        String name = label;
        if (name.length() > nameWidth) {
            out.line(name);
            name = "";
        }
        out.line(left(name, nameWidth) + right(LatencyFormat.count(latency.calls()), callsWidth)
                + right(Hits.perSecondText(latency, of.info().duration()), TIME_WIDTH) + " ".repeat(TIME_WIDTH + 1)
                + right(Figures.percentileText(latency.between(), 50), TIME_WIDTH)
                + right(Figures.percentileText(latency.between(), 99), TIME_WIDTH)
                + right(Figures.maxText(latency.between()), TIME_WIDTH));
    }

    private void function(FunctionLatency latency) {
        String name = names.get(latency.function().id());
        if (name.length() > nameWidth) {
            out.line(name);
            name = "";
        }
        out.line(left(printable(name), nameWidth) + figures(latency));
        Verdict verdict = Verdict.of(latency);
        String sentence = printable(verdict.text());
        // The verdict already names the largest part.
        List<BreakdownBar.Part> others = Figures.largestParts(latency).stream()
                .filter(part -> !verdict.tells(part.metric())).toList();
        int indent = style.colour() ? barWidth + 4 : 4;
        int visible = indent + sentence.length() + others.stream().mapToInt(part -> plain(part).length() + 4).sum() + 3;
        String parts = others.stream().map(this::part).collect(Collectors.joining("  "));
        String beside = others.isEmpty() ? "" : visible <= style.width() ? "  ·  " + parts
                : "\n" + " ".repeat(indent) + parts;
        if (indent + sentence.length() > style.width()) {
            if (style.colour()) {
                out.styled("  " + bar(latency));
            }
            out.note("    ", verdict.text());
            if (!others.isEmpty()) {
                out.styled("    " + parts);
            }
        } else {
            out.styled((style.colour() ? "  " + bar(latency) + "  " : "    ") + sentence + beside);
        }
        FunctionNotes.of(latency).forEach(note -> out.note("    ", note));
        QuantityText.of(latency).forEach(line -> out.note("    ", line));
        values(latency);
        hosts.of(latency).forEach(part -> onHost(part, FunctionNotes.marks(latency)));
    }

    /** A line for each value, as for a host, with where most of its time went. */
    private void values(FunctionLatency latency) {
        List<FunctionLatency> values = latency.byValue();
        double worst = values.stream().mapToDouble(value -> value.errorShare().orElse(0)).max().orElse(0);
        int single = (int) latency.values().stream().filter(figures -> figures.value().kind().isOne()).count();
        for (int i = 0; i < values.size(); i++) {
            if (i < MOST_VALUES || i >= single) {
                value(latency.values().get(i).value().of(latency.function().by()), values.get(i));
            }
            if (i == MOST_VALUES && single > MOST_VALUES) {
                out.note("    ", (single - MOST_VALUES) + " more values, which took less time (--json has them)");
            }
        }
        // Of each by itself it would be as long as all else.
        if (worst >= FunctionLatency.NOTABLE_ERROR) {
            out.note("    ", "times of values are known to " + ErrorNotes.share(worst) + ", or better (--json has each)");
        }
    }

    private void value(String name, FunctionLatency value) {
        String label = "    " + printable(name);
        if (label.length() > nameWidth) {
            out.line(label);
            label = "";
        }
        out.line(left(label, nameWidth) + figures(value));
        out.note("        ", Verdict.of(value).text() + (value.atLeast() ? " · " + FunctionNotes.AT_LEAST : ""));
    }

    /** @param marks of all hosts together */
    private void onHost(HostFigures.OnHost part, Optional<String> marks) {
        String target = "    " + printable(part.target());
        if (target.length() > nameWidth) {
            out.line(target);
            target = "";
        }
        out.line(left(target, nameWidth) + figures(part.latency()));
        FunctionNotes.marks(part.latency()).filter(own -> !marks.equals(Optional.of(own))).ifPresent(own -> out.note("        ", own));
    }

    private String figures(FunctionLatency latency) {
        return right(LatencyFormat.count(latency.calls()), callsWidth)
                + right(Figures.totalText(latency.wall()), TIME_WIDTH)
                + right(Figures.percentileText(latency.wall(), 50), TIME_WIDTH)
                + right(Figures.percentileText(latency.wall(), 99), TIME_WIDTH)
                + right(Figures.maxText(latency.wall()), TIME_WIDTH)
                + (latency.isMeasured(Metric.ON_CPU) ? right(Figures.onCpuText(latency, 50), TIME_WIDTH)
                        + right(Figures.onCpuText(latency, 99), TIME_WIDTH) : right(Figures.NOT_MEASURED, 2 * TIME_WIDTH));
    }

    private String part(BreakdownBar.Part part) {
        return (style.colour() ? coloured(part.metric(), "■") + " " : "") + plain(part);
    }

    private static String plain(BreakdownBar.Part part) {
        return part.metric().label() + " " + LatencyFormat.percent(part.share());
    }

    private String bar(FunctionLatency latency) {
        BreakdownBar bar = BreakdownBar.of(latency);
        // A bar's parts have two units at least; here that is a column.
        double[] widths = bar.widths(2.0 * barWidth);
        StringBuilder cells = new StringBuilder();
        double edge = 0;
        int column = 0;
        for (int i = 0; i < widths.length; i++) {
            edge += widths[i] / 2;
            int next = (int) Math.round(edge);
            cells.append(coloured(bar.parts().get(i).metric(), "█".repeat(Math.max(0, next - column))));
            column = Math.max(column, next);
        }
        return cells + " ".repeat(Math.max(0, barWidth - column));
    }
}
