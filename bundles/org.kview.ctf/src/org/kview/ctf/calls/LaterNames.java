// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import org.kview.ctf.CtfException;
import org.kview.ctf.EventSource;
import org.kview.ctf.EventTrace;
import org.kview.ctf.TraceEvent;

/**
 * Looks ahead for the names of threads. The agent goes through the events of one CPU after the other, and writes a thread's
 * name before the first event of that thread that it meets. Other CPUs may have earlier events of the thread, also its first
 * calls. To be used by one thread.
 */
final class LaterNames implements AutoCloseable {
    /** Names and ends of threads between now and the name that is looked for. */
    private static final int MOST_KEPT = 200_000;

    /** What happened to a thread's name. */
    private record Naming(long nanos, Optional<String> name) {
    }

    private final EventTrace trace;
    private final EventSource events;
    private final Map<Long, Deque<Naming>> later = new HashMap<>();
    private Optional<EventSource> ahead = Optional.empty();
    private int kept;
    private boolean isAtEnd;

    /** @param events where those are read that ask */
    LaterNames(EventTrace trace, EventSource events) {
        this.trace = trace;
        this.events = events;
    }

    /**
     * The name that a thread gets next; empty if it ends before, or gets none.
     *
     * @param nanos not before the time that was asked for last
     * @throws CtfException if a file can't be read any further
     */
    Optional<String> of(long tid, long nanos) throws CtfException {
        Deque<Naming> own = later.get(tid);
        while (own != null && !own.isEmpty() && own.peekFirst().nanos() < nanos) {
            own.removeFirst();
            kept--;
        }
        if (own != null && !own.isEmpty()) {
            return own.peekFirst().name();
        }
        later.remove(tid);
        while (!isAtEnd) {
            Optional<TraceEvent> event = next(nanos);
            if (event.isEmpty()) {
                return Optional.empty();
            }
            switch (event.get()) {
                case TraceEvent.ThreadName name when keep(name.tid(), tid, nanos,
                        new Naming(name.nanos(), Optional.of(name.name()))) -> {
                    return Optional.of(name.name());
                }
                case TraceEvent.ThreadExit exit when keep(exit.tid(), tid, nanos,
                        new Naming(exit.nanos(), Optional.empty())) -> {
                    return Optional.empty();
                }
                default -> { }
            }
        }
        return Optional.empty();
    }

    /** Empty if there is none now. Ends the search for good at the end, and where a made-up trace names too many. */
    private Optional<TraceEvent> next(long nanos) throws CtfException {
        if (kept > MOST_KEPT) {
            later.values().removeIf(own -> {
                int before = own.size();
                own.removeIf(naming -> naming.nanos() < nanos);
                kept -= before - own.size();
                return own.isEmpty();
            });
            if (kept > MOST_KEPT / 2) {
                later.clear();
                close();
                return Optional.empty();
            }
        }
        if (ahead.isEmpty()) {
            ahead = Optional.of(trace.ahead(events));
        }
        Optional<TraceEvent> event = ahead.get().next();
        if (event.isEmpty() && !trace.isBeingWritten()) {
            close();
        }
        return event;
    }

    /** Whether it is the thread that is looked for. */
    private boolean keep(long tid, long wanted, long nanos, Naming naming) {
        if (naming.nanos() < nanos) {
            return false;
        }
        later.computeIfAbsent(tid, _ -> new ArrayDeque<>(1)).add(naming);
        kept++;
        return tid == wanted;
    }

    @Override
    public void close() {
        isAtEnd = true;
        ahead.ifPresent(EventSource::close);
        ahead = Optional.empty();
    }
}
