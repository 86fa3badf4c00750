// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.kview.ctf.EventKind;

/** Makes states of which recorded thread runs on which CPU. */
abstract class SwitchStates extends RecordedStates implements ThreadSwitches.Listener {
    private final ThreadSwitches switches = new ThreadSwitches(this);

    SwitchStates(ITmfTrace trace, String id) {
        super(trace, id);
    }

    @Override
    public final void take(EventKind kind, CtfTmfEvent event, int tid, long nanos) {
        switches.take(kind, event, tid, nanos);
    }

    @Override
    public final void forget(long nanos) {
        switches.forget(nanos);
    }
}
