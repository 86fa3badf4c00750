// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.Optional;
import java.util.function.Consumer;

import org.kview.ctf.TraceEvent.SwitchIn;
import org.kview.ctf.TraceEvent.SwitchOut;
import org.kview.ctf.TraceEvent.Wakeup;
import org.kview.ctf.calls.Call.Waker;
import org.kview.model.Metric;

/**
 * What a thread does between its switches. Only what its events agree on is told: the kernel leaves some switches unreported, and
 * events may be missing.
 */
final class ThreadActivity {
    /** A later time can't be right, and could not be added to another one. */
    private static final long LARGE = 1L << 61;

    private enum State { UNKNOWN, RUNS, AWAY }

    private final Consumer<ThreadTurn> turns;
    private final long tid;
    private long gaps;
    private State state = State.UNKNOWN;
    private int cpu;
    private long beginNanos;
    /** Until when it surely ran, while it does. */
    private long seenNanos;
    private long outNanos;
    private Metric cause = Metric.ON_CPU;
    /** The last one since it left. */
    private Optional<Wakeup> woken = Optional.empty();
    private int wakeups;

    /** @param gaps how many gaps the trace had so far */
    ThreadActivity(long tid, long gaps, Consumer<ThreadTurn> turns) {
        this.tid = tid;
        this.gaps = gaps;
        this.turns = turns;
    }

    /** Events are missing since it was heard of: it may have done anything meanwhile. */
    private void forgetBefore(long gapsNow) {
        if (gaps != gapsNow) {
            gaps = gapsNow;
            state = State.UNKNOWN;
        }
    }

    /** It does something on a CPU. */
    void acts(long nanos, int where, long gapsNow) {
        forgetBefore(gapsNow);
        if (state == State.RUNS && cpu == where) {
            seenNanos = nanos;
            return;
        }
        tellRun();
        begin(nanos, where);
    }

    void leaves(SwitchOut out, long gapsNow) {
        forgetBefore(gapsNow);
        if (state != State.RUNS || cpu != out.cpu()) {
            tellRun();
            begin(out.nanos(), out.cpu());
        }
        state = State.AWAY;
        outNanos = out.nanos();
        forgetWakeups();
        Optional<Metric> why = out.cause().metric();
        if (why.isEmpty()) {
            tellRun();
            state = State.UNKNOWN;
        }
        cause = why.orElse(Metric.ON_CPU);
    }

    /** The last one counts, as it does for the agent. */
    void isWoken(Wakeup wakeup) {
        woken = Optional.of(wakeup);
        wakeups++;
    }

    /** @param whole whether nothing is known to be missing so far. Otherwise another one may have woken it */
    void returns(SwitchIn in, long gapsNow, boolean whole) {
        forgetBefore(gapsNow);
        long out = in.nanos() - in.offNanos();
        // The agent may find that a thread stopped running before the kernel told of the switch: others' interrupts came first. Later
        // than that it left only if it came back in between.
        if (state == State.AWAY && out <= outNanos && (out >= beginNanos || beginNanos == outNanos)) {
            beginNanos = Math.min(beginNanos, out);
            outNanos = out;
            long wokenNanos = in.nanos() - in.queuedNanos();
            Optional<Wakeup> by = woken.filter(last -> whole && cause != Metric.PREEMPTED && last.nanos() >= out
                    && last.nanos() <= in.nanos());
            if (wokenNanos > outNanos && cause != Metric.PREEMPTED) {
                // In a kernel view that time is the scheduler's, and near that of the event only: one wake-up can't be another one.
                tell(outNanos, wokenNanos, in.nanos(), by.filter(last -> wakeups == 1 || last.nanos() == wokenNanos));
            } else {
                // A wait within a probe is no call's: the agent tells all of it as the time in the queue.
                tell(outNanos, by.map(Wakeup::nanos).orElse(in.nanos()), in.nanos(), by);
            }
        } else {
            tellRun();
        }
        begin(in.nanos(), in.cpu());
    }

    /** It has ended, or its number is given up. */
    void ends(long nanos, long gapsNow) {
        forgetBefore(gapsNow);
        if (state == State.RUNS) {
            seenNanos = nanos;
        }
        tellRun();
        state = State.UNKNOWN;
    }

    /**
     * The trace ends.
     *
     * @param whole whether nothing of it is missing, nor of its end. Otherwise the thread may have gone on where the events are missing
     */
    void isLeft(long nanos, long gapsNow, boolean whole) {
        forgetBefore(gapsNow);
        if (state == State.AWAY && whole) {
            tell(outNanos, woken.map(Wakeup::nanos).orElse(nanos), nanos, woken);
        } else {
            tellRun();
        }
        state = State.UNKNOWN;
    }

    private void begin(long nanos, int where) {
        state = State.RUNS;
        cpu = where;
        beginNanos = nanos;
        seenNanos = nanos;
        forgetWakeups();
    }

    private void forgetWakeups() {
        woken = Optional.empty();
        wakeups = 0;
    }

    /** What came after it ran is not known. */
    private void tellRun() {
        if (state != State.UNKNOWN) {
            long end = state == State.AWAY ? outNanos : seenNanos;
            cause = Metric.ON_CPU;
            tell(end, end, end, Optional.empty());
        }
    }

    /** Times of a damaged trace may go back. */
    private void tell(long out, long runnable, long end, Optional<Wakeup> by) {
        if (beginNanos >= 0 && beginNanos <= out && out <= runnable && runnable <= end && beginNanos < end
                && end < LARGE) {
            turns.accept(new ThreadTurn(tid, beginNanos, cpu, out, cause, runnable, end,
                    by.map(its -> new Waker(its.wakerTid(), its.wakerName()))));
        }
    }
}
