// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events that another thread reads. */
class ReadAheadTest {
    private static final int MANY = 100_000;

    @TempDir
    Path folder;

    /** Events without end, or up to one at which it fails. */
    private static final class Source implements EventSource {
        private final int most;
        private final AtomicBoolean closed = new AtomicBoolean();
        private int next;

        Source(int most) {
            this.most = most;
        }

        @Override
        public Optional<TraceEvent> next() throws CtfException {
            if (next == most) {
                throw new CtfException("no further");
            }
            return Optional.of(new TraceEvent.ThreadExit(next++, 0, 1));
        }

        @Override
        public void close() {
            closed.set(true);
        }
    }

    @Test
    void theyAreTheSameInTheSameOrder() throws Exception {
        EventTrace trace = EventTrace.open(TraceFixture.recorded(folder));
        List<TraceEvent> events = new ArrayList<>();
        try (EventSource ahead = trace.eventsAhead()) {
            for (Optional<TraceEvent> event = ahead.next(); event.isPresent(); event = ahead.next()) {
                events.add(event.get());
            }
            assertThat(ahead.next()).isEmpty();
        }
        assertThat(events).isEqualTo(TraceFixture.read(trace)).hasSizeGreaterThan(2048);
    }

    @Test
    void aFailureComesBehindTheEventsThatWereReadBefore() throws Exception {
        Source source = new Source(3000);
        try (ReadAhead ahead = new ReadAhead(source)) {
            for (int i = 0; i < 3000; i++) {
                assertThat(ahead.next().orElseThrow().nanos()).isEqualTo(i);
            }
            assertThatThrownBy(ahead::next).isInstanceOf(CtfException.class).hasMessage("no further");
        }
        assertThat(source.closed).isTrue();
    }

    /** The thread that reads waits for room at that moment, or soon. */
    @Test
    void closingItEndsItsThread() throws Exception {
        Source source = new Source(Integer.MAX_VALUE);
        ReadAhead ahead = new ReadAhead(source);
        for (int i = 0; i < MANY; i++) {
            ahead.next();
        }
        ahead.close();
        assertThat(source.closed).isTrue();
    }
}
