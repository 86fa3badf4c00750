// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.Optional;

/** Tells the events of a trace in the order of their times. To be used by one thread. */
public interface EventSource extends AutoCloseable {
    /**
     * The next event; empty at the end.
     *
     * @throws CtfException if a file can't be read any further
     */
    Optional<TraceEvent> next() throws CtfException;

    @Override
    void close();
}
