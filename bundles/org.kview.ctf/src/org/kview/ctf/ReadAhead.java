// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * Reads events in a thread of its own, some thousand ahead of the one that uses them. It tells the same events in the same order,
 * and the same failure behind the same event.
 */
final class ReadAhead implements EventSource {
    private static final int BATCH = 512;
    private static final int BATCHES = 8;

    /** Events that follow each other. The last batch has {@code isLast}, or the failure because of which there are no more. */
    private record Batch(List<TraceEvent> events, boolean isLast, Optional<Throwable> failure) {
    }

    private final EventSource source;
    private final BlockingQueue<Batch> batches = new ArrayBlockingQueue<>(BATCHES);
    private final TraceThread reader;
    private Batch batch = new Batch(List.of(), false, Optional.empty());
    private int at;

    ReadAhead(EventSource source) {
        this.source = source;
        reader = new TraceThread("kview-read-ahead", this::read);
    }

    private void read() {
        List<TraceEvent> events = new ArrayList<>(BATCH);
        try {
            try {
                for (Optional<TraceEvent> event = source.next(); event.isPresent(); event = source.next()) {
                    events.add(event.get());
                    if (events.size() == BATCH) {
                        batches.put(new Batch(events, false, Optional.empty()));
                        events = new ArrayList<>(BATCH);
                    }
                }
                batches.put(new Batch(events, true, Optional.empty()));
            } catch (CtfException | RuntimeException | Error e) {
                batches.put(new Batch(events, true, Optional.of(e)));
            }
        } catch (InterruptedException e) {
            // Nobody wants more.
            Thread.currentThread().interrupt();
        } finally {
            source.close();
        }
    }

    @Override
    public Optional<TraceEvent> next() throws CtfException {
        while (at == batch.events().size()) {
            if (batch.isLast()) {
                TraceThread.rethrow(batch.failure().orElse(null));
                return Optional.empty();
            }
            try {
                batch = batches.take();
                at = 0;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CtfException("Reading the trace was interrupted", e);
            }
        }
        return Optional.of(batch.events().get(at++));
    }

    /** Ends the other thread; returns when it has ended. */
    @Override
    public void close() {
        reader.close();
    }
}
