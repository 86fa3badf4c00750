// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.analysis;

import java.nio.file.Path;
import java.util.List;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfLostEvent;
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
final class RecordedEvents {
    /** What the events are told, their times in order. */
    interface Listener {
        /** @param tid the thread that the event is about */
        void take(EventKind kind, CtfTmfEvent event, int tid, long nanos);

        /** Of no thread it is known any more what it does. */
        void forget(long nanos);
    }

    private final Listener listener;
    private final List<TraceGap> gaps;
    private final long offsetNanos;
    private int nextGap;
    private long missingUntilNanos = Long.MIN_VALUE;
    private long latestNanos = Long.MIN_VALUE;

    RecordedEvents(ITmfTrace trace, Listener listener) {
        this.listener = listener;
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

    void handle(ITmfEvent event) {
        long now = event.getTimestamp().toNanos();
        while (nextGap < gaps.size() && now - offsetNanos > gaps.get(nextGap).sinceNanos()) {
            TraceGap gap = gaps.get(nextGap++);
            missingUntilNanos = Math.max(missingUntilNanos, gap.untilNanos());
            // Nothing can be changed in the past.
            latestNanos = Math.max(latestNanos, gap.sinceNanos() + offsetNanos);
            listener.forget(latestNanos);
        }
        latestNanos = Math.max(latestNanos, now);
        if (event instanceof CtfTmfEvent recorded && !(event instanceof ITmfLostEvent) && now - offsetNanos >= missingUntilNanos) {
            EventKind.of(event.getName()).ifPresent(kind -> KviewEvents.number(event, EventField.TID)
                    .ifPresent(tid -> listener.take(kind, recorded, (int) tid, latestNanos)));
        }
    }
}
