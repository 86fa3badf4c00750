// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.tracecompass.statesystem.core.ITmfStateSystemBuilder;
import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfLostEvent;
import org.eclipse.tracecompass.tmf.core.statesystem.AbstractTmfStateProvider;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;
import org.eclipse.tracecompass.tmf.ctf.core.event.CtfTmfEvent;
import org.eclipse.tracecompass.tmf.ctf.core.trace.CtfTmfTrace;
import org.kview.ctf.CtfException;
import org.kview.ctf.EventField;
import org.kview.ctf.EventKind;
import org.kview.ctf.EventTrace;
import org.kview.ctf.TraceGap;
import org.kview.trace.KviewEvents;

/** Goes through a recording's events. While events of a CPU are missing nothing is known of any thread, so nothing is told. */
abstract class RecordedStates extends AbstractTmfStateProvider {
    private static final int VERSION = 1;

    private final List<TraceGap> gaps;
    private final long offsetNanos;
    private int nextGap;
    private long missingUntilNanos = Long.MIN_VALUE;
    private long latestNanos = Long.MIN_VALUE;

    RecordedStates(ITmfTrace trace, String id) {
        super(trace, id);
        gaps = gaps(trace);
        offsetNanos = trace instanceof CtfTmfTrace ctf ? ctf.getOffset() : 0;
    }

    /** Trace Compass tells of lost events only behind the packet that has them. */
    private static List<TraceGap> gaps(ITmfTrace trace) {
        try {
            return EventTrace.open(Path.of(trace.getPath())).gaps();
        } catch (CtfException e) {
            // What can't be read is not known either.
            return List.of(new TraceGap(0, Long.MAX_VALUE));
        }
    }

    @Override
    public final int getVersion() {
        return VERSION;
    }

    @Override
    protected final void eventHandle(ITmfEvent event) {
        long now = event.getTimestamp().toNanos();
        while (nextGap < gaps.size() && now - offsetNanos > gaps.get(nextGap).sinceNanos()) {
            TraceGap gap = gaps.get(nextGap++);
            missingUntilNanos = Math.max(missingUntilNanos, gap.untilNanos());
            // A state can't be changed in the past.
            latestNanos = Math.max(latestNanos, gap.sinceNanos() + offsetNanos);
            forget(latestNanos);
        }
        latestNanos = Math.max(latestNanos, now);
        if (event instanceof CtfTmfEvent recorded && !(event instanceof ITmfLostEvent) && now - offsetNanos >= missingUntilNanos) {
            EventKind.of(event.getName()).ifPresent(kind -> KviewEvents.number(event, EventField.TID)
                    .ifPresent(tid -> take(kind, recorded, (int) tid, latestNanos)));
        }
    }

    /** @param tid the thread that the event is about */
    abstract void take(EventKind kind, CtfTmfEvent event, int tid, long nanos);

    /** Of no thread it is known any more what it does. */
    abstract void forget(long nanos);

    final ITmfStateSystemBuilder states() {
        return getStateSystemBuilder();
    }
}
