// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.ctf.TraceEvent.CallEntry;
import org.kview.ctf.calls.Call.Parent;
import org.kview.ctf.calls.Call.Waker;

/** A call that was entered and has not ended yet. Those that began first come first. */
final class OpenCall implements Comparable<OpenCall> {
    private static final long[] NOTHING = new long[0];

    private final CallEntry entry;
    private final Optional<Parent> parent;
    private Optional<OpenCall> outer;
    private long[] innerNanos = NOTHING;
    private Optional<Waker> waker = Optional.empty();
    private long longestWaitNanos = -1;
    private boolean over;
    private boolean parentOver;

    /** @param outer the innermost call that its thread was in when it was entered */
    OpenCall(CallEntry entry, Optional<Parent> parent, Optional<OpenCall> outer) {
        this.entry = entry;
        this.parent = parent;
        this.outer = outer;
    }

    CallEntry entry() {
        return entry;
    }

    /**
     * The call around it. Also empty once that one has ended: then this one runs on another stack, and its caller is not
     * known.
     */
    Optional<Parent> parent() {
        return parentOver ? Optional.empty() : parent;
    }

    /**
     * The call around it ended first. It is forgotten here, or it would stay in memory for as long as this one lasts.
     */
    void parentEnded() {
        parentOver = true;
        outer = outer.flatMap(call -> call.outer);
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

    /** The functions of the calls around it, the outermost first. */
    List<Long> enclosing() {
        List<Long> functions = new ArrayList<>();
        for (Optional<OpenCall> at = outer; at.isPresent(); at = at.get().outer) {
            functions.add(at.get().entry.function());
        }
        return functions.reversed();
    }

    /** Whether the call around it ended first, as where a thread switches stacks. */
    boolean outlives() {
        return parentOver;
    }

    /** The times of the calls within it, by the ordinals of their metrics; empty if there were none. */
    long[] innerNanos() {
        return innerNanos;
    }

    /** The times are part of those of the next call around it that has not ended. */
    void handOn(long[] nanos) {
        Optional<OpenCall> around = outer;
        while (around.isPresent() && around.get().over) {
            around = around.get().outer;
        }
        around.ifPresent(call -> call.contains(nanos));
    }

    private void contains(long[] nanos) {
        if (innerNanos.length == 0 && nanos.length > 0) {
            innerNanos = new long[nanos.length];
        }
        for (int i = 0; i < nanos.length; i++) {
            innerNanos[i] += nanos[i];
        }
    }

    void end() {
        over = true;
    }

    @Override
    public int compareTo(OpenCall other) {
        return Long.compare(entry.nanos(), other.entry.nanos());
    }

    boolean isOver() {
        return over;
    }
}
