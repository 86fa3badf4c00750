// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.Optional;

import org.kview.ctf.TraceEvent.CallEntry;
import org.kview.ctf.calls.Call.Parent;
import org.kview.ctf.calls.Call.Waker;

/** A call that was entered and has not ended yet. */
final class OpenCall {
    private final CallEntry entry;
    private final Optional<Parent> parent;
    private Optional<Waker> waker = Optional.empty();
    private long longestWaitNanos = -1;
    private boolean over;

    OpenCall(CallEntry entry, Optional<Parent> parent) {
        this.entry = entry;
        this.parent = parent;
    }

    CallEntry entry() {
        return entry;
    }

    Optional<Parent> parent() {
        return parent;
    }

    Optional<Waker> waker() {
        return waker;
    }

    /** Its thread waited within it. */
    void waited(long nanos, Optional<Waker> who) {
        if (nanos > longestWaitNanos) {
            longestWaitNanos = nanos;
            waker = who;
        }
    }

    /** A call within it is over, whose waits are its own as well. */
    void encloses(OpenCall inner) {
        waited(inner.longestWaitNanos, inner.waker);
    }

    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }
}
