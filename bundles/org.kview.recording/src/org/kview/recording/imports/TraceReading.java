// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongConsumer;

import org.kview.babeltrace.Babeltrace;
import org.kview.babeltrace.BabeltraceException;
import org.kview.babeltrace.Event;
import org.kview.babeltrace.Message;
import org.kview.babeltrace.TraceReader;
import org.kview.model.SafeText;
import org.kview.session.SessionException;

/** Reads a trace once. */
final class TraceReading {
    private static final int EVENTS_PER_WORD = 100_000;
    private static final int MOST_TEXT = 200;

    private final Babeltrace library;
    private final Path trace;
    private final long messages;
    private final LongConsumer progress;
    private final EventTimes times = new EventTimes();
    private Map<String, String> environment = Map.of();
    private final Set<String> hosts = new TreeSet<>();
    private int traces;
    private long events;
    private long firstNanos;
    private long lostEvents;
    private long losses;

    /** What is done with what is read. */
    interface Taker {
        /**
         * @param nanos from the origin of the trace's clock
         * @param cpu   -1 where that is not known
         */
        void event(Event event, long nanos, int cpu) throws SessionException;

        /**
         * Events are missing from here on.
         *
         * @param events     0 if it is not known how many
         * @param untilNanos up to when: a tracer that counts them as a packet ends lost them anywhere in it; empty if not known
         */
        void lost(int cpu, long events, OptionalLong untilNanos);
    }

    /** @param messages how many are read at most */
    TraceReading(Babeltrace library, Path trace, long messages, LongConsumer progress) {
        this.library = library;
        this.trace = trace;
        this.messages = messages;
        this.progress = progress;
    }

    /**
     * Reads it.
     *
     * @return why it could not be read to its end, if it could not
     * @throws BabeltraceException if it can't be opened
     */
    Optional<BabeltraceException> read(Taker taker) throws BabeltraceException, SessionException {
        try (TraceReader reader = library.open(List.of(trace))) {
            traces = reader.traces().size();
            for (long read = 0; read < messages; read++) {
                try {
                    if (!reader.next()) {
                        break;
                    }
                    take(reader.message(), taker);
                } catch (BabeltraceException e) {
                    return Optional.of(e);
                } catch (ClassCastException | IndexOutOfBoundsException e) {
                    throw new SessionException("The trace describes the fields of '" + name(reader.message())
                            + "' in another way than is known here; it can't be imported", e);
                }
            }
            return Optional.empty();
        }
    }

    private static String name(Message message) {
        return message instanceof Event event ? event.eventClass().name() : "a packet";
    }

    private void take(Message message, Taker taker) throws BabeltraceException, SessionException {
        switch (message) {
            case Event event -> {
                long nanos = event.nanos();
                if (events++ == 0) {
                    firstNanos = nanos;
                    times.first(event, nanos);
                }
                taker.event(event, nanos, times.cpu(event.stream()));
                if (events % EVENTS_PER_WORD == 0) {
                    progress.accept(events);
                }
            }
            case Message.StreamBegin begin -> {
                Optional.ofNullable(begin.stream().environment().get("hostname")).filter(_ -> hosts.size() < 2).ifPresent(hosts::add);
                if (environment.isEmpty() || !environment.containsKey("hostname")) {
                    environment = begin.stream().environment();
                }
            }
            case Message.PacketBegin packet -> times.packet(packet);
            case Message.DiscardedEvents lost -> {
                losses++;
                long count = Math.min(1L << 40, Math.max(0, lost.count().orElse(0)));
                lostEvents += count;
                taker.lost(times.cpu(lost.stream()), count, lost.endNanos());
            }
            case Message.DiscardedPackets lost -> {
                losses++;
                taker.lost(times.cpu(lost.stream()), 0, lost.endNanos());
            }
            case Message.StreamEnd _, Message.PacketEnd _, Message.Inactivity _ -> { }
        }
    }

    EventTimes times() {
        return times;
    }

    /** What the trace says of where it was recorded. */
    String environment(String name, String otherwise) {
        return SafeText.line(environment.getOrDefault(name, otherwise), MOST_TEXT);
    }

    /** How many traces there were, each a folder. */
    int traces() {
        return traces;
    }

    /** Two if there are more. */
    List<String> hosts() {
        return hosts.stream().map(host -> SafeText.line(host, MOST_TEXT)).toList();
    }

    long events() {
        return events;
    }

    long firstNanos() {
        return firstNanos;
    }

    long lostEvents() {
        return lostEvents;
    }

    /** How often the trace says that something is missing. */
    long losses() {
        return losses;
    }
}
