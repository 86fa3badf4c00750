// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.OptionalLong;

import org.kview.model.LatencyFormat;
import org.kview.session.report.TerminalText;
import org.kview.targets.values.Flow;

/**
 * The ways of calls as text, for people.
 *
 * @param all whether each function has a line of its own, however short it was
 */
public record FlowReport(String systemCall, Flow flow, boolean all) {
    private static final int WIDTH = 10;

    /** All of it. */
    public void print(FlowOutput output) {
        output.line(printable(flow.process().name() + " (pid " + flow.process().pid() + "), "
                + LatencyFormat.nanos(flow.stretch().nanos()) + ": " + FlowText.seen(flow, systemCall)
                + (flow.seen().calls() == 0 ? "" : ":")));
        for (int i = 0; i < flow.calls().size() && output.wanted(); i++) {
            output.line("");
            call(output, i);
        }
        output.line("");
        FlowText.cost(flow).forEach(output::line);
        FlowText.caveats(flow, systemCall).forEach(caveat -> output.line("!! " + printable(caveat)));
    }

    /** One call. */
    public void call(FlowOutput output, int index) {
        Flow.Call call = flow.calls().get(index);
        FlowTree tree = FlowTree.of(flow, call);
        output.line(printable(FlowText.call(flow, index)));
        output.line(row("Wall", "On CPU", "Self", "Function"));
        FlowLine.of(call, tree, all).forEach(line -> line(output, line, 0));
        FlowText.caveats(call, tree.hiddenWaits()).forEach(caveat -> output.line("!! " + caveat));
    }

    private static void line(FlowOutput output, FlowLine line, int depth) {
        if (output.wanted()) {
            output.line(row(LatencyFormat.nanos(line.wallNanos()), time(line.onCpuNanos()), time(line.selfNanos()),
                    "  ".repeat(depth) + printable(line.text())));
            line.below().forEach(below -> line(output, below, depth + 1));
        }
    }

    private static String time(OptionalLong nanos) {
        return nanos.isEmpty() ? "-" : LatencyFormat.nanos(nanos.getAsLong());
    }

    private static String row(String wall, String onCpu, String self, String what) {
        return TerminalText.right(wall, WIDTH) + TerminalText.right(onCpu, WIDTH) + TerminalText.right(self, WIDTH) + "  " + what;
    }

    private static String printable(String text) {
        return TerminalText.printable(text);
    }
}
