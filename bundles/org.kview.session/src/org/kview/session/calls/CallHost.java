// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.kview.ctf.TraceLayout;
import org.kview.model.FunctionLatency;
import org.kview.model.SafeText;
import org.kview.session.read.SessionReader.HostEvents;
import org.kview.session.report.FunctionNotes;

/** A host of a session, whose calls are listed. */
final class CallHost {
    /** Names are repeated in each row. No real name is longer than this. */
    private static final int MOST_NAME = 10_000;
    private final int index;
    private final HostEvents events;
    private final String target;
    private final String name;
    private final long realTimeOffsetNanos;
    private final long startNanos;
    private final Map<Long, String> functions = new HashMap<>();
    private final Map<Long, List<String>> marks = new HashMap<>();

    /** @param index which of the session's hosts it is, from 0 */
    CallHost(int index, HostEvents events) {
        this.index = index;
        this.events = events;
        target = shown(events.target());
        name = shown(events.figures().info().host());
        realTimeOffsetNanos = events.trace().layout().realTimeOffsetNanos();
        Instant start = events.figures().info().start();
        startNanos = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
        for (FunctionLatency latency : events.figures().functions()) {
            functions.put((long) latency.function().id(), shown(latency.function().name()));
            List<String> its = FunctionNotes.eachMark(latency).stream().map(CallHost::shown).toList();
            if (!its.isEmpty()) {
                marks.put((long) latency.function().id(), its);
            }
        }
    }

    int index() {
        return index;
    }

    HostEvents events() {
        return events;
    }

    static String shown(String name) {
        return SafeText.line(name, MOST_NAME);
    }

    /** As the user named it; {@link SafeText}. */
    String target() {
        return target;
    }

    /** As it calls itself, and as in reports; {@link SafeText}. */
    String name() {
        return name;
    }

    /** A function's name, as in reports; {@link SafeText}. */
    String function(long id) {
        String known = functions.get(id);
        if (known == null) {
            TraceLayout layout = events.trace().layout();
            known = shown(layout.functionLabel(id));
        }
        return known;
    }

    /** Whether the session lists a function; a made-up trace may have calls of any number of others. */
    boolean lists(long id) {
        return functions.containsKey(id);
    }

    /** What has to be known of the times of a function's calls, in few words; empty for most. */
    List<String> marks(long id) {
        return marks.getOrDefault(id, List.of());
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
