// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.model.Metric;

/**
 * The events of a trace in the order of their times. Gaps and damage are events as well, so that no reader can overlook them.
 * Names come from the host and are not {@link org.kview.model.SafeText}.
 */
public sealed interface TraceEvent {
    /** When it was, by the host's CLOCK_MONOTONIC. */
    long nanos();

    /** On which CPU. */
    int cpu();

    /**
     * A probed function was entered.
     *
     * @param function its id in the session; {@link TraceLayout#functionLabel} is its name
     * @param depth    how many calls of probed functions enclose this one
     */
    record CallEntry(long nanos, int cpu, long tid, long function, long depth) implements TraceEvent {
    }

    /**
     * It returned. Its times are corrected for the probes' own cost.
     *
     * @param beginNanos when it was entered
     * @param causes     where the time went that its thread was not on a CPU
     */
    record CallExit(long nanos, int cpu, long tid, long function, long depth, long beginNanos, long wallNanos, long onCpuNanos,
            List<CauseTime> causes) implements TraceEvent {
        public CallExit {
            causes = List.copyOf(causes);
        }
    }

    /**
     * A thread left its CPU.
     *
     * @param syscall the number of the system call that it was in, if it was in one
     */
    record SwitchOut(long nanos, int cpu, long tid, Cause cause, OptionalLong syscall) implements TraceEvent {
    }

    /** The thread was made runnable, by another thread or in an interrupt. */
    record Wakeup(long nanos, int cpu, long tid, long wakerTid, String wakerName) implements TraceEvent {
    }

    /**
     * It runs again.
     *
     * @param offNanos    how long it was away
     * @param queuedNanos how much of that it could run, and waited for a CPU
     */
    record SwitchIn(long nanos, int cpu, long tid, long offNanos, long queuedNanos) implements TraceEvent {
    }

    /** It ended. */
    record ThreadExit(long nanos, int cpu, long tid) implements TraceEvent {
    }

    /** The name of a thread; empty if the thread ended before its name could be read. */
    record ThreadName(long nanos, int cpu, long tid, long pid, String name) implements TraceEvent {
    }

    /** An event of a kind that this version does not know. */
    record Other(long nanos, int cpu, String name) implements TraceEvent {
    }

    /**
     * Events of this CPU are missing between two others. Events that are missing after the last one are not reported here: the
     * number of all missing events is among the losses of the session.
     *
     * @param nanos      when the next one was
     * @param sinceNanos when the one before was; 0 if there is none
     * @param events     how many are known to be missing
     * @param packets    how many packets are missing; {@code events} may count only some of the events that they held
     */
    record LostEvents(long nanos, int cpu, long sinceNanos, long events, long packets) implements TraceEvent {
    }

    /**
     * A part of the trace can't be read.
     *
     * @param nanos   when the event before it on this CPU was; 0 if there is none
     * @param problem a sentence that says what; {@link org.kview.model.SafeText}
     */
    record Damage(long nanos, int cpu, String problem) implements TraceEvent {
    }

    /** Why a thread was off its CPU. No record: what it means is looked up once, and not at each of millions of events. */
    final class Cause {
        private final String label;
        private final Optional<Metric> metric;

        public Cause(String label) {
            this.label = label;
            metric = Metric.ofId(label).filter(Metric::isCause);
        }

        /** Its name in the trace, which is that of a {@link Metric} if this version knows it. */
        public String label() {
            return label;
        }

        public Optional<Metric> metric() {
            return metric;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Cause cause && cause.label.equals(label);
        }

        @Override
        public int hashCode() {
            return label.hashCode();
        }

        @Override
        public String toString() {
            return "Cause[" + label + "]";
        }
    }

    /** How much of a call's time went to a cause. */
    record CauseTime(Cause cause, long nanos) {
    }
}
