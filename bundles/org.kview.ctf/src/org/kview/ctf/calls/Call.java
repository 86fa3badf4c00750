// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.model.Metric;

/**
 * A call that ended, as a trace's events tell it. Names come from the host: they are no
 * {@link org.kview.model.SafeText}. Immutable.
 *
 * @param beginNanos   when it was entered, by the host's CLOCK_MONOTONIC
 * @param endNanos     when it returned, likewise. It is later than {@code beginNanos + wallNanos} by what the probes cost
 * @param startCpu     the CPU that it began on; empty if its entry is not in the trace
 * @param cpu          the CPU that it ended on
 * @param caller       the thread that made it
 * @param function     the function's id in the session
 * @param depth        how many calls of probed functions enclose it
 * @param parent       the innermost of these; empty if there is none, if it is not known for certain, or if it ended first,
 *                     because the thread switched stacks. Until then, the call of a suspended coroutine can't be told from
 *                     one that encloses this one
 * @param times        how long it took, and where that time went
 * @param waker        who ended its longest wait; empty if nobody did, or if it is not known for certain
 */
public record Call(long beginNanos, long endNanos, OptionalInt startCpu, int cpu, Caller caller, long function, long depth,
        Optional<Parent> parent, Times times, Optional<Waker> waker) {

    /**
     * The thread that made a call.
     *
     * @param thread its name; if it had none yet, the next one that it got; empty if it never got one
     */
    public record Caller(long tid, String thread) {
    }

    /**
     * How long a call took, and where that time went.
     *
     * @param wallNanos    all of it, without what its probes cost
     * @param onCpuNanos   the part of that on a CPU
     * @param causes       the rest, each cause that this version knows at most once
     * @param unknownNanos the part of it that causes of newer versions took
     */
    public record Times(long wallNanos, long onCpuNanos, List<CauseTime> causes, long unknownNanos) {
        public Times {
            causes = List.copyOf(causes);
        }
    }

    public long tid() {
        return caller.tid();
    }

    /** Its thread's name. */
    public String thread() {
        return caller.thread();
    }

    public long wallNanos() {
        return times.wallNanos();
    }

    public long onCpuNanos() {
        return times.onCpuNanos();
    }

    public List<CauseTime> causes() {
        return times.causes();
    }

    public long unknownNanos() {
        return times.unknownNanos();
    }

    /**
     * The call that encloses another one.
     *
     * @param function   its function's id
     * @param beginNanos when it was entered: on one thread no two calls of one depth begin at one time
     */
    public record Parent(long function, long beginNanos) {
    }

    /**
     * The thread that made another one runnable, or the one that an interrupt which did so had interrupted.
     *
     * @param name empty if it is not known
     */
    public record Waker(long tid, String name) {
    }

    /** The time that went to a cause; 0 if it did not occur. */
    public long nanos(Metric cause) {
        for (CauseTime time : causes()) {
            if (time.cause().metric().filter(cause::equals).isPresent()) {
                return time.nanos();
            }
        }
        return 0;
    }

    /**
     * The largest part of its wall-clock time: {@link Metric#ON_CPU} or a cause. As in a verdict, waiting for a CPU is one part,
     * whether queued or preempted; it is named by the larger of these.
     */
    public Metric mainPart() {
        // Most calls have no cause, or one.
        if (causes().isEmpty()) {
            return Metric.ON_CPU;
        }
        if (causes().size() == 1) {
            return causes().getFirst().nanos() > onCpuNanos() ? CauseTimes.metric(causes().getFirst()) : Metric.ON_CPU;
        }
        Metric largest = Metric.ON_CPU;
        long most = onCpuNanos();
        for (Metric cause : Metric.CAUSES) {
            long nanos = nanos(cause);
            if (nanos > most) {
                largest = cause;
                most = nanos;
            }
        }
        long queued = nanos(Metric.RUN_QUEUE);
        long preempted = nanos(Metric.PREEMPTED);
        if (largest == Metric.RUN_QUEUE || largest == Metric.PREEMPTED || queued + preempted > most) {
            return preempted >= queued ? Metric.PREEMPTED : Metric.RUN_QUEUE;
        }
        return largest;
    }
}
