// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the events of all CPUs in the order of their times. Events with the same time are in the order of their CPUs. To be
 * used by one thread.
 */
public final class EventCursor implements EventSource {
    /** The next event of a stream, and the way to those behind it. */
    private static final class Head {
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

        boolean isBefore(Head other) {
            return nanos < other.nanos || nanos == other.nanos && event.cpu() < other.event.cpu();
        }
    }

    private final List<StreamCursor> streams = new ArrayList<>();
    /** A heap: each is before those at twice its place, and one and two behind. The first is the one whose event was returned last, if any was. */
    private final Head[] heads;
    private int count;
    private boolean hasTold;

    EventCursor(List<EventTrace.Stream> files, TraceLayout layout, int windowBytes) throws CtfException {
        EventTrace.Stream current = null;
        heads = new Head[files.size()];
        try {
            for (EventTrace.Stream file : files) {
                current = file;
                StreamCursor stream = new StreamCursor(file.path(), file.cpu(), layout, file.known(), windowBytes);
                streams.add(stream);
                Head head = new Head(stream);
                if (head.next()) {
                    heads[count++] = head;
                }
            }
            for (int at = count / 2 - 1; at >= 0; at--) {
                sink(at);
            }
        } catch (IOException e) {
            close();
            throw new CtfException(current.path() + " can't be read: " + e.getMessage(), e);
        }
    }

    @Override
    public Optional<TraceEvent> next() throws CtfException {
        try {
            if (hasTold) {
                if (!heads[0].next()) {
                    heads[0] = heads[--count];
                    heads[count] = null;
                }
                sink(0);
            }
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        }
        hasTold = count > 0;
        return hasTold ? Optional.of(heads[0].event) : Optional.empty();
    }

    /** Puts a head behind those that are before it. Events of one CPU often follow each other: then it stays. */
    private void sink(int from) {
        Head head = heads[from];
        int at = from;
        for (int child = 2 * at + 1; child < count; child = 2 * at + 1) {
            child = child + 1 < count && heads[child + 1].isBefore(heads[child]) ? child + 1 : child;
            if (!heads[child].isBefore(head)) {
                break;
            }
            heads[at] = heads[child];
            at = child;
        }
        heads[at] = head;
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
