// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells who reads a trace while it is written that nothing more is written, and is told what could not be read of it in time. Safe for use by
 * several threads.
 */
public final class LiveEnd {
    private final AtomicLong late = new AtomicLong();
    private volatile boolean ended;

    public void end() {
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    void comesLate() {
        late.incrementAndGet();
    }

    /** How many events came so late that they were left out. */
    public long late() {
        return late.get();
    }
}
