// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.session.calls.StoredCall;

/** A call on its thread's line. */
final class CallEvent extends TimeEvent {
    private final StoredCall call;
    private final boolean chosen;

    /** @param chosen whether it is one of those that are selected */
    CallEvent(TimeGraphEntry line, StoredCall call, long startNanos, boolean chosen) {
        super(line, startNanos, Math.max(1, call.time().endNanos() - call.time().beginNanos()), call.mainPart().ordinal());
        this.call = call;
        this.chosen = chosen;
    }

    StoredCall call() {
        return call;
    }

    boolean chosen() {
        return chosen;
    }

    @Override
    public String getLabel() {
        return call.function();
    }

    // What Trace Compass would compare has no call.
    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
