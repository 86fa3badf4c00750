// SPDX-License-Identifier: EPL-2.0
package org.kview.compare.report;

import static org.kview.session.report.TerminalText.left;
import static org.kview.session.report.TerminalText.printable;
import static org.kview.session.report.TerminalText.right;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.compare.Change;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.QuantityChanges;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.session.report.SessionText;
import org.kview.session.report.TableStyle;
import org.kview.session.report.TerminalText;
import org.kview.statistics.Statistic;

/** The comparison for a terminal: the figures of each function, and below them the verdict. */
public final class ComparisonTable {
    private static final int CALLS_WIDTH = 11;
    private static final int TIME_WIDTH = 9;
    private static final List<Statistic> COLUMNS = List.of(Statistic.P50, Statistic.P99, Statistic.MEAN);
    private static final int LEAST_NAME_WIDTH = 18;
    /** Of what only one side has. */
    private static final int MOST_NAMES = 20;

    private final Comparison comparison;
    private final TableStyle style;
    private final TerminalText out;
    private final Map<FunctionComparison, String> names;
    private final int nameWidth;
    private final QuantityChanges quantities;

    private ComparisonTable(Comparison comparison, TableStyle style) {
        this.comparison = comparison;
        this.style = style;
        out = new TerminalText(style);
        quantities = QuantityChanges.of(comparison);
        names = ComparisonText.names(comparison);
        int room = style.width() - 2 * CALLS_WIDTH - 2 * COLUMNS.size() * TIME_WIDTH;
        int longest = names.values().stream().mapToInt(String::length).max().orElse(0);
        nameWidth = Math.max(LEAST_NAME_WIDTH, Math.min(room, longest));
    }

    public static String of(Comparison comparison, TableStyle style) {
        return new ComparisonTable(comparison, style).text();
    }

    private String text() {
        side("A", comparison.recordingsA());
        side("B", comparison.recordingsB());
        comparison.warnings().forEach(out::warning);
        out.line("");
        out.bold(ComparisonText.summary(comparison));
        if (!comparison.functions().isEmpty()) {
            head();
            comparison.functions().forEach(this::function);
        }
        only("Only in A", comparison.onlyA());
        only("Only in B", comparison.onlyB());
        only("In B among other values", comparison.amongOthersB());
        only("In A among other values", comparison.amongOthersA());
        out.line("");
        ComparisonText.method(comparison).forEach(out::sentence);
        return out.toString();
    }

    private void side(String letter, List<Comparison.Recorded> recordings) {
        for (Comparison.Recorded recording : recordings) {
            SessionText text = new SessionText(recording.figures());
            out.bold(letter + "  " + recording.name() + "  " + text.title());
            out.line("   " + text.recorded());
        }
    }

    private void head() {
        StringBuilder line = new StringBuilder(left("Function", nameWidth)).append(right("Calls A", CALLS_WIDTH))
                .append(right("B", CALLS_WIDTH));
        COLUMNS.forEach(s -> line.append(right(s.id() + " A", TIME_WIDTH)).append(right("B", TIME_WIDTH)));
        out.bold(line.toString());
    }

    private void function(FunctionComparison function) {
        String name = printable(names.get(function));
        if (name.length() > nameWidth) {
            out.line(name);
            name = "";
        }
        StringBuilder line = new StringBuilder(left(name, nameWidth))
                .append(right(LatencyFormat.count(function.pair().a().calls()), CALLS_WIDTH))
                .append(right(LatencyFormat.count(function.pair().b().calls()), CALLS_WIDTH));
        for (Statistic statistic : COLUMNS) {
            Change change = function.wall().get(statistic);
            line.append(right(ComparisonText.value(change, true), TIME_WIDTH))
                    .append(right(ComparisonText.value(change, false), TIME_WIDTH));
        }
        out.line(line.toString());
        List<String> verdict = ComparisonText.verdictParts(comparison, function);
        if (function.differs()) {
            verdict.forEach(part -> out.bold("    " + part));
            interval(function.headline().orElseGet(() -> function.rates().getLast()));
        } else {
            verdict.forEach(part -> out.line("    " + part));
        }
        List<Change> causes = ComparisonText.changedCauses(function);
        if (!causes.isEmpty()) {
            out.styled("    a call: " + causes.stream().map(this::cause).collect(Collectors.joining("  ")));
        }
        ComparisonText.quantities(quantities, function).forEach(sentence -> out.line("    " + printable(sentence)));
        ComparisonText.marks(function).forEach(marks -> out.note("    ", marks));
        if (!function.pair().note().isEmpty()) {
            out.line("    " + function.pair().note());
        }
    }

    private void interval(Change change) {
        out.line("    95 %: " + ComparisonText.interval(change));
        if (!comparison.isPair()) {
            out.line("    " + ComparisonText.label(change.statistic()) + " by recording: "
                    + ComparisonText.recordings(change, true) + " → " + ComparisonText.recordings(change, false));
        }
    }

    private String cause(Change change) {
        return (style.colour() ? TerminalText.coloured(change.metric(), "■") + " " : "") + change.metric().label() + " "
                + ComparisonText.signed(change.difference());
    }

    private void only(String title, List<FunctionLatency> functions) {
        if (!functions.isEmpty()) {
            out.line("");
            out.sentence(title + ": " + functions.stream().limit(MOST_NAMES).map(f -> f.function().name()).collect(Collectors.joining(", "))
                    + (functions.size() > MOST_NAMES ? " and " + (functions.size() - MOST_NAMES) + " more (--json has all)" : ""));
        }
    }
}
