// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.recording.flow.FlowPart;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.End;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.recording.flow.FlowTree;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.Flow;

/**
 * The ways of calls, for people.
 *
 * @param all whether each function has a line of its own, however short it was
 */
record FlowReport(String systemCall, Flow flow, boolean all) {
    private static final int WIDTH = 10;
    private static final String NONE = "-";
    /** Functions that took a smaller part of the call share a line, if so many are in a row. */
    private static final long SHORT = 1000;
    private static final int IN_A_ROW = 3;
    private static final int MOST_NAMED = 3;

    void print(FlowOutput output) {
        output.line(printable(flow.process().name() + " (pid " + flow.process().pid() + "), "
                + LatencyFormat.nanos(flow.stretch().nanos()) + ": " + FlowText.seen(flow, systemCall)));
        for (int i = 0; i < flow.calls().size() && output.wanted(); i++) {
            output.line("");
            call(output, i);
        }
        output.line("");
        FlowText.cost(flow).forEach(output::line);
        FlowText.caveats(flow, systemCall).forEach(caveat -> output.line("!! " + printable(caveat)));
    }

    private void call(FlowOutput output, int i) {
        Flow.Call call = flow.calls().get(i);
        FlowTree tree = FlowTree.of(flow, call);
        output.line(printable(i + 1 + ": " + LatencyFormat.nanos(call.wallNanos()) + ", on-CPU " + LatencyFormat.nanos(call.onCpuNanos())
                + ", " + FlowText.result(call.result()) + "; thread " + call.thread() + " (" + call.tid() + "), after "
                + LatencyFormat.nanos(call.beginNanos() - flow.stretch().beginNanos())));
        output.line(row("Wall", "On CPU", "Self", "Function"));
        function(output, tree.root(), 0, all ? 0 : call.wallNanos() / SHORT);
        if (tree.notToldNanos() > 0 || call.cutSteps() > 0) {
            output.line(row(LatencyFormat.nanos(tree.notToldNanos()), LatencyFormat.nanos(tree.notToldNanos() - tree.notToldWaited()), NONE,
                    "[not told] the rest of the call: no room for " + steps(call.cutSteps())));
        }
        FlowText.caveats(call, tree.hiddenWaits()).forEach(caveat -> output.line("!! " + caveat));
    }

    private static String steps(long steps) {
        return steps == 1 ? "1 step" : LatencyFormat.count(steps) + " steps";
    }

    /** @param shortNanos what takes less may share a line */
    private static void function(FlowOutput output, Function function, int depth, long shortNanos) {
        output.line(row(LatencyFormat.nanos(function.wallNanos()), LatencyFormat.nanos(function.onCpuNanos()),
                LatencyFormat.nanos(function.selfNanos()), indent(depth) + printable(function.name()) + remark(function)));
        List<FlowPart> parts = function.parts();
        for (int i = 0; i < parts.size() && output.wanted(); i++) {
            int row = shortOnes(parts, i, shortNanos);
            if (row >= IN_A_ROW) {
                together(output, parts.subList(i, i + row), depth + 1);
                i += row - 1;
                continue;
            }
            switch (parts.get(i)) {
                case Function called -> function(output, called, depth + 1, shortNanos);
                case Absence absence -> output.line(row(LatencyFormat.nanos(absence.wallNanos()), NONE, NONE, indent(depth + 1) + wait(absence)));
            }
        }
    }

    /** How many from there on are short, and hide nothing that one would miss. */
    private static int shortOnes(List<FlowPart> parts, int from, long shortNanos) {
        int at = from;
        while (at < parts.size() && parts.get(at) instanceof Function f && f.wallNanos() < shortNanos && f.waitedNanos() == 0
                && f.end() == End.RETURNED) {
            at++;
        }
        return at - from;
    }

    private static void together(FlowOutput output, List<FlowPart> functions, int depth) {
        Map<String, Long> calls = new LinkedHashMap<>();
        functions.forEach(part -> calls.merge(((Function) part).name(), 1L, Long::sum));
        long nanos = functions.stream().mapToLong(FlowPart::wallNanos).sum();
        output.line(row(LatencyFormat.nanos(nanos), LatencyFormat.nanos(nanos), NONE, indent(depth) + "(" + LatencyFormat.count(functions.size())
                + " short calls: " + calls.entrySet().stream().sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                        .limit(MOST_NAMED).map(e -> printable(e.getKey()) + (e.getValue() == 1 ? "" : " " + LatencyFormat.count(e.getValue())))
                        .collect(Collectors.joining(", ")) + (calls.size() > MOST_NAMED ? ", ..." : "") + ")"));
    }

    private static String remark(Function function) {
        String end = switch (function.end()) {
            case RETURNED -> "";
            case NOT_SEEN -> "  (not seen to return, perhaps earlier)";
            case GOES_ON -> "  (goes on in what is not told)";
        };
        return end + (function.tooDeep() == 0 ? "" : "  (" + LatencyFormat.count(function.tooDeep())
                + (function.tooDeep() == 1 ? " call" : " calls") + " below it not shown: nested too deeply)");
    }

    private static String wait(Absence absence) {
        return "[" + absence.cause().label() + "]" + (absence.runQueueNanos() == 0 ? ""
                : absence.runQueueNanos() == absence.wallNanos() ? " all of it in the run queue"
                        : " " + LatencyFormat.nanos(absence.runQueueNanos()) + " of it in the run queue")
                + (absence.ended() ? "" : " (goes on in what is not told)");
    }

    private static String row(String wall, String onCpu, String self, String what) {
        return TerminalText.right(wall, WIDTH) + TerminalText.right(onCpu, WIDTH) + TerminalText.right(self, WIDTH) + "  " + what;
    }

    private static String indent(int depth) {
        return "  ".repeat(depth);
    }

    private static String printable(String text) {
        return TerminalText.printable(text);
    }
}
