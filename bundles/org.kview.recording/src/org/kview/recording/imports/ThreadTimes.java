// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.ArrayDeque;
import java.util.Deque;

import org.kview.model.Metric;

/** What a thread does, as the scheduler's events tell it, and the calls that it is in. */
final class ThreadTimes {
    /** Deeper calls are not followed. */
    private static final int MOST_DEPTH = 1024;

    private final Deque<OpenCall> calls = new ArrayDeque<>();
    private final long[] sums = new long[Metric.values().length];
    private State state = State.UNKNOWN;
    private long sinceNanos;
    private long offSinceNanos;
    private long queuedSinceNanos;
    private long tooDeep;
    private boolean named;

    /** What a thread does, and to what of a call that counts. */
    enum State {
        /** No event told it yet, or events are missing. */
        UNKNOWN(Metric.WALL),
        RUNNING(Metric.ON_CPU),
        /** Taken off a CPU while it could run. */
        PREEMPTED(Metric.PREEMPTED),
        /** Waiting for something; the trace does not say for what. */
        WAITING(Metric.OTHER),
        /** Woken, and waiting for a CPU. */
        QUEUED(Metric.RUN_QUEUE);

        private final Metric metric;

        State(Metric metric) {
            this.metric = metric;
        }
    }

    /** A call that goes on, with the thread's times when it began. */
    record OpenCall(int function, long beginNanos, long[] before) {
    }

    /** @param nanos now */
    void becomes(State next, long nanos) {
        if (state != State.UNKNOWN) {
            sums[state.metric.ordinal()] += nanos - sinceNanos;
        }
        boolean off = next == State.PREEMPTED || next == State.WAITING;
        offSinceNanos = off ? nanos : offSinceNanos;
        queuedSinceNanos = next == State.QUEUED || next == State.PREEMPTED ? nanos : next == State.WAITING ? 0 : queuedSinceNanos;
        state = next;
        sinceNanos = nanos;
    }

    State state() {
        return state;
    }

    /** How long it was off the CPU up to now. */
    long offNanos(long nanos) {
        return offSinceNanos == 0 ? 0 : nanos - offSinceNanos;
    }

    /** And for how much of that it could have run. */
    long queuedNanos(long nanos) {
        return queuedSinceNanos == 0 ? 0 : nanos - queuedSinceNanos;
    }

    /** @return whether it is followed */
    boolean enter(int function, long nanos) {
        // Who enters a function runs.
        becomes(State.RUNNING, nanos);
        if (calls.size() == MOST_DEPTH) {
            tooDeep++;
            return false;
        }
        calls.push(new OpenCall(function, nanos, sums.clone()));
        return true;
    }

    /** A call that is not followed ends. */
    boolean leavesTooDeep() {
        if (tooDeep > 0) {
            tooDeep--;
            return true;
        }
        return false;
    }

    Deque<OpenCall> calls() {
        return calls;
    }

    /** A call's times, by the ordinal of their metric, when it ends now. */
    long[] times(OpenCall call, long nanos) {
        becomes(State.RUNNING, nanos);
        long[] times = sums.clone();
        for (int i = 0; i < times.length; i++) {
            times[i] -= call.before()[i];
        }
        times[Metric.WALL.ordinal()] = nanos - call.beginNanos();
        return times;
    }

    /** Events are missing: what goes on can't be told any more. */
    void forget() {
        calls.clear();
        tooDeep = 0;
        state = State.UNKNOWN;
        offSinceNanos = 0;
        queuedSinceNanos = 0;
    }

    /** True the first time. */
    boolean takeNaming() {
        boolean first = !named;
        named = true;
        return first;
    }
}
