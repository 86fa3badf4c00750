// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.session.calls.StoredThread;
import org.kview.ui.widgets.OwnTimeEvent;

/** A thread runs, or waits. */
final class StateEvent extends OwnTimeEvent {
    private final StoredThread.State state;

    StateEvent(TimeGraphEntry line, StoredThread.State state, long startNanos) {
        super(line, state.beginNanos() - startNanos, state.endNanos() - state.beginNanos(), state.state().ordinal());
        this.state = state;
    }

    StoredThread.State state() {
        return state;
    }

    @Override
    public String getLabel() {
        return state.cpu().isPresent() ? "CPU " + state.cpu().getAsInt() : state.state().label();
    }
}
