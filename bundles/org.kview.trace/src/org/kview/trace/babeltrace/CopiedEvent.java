// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.util.Objects;

import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventType;
import org.eclipse.tracecompass.tmf.core.event.TmfEvent;
import org.eclipse.tracecompass.tmf.core.timestamp.ITmfTimestamp;
import org.eclipse.tracecompass.tmf.core.trace.ITmfTrace;

/** An event of a trace that libbabeltrace2 reads. */
final class CopiedEvent extends TmfEvent implements StreamEvent {
    private final String channel;
    private final int cpu;

    CopiedEvent(ITmfTrace trace, long rank, ITmfTimestamp time, ITmfEventType type, ITmfEventField content, String channel, int cpu) {
        super(trace, rank, time, type, content);
        this.channel = channel;
        this.cpu = cpu;
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
        return super.equals(other) && other instanceof CopiedEvent event && event.cpu == cpu && event.channel.equals(channel);
    }

    @Override
    public int hashCode() {
        return Objects.hash(super.hashCode(), channel, cpu);
    }
}
