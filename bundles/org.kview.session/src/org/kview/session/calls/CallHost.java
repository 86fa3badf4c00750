// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.kview.ctf.TraceLayout;
import org.kview.model.FunctionLatency;
import org.kview.model.SafeText;
import org.kview.session.read.SessionReader.HostEvents;

/** Whose calls they are: a host of a session. */
final class CallHost {
    private final int index;
    private final HostEvents events;
    private final String name;
    private final long realTimeOffsetNanos;
    private final long startNanos;
    private final Map<Long, String> functions = new HashMap<>();

    /** @param index which of the session's hosts it is, from 0 */
    CallHost(int index, HostEvents events) {
        this.index = index;
        this.events = events;
        name = SafeText.line(events.target());
        realTimeOffsetNanos = events.trace().layout().realTimeOffsetNanos();
        Instant start = events.figures().info().start();
        startNanos = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
        for (FunctionLatency latency : events.figures().functions()) {
            functions.put((long) latency.function().id(), SafeText.line(latency.function().name()));
        }
    }

    int index() {
        return index;
    }

    HostEvents events() {
        return events;
    }

    /** As the user named it; {@link SafeText}. */
    String name() {
        return name;
    }

    /** A function's name, as in reports; {@link SafeText}. */
    String function(long id) {
        String known = functions.get(id);
        if (known == null) {
            TraceLayout layout = events.trace().layout();
            known = SafeText.line(layout.functionLabel(id));
        }
        return known;
    }

    /** A time of its CLOCK_MONOTONIC on its real-time clock, in ns since 1970. */
    long epochNanos(long nanos) {
        return nanos + realTimeOffsetNanos;
    }

    /** A time of its CLOCK_MONOTONIC since the recording's start. */
    long sinceStartNanos(long nanos) {
        return epochNanos(nanos) - startNanos;
    }
}
