/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.chart.BreakdownBar;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.Verdict;

/** The report for a terminal: two lines a function, those that took most time first. */
public final class TableReport {
    private static final int CALLS_WIDTH = 13;
    private static final int TIME_WIDTH = 9;
    private static final int TIMES = 6;
    private static final int BAR_WIDTH = 24;
    private static final String RESET = "\u001b[0m";

    private final LatencySnapshot snapshot;
    private final TableStyle style;
    private final SessionText text;
    private final Map<Integer, String> names;
    private final int nameWidth;
    private final StringBuilder out = new StringBuilder();

    private TableReport(LatencySnapshot snapshot, TableStyle style) {
        this.snapshot = snapshot;
        this.style = style;
        text = new SessionText(snapshot);
        names = Figures.names(snapshot);
        int room = style.width() - CALLS_WIDTH - TIMES * TIME_WIDTH;
        int longest = Stream.concat(names.values().stream(),
                snapshot.hosts().stream().map(host -> "    " + host.info().target())).mapToInt(String::length).max()
                .orElse(0);
        nameWidth = Math.max("Function".length(), Math.min(room, longest));
    }

    public static String of(LatencySnapshot snapshot, TableStyle style) {
        return new TableReport(snapshot, style).text();
    }

    private String text() {
        raw(bold(text.title()));
        line(text.recorded());
        text.warnings().forEach(warning -> wrapped(emphasised("!! "), "   ", warning));
        line("");
        raw(bold(pad("Function", nameWidth) + right("Calls", CALLS_WIDTH) + right("Total", TIME_WIDTH)
                + right("Wall p50", TIME_WIDTH) + right("p99", TIME_WIDTH) + right("max", TIME_WIDTH)
                + right("CPU p50", TIME_WIDTH) + right("p99", TIME_WIDTH)));
        Figures.byTime(snapshot).forEach(this::function);
        if (snapshot.functions().isEmpty()) {
            line("No function was probed.");
        }
        line("");
        text.cost().forEach(sentence -> wrapped("", "", sentence));
        text.method().forEach(sentence -> wrapped("", "", sentence));
        return out.toString();
    }

    private void function(FunctionLatency latency) {
        String name = names.get(latency.function().id());
        if (name.length() > nameWidth) {
            line(name);
            name = "";
        }
        line(pad(printable(name), nameWidth) + figures(latency));
        Verdict verdict = Verdict.of(latency);
        String sentence = printable(verdict.text());
        // What the verdict tells needs no saying twice.
        List<BreakdownBar.Part> others = Figures.largestParts(latency).stream()
                .filter(part -> part.metric() != verdict.metric()).toList();
        int indent = style.colour() ? BAR_WIDTH + 4 : 4;
        int visible = indent + sentence.length() + others.stream().mapToInt(part -> plain(part).length() + 4).sum() + 3;
        String parts = others.stream().map(this::part).collect(Collectors.joining("  "));
        String beside = others.isEmpty() ? "" : visible <= style.width() ? "  ·  " + parts
                : "\n" + " ".repeat(indent) + parts;
        raw((style.colour() ? "  " + bar(latency) + "  " : "    ") + sentence + beside);
        Figures.withoutTime(latency).ifPresent(note -> line("    " + note));
        Figures.byHost(snapshot, latency).forEach(this::onHost);
    }

    private void onHost(Figures.OnHost part) {
        String target = "    " + printable(part.target());
        if (target.length() > nameWidth) {
            line(target);
            target = "";
        }
        line(pad(target, nameWidth) + figures(part.latency()));
    }

    private static String figures(FunctionLatency latency) {
        return right(LatencyFormat.count(latency.calls()), CALLS_WIDTH)
                + right(Figures.totalText(latency.wall()), TIME_WIDTH)
                + right(Figures.percentileText(latency.wall(), 50), TIME_WIDTH)
                + right(Figures.percentileText(latency.wall(), 99), TIME_WIDTH)
                + right(Figures.maxText(latency.wall()), TIME_WIDTH)
                + right(Figures.percentileText(latency.onCpu(), 50), TIME_WIDTH)
                + right(Figures.percentileText(latency.onCpu(), 99), TIME_WIDTH);
    }

    private String part(BreakdownBar.Part part) {
        return (style.colour() ? colour(part.metric(), "■") + " " : "") + plain(part);
    }

    private static String plain(BreakdownBar.Part part) {
        return part.metric().label() + " " + LatencyFormat.percent(part.share());
    }

    private String bar(FunctionLatency latency) {
        BreakdownBar bar = BreakdownBar.of(latency);
        // A bar's parts have two units at least; here that is a column.
        double[] widths = bar.widths(2.0 * BAR_WIDTH);
        StringBuilder cells = new StringBuilder();
        double edge = 0;
        int column = 0;
        for (int i = 0; i < widths.length; i++) {
            edge += widths[i] / 2;
            int next = (int) Math.round(edge);
            cells.append(colour(bar.parts().get(i).metric(), "█".repeat(Math.max(0, next - column))));
            column = Math.max(column, next);
        }
        return cells + " ".repeat(Math.max(0, BAR_WIDTH - column));
    }

    private void wrapped(String first, String indent, String sentence) {
        List<String> lines = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        for (String word : printable(sentence).split(" ")) {
            if (!current.isEmpty() && indent.length() + current.length() + 1 + word.length() > style.width()) {
                lines.add(current.toString());
                current.setLength(0);
            }
            current.append(current.isEmpty() ? "" : " ").append(word);
        }
        lines.add(current.toString());
        for (int i = 0; i < lines.size(); i++) {
            raw((i == 0 ? first : indent) + lines.get(i));
        }
    }

    private void line(String line) {
        raw(printable(line));
    }

    private void raw(String line) {
        String kept = line.stripTrailing();
        out.append(style.unicode() ? kept : ascii(kept)).append('\n');
    }

    /** Names come from binaries and files of anyone: what could steer a terminal is not passed on. */
    private static String printable(String text) {
        StringBuilder printable = new StringBuilder();
        text.codePoints().forEach(c -> {
            int type = Character.getType(c);
            boolean hidden = type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE
                    || type == Character.LINE_SEPARATOR || type == Character.PARAGRAPH_SEPARATOR;
            printable.appendCodePoint(hidden ? '\uFFFD' : c);
        });
        return printable.toString();
    }

    private static String ascii(String text) {
        return text.replace("µs", "us").replace('·', '-').replace('–', '-').replace('\uFFFD', '?')
                .replaceAll("[^\\x00-\\x7f]", "?");
    }

    private String bold(String line) {
        return style.colour() ? "\u001b[1m" + printable(line) + RESET : printable(line);
    }

    private String emphasised(String mark) {
        return style.colour() ? "\u001b[1;31m" + mark + RESET : mark;
    }

    private static String colour(Metric metric, String cells) {
        int rgb = metric.rgb();
        return "\u001b[38;2;" + (rgb >> 16 & 0xff) + ";" + (rgb >> 8 & 0xff) + ";" + (rgb & 0xff) + "m" + cells + RESET;
    }

    private static String pad(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static String right(String text, int width) {
        return " ".repeat(Math.max(1, width - text.length())) + text;
    }
}
