// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Reads the events of all CPUs in the order of their times. Events with the same time are in the order of their CPUs. To be
 * used by one thread.
 */
public final class EventCursor implements EventSource {
    /** The next event of a stream, and the way to those behind it. */
    private static final class Head implements Comparable<Head> {
        private final StreamCursor stream;
        private TraceEvent event;
        private long nanos;

        Head(StreamCursor stream) {
            this.stream = stream;
        }

        /** Returns whether there is another one. */
        boolean next() throws IOException {
            event = stream.next().orElse(null);
            nanos = event == null ? 0 : event.nanos();
            return event != null;
        }

        @Override
        public int compareTo(Head other) {
            int order = Long.compare(nanos, other.nanos);
            return order != 0 ? order : Integer.compare(event.cpu(), other.event.cpu());
        }
    }

    private final List<StreamCursor> streams = new ArrayList<>();
    private final PriorityQueue<Head> heads = new PriorityQueue<>();
    /** The one whose event was returned last; it is not among the others. */
    private Optional<Head> told = Optional.empty();

    EventCursor(List<EventTrace.Stream> files, TraceLayout layout, int windowBytes) throws CtfException {
        EventTrace.Stream current = null;
        try {
            for (EventTrace.Stream file : files) {
                current = file;
                StreamCursor stream = new StreamCursor(file.path(), file.cpu(), layout, file.known(), windowBytes);
                streams.add(stream);
                Head head = new Head(stream);
                if (head.next()) {
                    heads.add(head);
                }
            }
        } catch (IOException e) {
            close();
            throw new CtfException(current.path() + " can't be read: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<TraceEvent> next() throws CtfException {
        try {
            if (told.isPresent() && told.get().next()) {
                Head head = told.get();
                // Events of one CPU often follow each other.
                if (heads.isEmpty() || head.compareTo(heads.peek()) <= 0) {
                    return Optional.of(head.event);
                }
                heads.add(head);
            }
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        }
        told = Optional.ofNullable(heads.poll());
        return told.map(head -> head.event);
    }

    @Override
    public void close() {
        for (StreamCursor stream : streams) {
            try {
                stream.close();
            } catch (IOException e) {
                // The file was only read.
                continue;
            }
        }
    }
}
