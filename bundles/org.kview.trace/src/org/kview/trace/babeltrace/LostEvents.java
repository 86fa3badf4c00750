// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.util.Objects;

import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventType;
import org.eclipse.tracecompass.tmf.core.event.ITmfLostEvent;
import org.eclipse.tracecompass.tmf.core.event.TmfEvent;
import org.eclipse.tracecompass.tmf.core.timestamp.TmfTimeRange;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;

/** That events are missing, which Trace Compass shows in its histogram too. */
final class LostEvents extends TmfEvent implements ITmfLostEvent, StreamEvent {
    private final TmfTimeRange range;
    private final String channel;
    private final int cpu;
    private final long count;

    /** @param count 0 where it is not known: the content says so */
    LostEvents(ITmfTrace trace, long rank, TmfTimeRange range, ITmfEventType type, ITmfEventField content, String channel, int cpu,
            long count) {
        super(trace, rank, range.getStartTime(), type, content);
        this.range = range;
        this.channel = channel;
        this.cpu = cpu;
        this.count = count;
    }

    @Override
    public TmfTimeRange getTimeRange() {
        return range;
    }

    @Override
    public long getNbLostEvents() {
        return count;
    }

    @Override
    public String channel() {
        return channel;
    }

    @Override
    public int cpu() {
        return cpu;
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other) && other instanceof LostEvents lost && lost.range.equals(range) && lost.count == count
                && lost.cpu == cpu && lost.channel.equals(channel);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), range, count, channel, cpu);
    }
}
