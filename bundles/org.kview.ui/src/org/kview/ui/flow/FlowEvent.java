// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.model.SafeText;
import org.kview.recording.flow.FlowLine;
import org.kview.ui.widgets.OwnTimeEvent;

/** A function or a wait, on the line of its depth. */
final class FlowEvent extends OwnTimeEvent {
    private final FlowLine line;

    FlowEvent(TimeGraphEntry depth, FlowLine line, long beginNanos) {
        super(depth, beginNanos, Math.max(1, line.wallNanos()), 0);
        this.line = line;
    }

    FlowLine line() {
        return line;
    }

    @Override
    public String getLabel() {
        return switch (line) {
            case FlowLine.Called called -> SafeText.line(called.function().name());
            case FlowLine.Waited waited -> waited.absence().cause().label();
            default -> SafeText.line(line.text());
        };
    }
}
