// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the events of a trace while it is written, in the order of their times, some time behind: packets of one CPU come before
 * those of another that hold earlier events. What comes later still is left out, and told as lost. It takes a quarter of a CPU at most,
 * so that who writes the trace is not kept from it. To be used by one thread.
 */
final class LiveCursor implements EventSource {
    private static final int POLL_MILLIS = 250;
    /** So many polls ago all was written that is told now: three of the agent's usual intervals. */
    private static final int BEHIND = 6;
    /** So long one CPU that has nothing to tell holds the others up, as what it tells next may be earlier than what they told. */
    private static final int MOST_BEHIND = 16;
    private static final int WINDOW_BYTES = 64 << 10;
    private static final int EVENTS_BETWEEN_PAUSES = 1024;
    private static final int PAUSE = 3;

    private final Path folder;
    private final TraceLayout layout;
    private final LiveEnd end;
    private final Runnable idle;
    private final int pollMillis;
    private final Map<Integer, LiveStream> streams = new TreeMap<>();
    /** At the last polls: until when all CPUs had told, and until when one of them had. */
    private final Deque<Long> toldByAll = new ArrayDeque<>();
    private final Deque<Long> toldByOne = new ArrayDeque<>();
    private long settledNanos = Long.MIN_VALUE;
    private long lastNanos = Long.MIN_VALUE;
    private int lastCpu;
    private boolean isAtEnd;
    private int sincePause;
    private long resumedNanos = System.nanoTime();

    /** @param idle runs when there is nothing to tell for a while */
    LiveCursor(Path folder, TraceLayout layout, LiveEnd end, Runnable idle) {
        this(folder, layout, end, idle, POLL_MILLIS);
    }

    LiveCursor(Path folder, TraceLayout layout, LiveEnd end, Runnable idle, int pollMillis) {
        this.folder = folder;
        this.layout = layout;
        this.end = end;
        this.idle = idle;
        this.pollMillis = pollMillis;
    }

    @Override
    public Optional<TraceEvent> next() throws CtfException {
        try {
            while (true) {
                Optional<LiveStream> first = first();
                if (first.isPresent()) {
                    pause();
                    return Optional.of(told(first.get().take()));
                }
                if (isAtEnd) {
                    return Optional.empty();
                }
                idle.run();
                Thread.sleep(pollMillis);
                resumedNanos = System.nanoTime();
                poll();
            }
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CtfException("Reading the trace was interrupted", e);
        }
    }

    /** Of those whose next event can be told, the one that has the earliest. */
    private Optional<LiveStream> first() {
        return first(streams.values(), settledNanos);
    }

    /** Of these, likewise. */
    static Optional<LiveStream> first(Collection<LiveStream> streams, long untilNanos) {
        LiveStream first = null;
        for (LiveStream stream : streams) {
            if (stream.peek().filter(event -> event.nanos() <= untilNanos).isPresent()
                    && (first == null || stream.peek().get().nanos() < first.peek().get().nanos())) {
                first = stream;
            }
        }
        return Optional.ofNullable(first);
    }

    private TraceEvent told(TraceEvent event) {
        if (event.nanos() < lastNanos) {
            end.comesLate();
            return new TraceEvent.LostEvents(lastNanos, event.cpu(), event.nanos(), 1, 0);
        }
        // Of a trace that is there as a whole, events of one time come in the order of their CPUs.
        if (event instanceof TraceEvent.Damage || event.nanos() == lastNanos && event.cpu() < lastCpu) {
            end.isToldOtherwise();
        }
        lastNanos = event.nanos();
        lastCpu = event.cpu();
        return event;
    }

    /** What there is behind the events that it has told. */
    LiveAhead ahead() {
        return new LiveAhead(streams);
    }

    private void pause() throws InterruptedException {
        // When all is written, nobody is kept from writing.
        if (++sincePause >= EVENTS_BETWEEN_PAUSES && !end.hasEnded()) {
            sincePause = 0;
            Thread.sleep(Math.max(1, PAUSE * (System.nanoTime() - resumedNanos) / 1_000_000));
            resumedNanos = System.nanoTime();
        }
    }

    private void poll() throws IOException {
        // Asked for first: what was written before it is found then.
        boolean ended = end.hasEnded();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, EventTrace.STREAM_PREFIX + "*")) {
            for (Path file : files) {
                Optional<Integer> cpu = EventTrace.cpu(file);
                if (cpu.isPresent() && !streams.containsKey(cpu.get())) {
                    streams.put(cpu.get(), new LiveStream(file, cpu.get(), layout, WINDOW_BYTES, end.packets(cpu.get())));
                }
            }
        }
        for (LiveStream stream : streams.values()) {
            stream.grow();
        }
        // One that has told nothing yet is not waited for: it may never tell anything.
        LongSummaryStatistics newest = streams.values().stream().mapToLong(LiveStream::newestNanos)
                .filter(nanos -> nanos != Long.MIN_VALUE).summaryStatistics();
        if (newest.getCount() > 0) {
            toldByAll.addLast(newest.getMin());
            toldByOne.addLast(newest.getMax());
        }
        settle(toldByAll, BEHIND);
        settle(toldByOne, MOST_BEHIND);
        settledNanos = ended ? Long.MAX_VALUE : settledNanos;
        isAtEnd = ended;
    }

    private void settle(Deque<Long> nanos, int behind) {
        if (nanos.size() > behind) {
            settledNanos = Math.max(settledNanos, nanos.removeFirst());
        }
    }

    @Override
    public void close() {
        close(streams.values());
    }

    static void close(Collection<LiveStream> streams) {
        for (LiveStream stream : streams) {
            try {
                stream.close();
            } catch (IOException e) {
                // The file was only read.
                continue;
            }
        }
    }
}
