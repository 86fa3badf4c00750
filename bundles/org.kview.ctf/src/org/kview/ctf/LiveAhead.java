// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Reads on from where a {@link LiveCursor} has come to, for who looks for something ahead: the events that were written by now, as they follow
 * each other in these; others may come in between. It begins with some that the cursor has told.
 */
final class LiveAhead implements EventSource {
    /** So long no file is looked at again. */
    private static final long SELDOM_NANOS = 10_000_000;

    private final Map<Integer, LiveStream> told;
    private final Map<Integer, LiveStream> streams = new TreeMap<>();
    private final LongSupplier clock;
    private OptionalLong lookedNanos = OptionalLong.empty();

    /** @param told the cursor's, to which others may be added */
    LiveAhead(Map<Integer, LiveStream> told) {
        this(told, System::nanoTime);
    }

    LiveAhead(Map<Integer, LiveStream> told, LongSupplier clock) {
        this.told = told;
        this.clock = clock;
    }

    /** Empty until more is written, and seen: whoever asks for the name of a thread at each of its calls does not have all files looked at each time. */
    @Override
    public Optional<TraceEvent> next() throws CtfException {
        try {
            Optional<LiveStream> first = LiveCursor.first(streams.values(), Long.MAX_VALUE);
            if (first.isEmpty() && isTimeToLook()) {
                look();
                first = LiveCursor.first(streams.values(), Long.MAX_VALUE);
            }
            return first.isEmpty() ? Optional.empty() : Optional.of(first.get().take());
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        }
    }

    private boolean isTimeToLook() {
        long now = clock.getAsLong();
        boolean is = lookedNanos.isEmpty() || now - lookedNanos.getAsLong() >= SELDOM_NANOS;
        lookedNanos = is ? OptionalLong.of(now) : lookedNanos;
        return is;
    }

    private void look() throws IOException {
        for (LiveStream stream : told.values()) {
            if (!streams.containsKey(stream.cpu())) {
                streams.put(stream.cpu(), stream.again());
            }
        }
        for (LiveStream stream : streams.values()) {
            stream.grow();
        }
    }

    @Override
    public void close() {
        LiveCursor.close(streams.values());
    }
}
