// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.ArrayList;
import java.util.List;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.recording.flow.FlowLine;
import org.kview.recording.flow.FlowPart;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.recording.flow.FlowTree;
import org.kview.targets.values.Flow;

/**
 * A call as a flame chart: a line for each depth, the system call on top.
 *
 * @param lines      from the top
 * @param leastNanos what took less is not drawn; 0 if all is
 */
record FlameLines(List<TimeGraphEntry> lines, long leastNanos) {
    /** More can't be told apart, and would be slow to draw. */
    static final int MOST_EVENTS = 50_000;

    static FlameLines of(Flow.Call call, FlowTree tree) {
        long[] byMagnitude = new long[Long.SIZE + 1];
        count(tree.root(), byMagnitude);
        int least = Long.SIZE;
        for (long events = byMagnitude[least]; least > 0 && events + byMagnitude[least - 1] <= MOST_EVENTS; events += byMagnitude[least]) {
            least--;
        }
        Drawing drawing = new Drawing(least == 0 ? 0 : 1L << least - 1);
        drawing.add(tree.root(), 0);
        if (tree.notToldNanos() > 0) {
            TimeGraphEntry top = drawing.line(0);
            top.addEvent(new FlowEvent(top, new FlowLine.NotTold(tree, call.cutSteps()), tree.root().wallNanos()));
        }
        return new FlameLines(drawing.lines, drawing.leastNanos);
    }

    /** By the number of bits that their time has. */
    private static void count(FlowPart part, long[] byMagnitude) {
        byMagnitude[Long.SIZE - Long.numberOfLeadingZeros(part.wallNanos())]++;
        if (part instanceof Function function) {
            function.parts().forEach(below -> count(below, byMagnitude));
        }
    }

    private static final class Drawing {
        private final List<TimeGraphEntry> lines = new ArrayList<>();
        private final long leastNanos;

        Drawing(long leastNanos) {
            this.leastNanos = leastNanos;
        }

        TimeGraphEntry line(int depth) {
            while (lines.size() <= depth) {
                lines.add(new TimeGraphEntry(Integer.toString(lines.size() + 1), Long.MIN_VALUE, Long.MAX_VALUE));
            }
            return lines.get(depth);
        }

        void add(FlowPart part, int depth) {
            // What is within is no longer.
            if (part.wallNanos() < leastNanos) {
                return;
            }
            TimeGraphEntry line = line(depth);
            switch (part) {
                case Function function -> {
                    line.addEvent(new FlowEvent(line, new FlowLine.Called(function, 0), function.beginNanos()));
                    function.parts().forEach(below -> add(below, depth + 1));
                }
                case Absence absence -> line.addEvent(new FlowEvent(line, new FlowLine.Waited(absence), absence.beginNanos()));
            }
        }
    }
}
