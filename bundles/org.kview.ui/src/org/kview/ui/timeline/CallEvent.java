// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.session.calls.StoredCall;
import org.kview.ui.widgets.OwnTimeEvent;

/** A call on its thread's line. */
final class CallEvent extends OwnTimeEvent {
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
}
