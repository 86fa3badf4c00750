// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import org.eclipse.tracecompass.statesystem.core.ITmfStateSystemBuilder;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.statesystem.AbstractTmfStateProvider;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;

/** Makes states of a recording's events. */
abstract class RecordedStates extends AbstractTmfStateProvider implements RecordedEvents.Listener {
    private static final int VERSION = 1;

    private final RecordedEvents events;

    RecordedStates(ITmfTrace trace, String id) {
        super(trace, id);
        events = new RecordedEvents(trace, this);
    }

    @Override
    public final int getVersion() {
        return VERSION;
    }

    @Override
    protected final void eventHandle(ITmfEvent event) {
        events.handle(event);
    }

    final ITmfStateSystemBuilder states() {
        return getStateSystemBuilder();
    }
}
