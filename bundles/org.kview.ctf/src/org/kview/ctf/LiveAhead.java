// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads on from where a {@link LiveCursor} has come to, for who looks for something ahead: the events that were written by now, as they follow
 * each other in these; others may come in between. It begins with some that the cursor has told.
 */
final class LiveAhead implements EventSource {
    private final Map<Integer, LiveStream> told;
    private final Map<Integer, LiveStream> streams = new TreeMap<>();

    /** @param told the cursor's, to which others may be added */
    LiveAhead(Map<Integer, LiveStream> told) {
        this.told = told;
    }

    /** Empty until more is written. */
    @Override
    public Optional<TraceEvent> next() throws CtfException {
        try {
            Optional<LiveStream> first = LiveCursor.first(streams.values(), Long.MAX_VALUE);
            if (first.isEmpty()) {
                look();
                first = LiveCursor.first(streams.values(), Long.MAX_VALUE);
            }
            return first.isEmpty() ? Optional.empty() : Optional.of(first.get().take());
        } catch (IOException e) {
            throw new CtfException("The trace can't be read any further: " + e.getMessage(), e);
        }
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
