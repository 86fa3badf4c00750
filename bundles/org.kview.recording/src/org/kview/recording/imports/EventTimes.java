// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;

import org.kview.babeltrace.ClockClass;
import org.kview.babeltrace.Event;
import org.kview.babeltrace.Field;
import org.kview.babeltrace.FieldType;
import org.kview.babeltrace.Message;
import org.kview.babeltrace.TraceStream;

/** Of which CPU a stream's events are, and how the trace's times become those of a session. */
final class EventTimes {
    /** The highest number of a CPU that a session takes. */
    private static final int MOST_CPU = 8191;
    private static final long NANOS = 1_000_000_000;
    private static final long MOST_OFFSET_SECONDS = Long.MAX_VALUE / NANOS / 4;

    private final Map<TraceStream, Integer> cpus = new IdentityHashMap<>();
    private Optional<Long> offsetNanos = Optional.empty();
    private boolean sinceEpoch;

    void packet(Message.PacketBegin packet) {
        int cpu = packet.context().type() instanceof FieldType.Structure
                ? packet.context().member("cpu_id").filter(f -> f.type() instanceof FieldType.Unsigned).map(Field::unsigned)
                        .filter(id -> id >= 0 && id <= MOST_CPU).orElse(-1L).intValue() : -1;
        cpus.put(packet.stream(), cpu);
    }

    /** -1 where the trace does not say it. */
    int cpu(TraceStream stream) {
        return cpus.getOrDefault(stream, -1);
    }

    /** The first event decides: all traces that are read together have one time axis. */
    void first(Event event, long nanos) {
        if (offsetNanos.isEmpty()) {
            Optional<ClockClass> clock = event.stream().clock();
            // A trace of Kview says what is to be added for the time since 1970, and not that this is what it says.
            sinceEpoch = clock.map(ClockClass::originIsUnixEpoch).orElse(false)
                    || "kview".equals(event.stream().environment().get("tracer_name"));
            long offset = clock.map(EventTimes::offset).orElse(0L);
            // A session's clock does not run before 0.
            offsetNanos = Optional.of(offset <= nanos && nanos - offset >= 0 ? offset : Math.max(nanos, 0));
        }
    }

    /** What a clock adds to its values, in ns; 0 if that is more than any clock does. */
    private static long offset(ClockClass clock) {
        if (Math.abs(clock.offsetSeconds()) > MOST_OFFSET_SECONDS || clock.offsetCycles() < 0 || clock.frequency() <= 0) {
            return 0;
        }
        long seconds = clock.offsetSeconds() + clock.offsetCycles() / clock.frequency();
        long cycles = clock.offsetCycles() % clock.frequency();
        return Math.abs(seconds) > MOST_OFFSET_SECONDS ? 0 : seconds * NANOS
                + (clock.frequency() == NANOS ? cycles : (long) ((double) cycles / clock.frequency() * NANOS));
    }

    /** What is to be added to a session's time for ns from the trace's origin. */
    long offsetNanos() {
        return offsetNanos.orElse(0L);
    }

    /** Whether the trace's times are those since 1970. */
    boolean sinceEpoch() {
        return sinceEpoch;
    }
}
