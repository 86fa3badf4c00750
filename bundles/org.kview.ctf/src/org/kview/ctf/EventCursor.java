// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Reads the events of all CPUs in the order of their times. Events with the same time are in the order of their CPUs. To be
 * used by one thread.
 */
public final class EventCursor implements AutoCloseable {
    private record Head(TraceEvent event, StreamCursor stream) {
    }

    private final List<StreamCursor> streams = new ArrayList<>();
    private final PriorityQueue<Head> heads = new PriorityQueue<>(Comparator.comparingLong((Head head) -> head.event().nanos())
            .thenComparingInt(head -> head.event().cpu()));

    EventCursor(List<EventTrace.Stream> files, TraceLayout layout, int windowBytes) throws CtfException {
        EventTrace.Stream current = null;
        try {
            for (EventTrace.Stream file : files) {
                current = file;
                StreamCursor stream = new StreamCursor(file.path(), file.cpu(), layout, file.known(), windowBytes);
                streams.add(stream);
                stream.next().ifPresent(event -> heads.add(new Head(event, stream)));
            }
        } catch (IOException e) {
            close();
            throw new CtfException(current.path() + " can't be read: " + e.getMessage(), e);
        }
    }

    /**
     * The next event; empty at the end.
     *
     * @throws CtfException if a file can't be read any further
     */
    public Optional<TraceEvent> next() throws CtfException {
        Head head = heads.poll();
        if (head == null) {
            return Optional.empty();
        }
        try {
            head.stream().next().ifPresent(event -> heads.add(new Head(event, head.stream())));
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        }
        return Optional.of(head.event());
    }

    @Override
    public void close() {
        for (StreamCursor stream : streams) {
            try {
                stream.close();
            } catch (IOException e) {
                // It was only read.
                continue;
            }
        }
    }
}
