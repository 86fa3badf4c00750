// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.flow;

import java.util.List;

import org.kview.model.Metric;

/** What a function did meanwhile that has a line of its own. Times are since the begin of the system call. */
public sealed interface FlowPart {
    long beginNanos();

    long wallNanos();

    /**
     * A call of a function.
     *
     * @param wallNanos   up to its end, or to where the way ends on which it is
     * @param waitedNanos of it: without a CPU, also within the functions that it called
     * @param selfNanos   of it: neither waiting nor in functions that have a line of their own
     * @param tooDeep     how many calls below it have no line of their own, as they are nested too deeply
     * @param parts       in order, one after the other
     */
    record Function(String name, long beginNanos, long wallNanos, long waitedNanos, long selfNanos, End end, long tooDeep,
            List<FlowPart> parts) implements FlowPart {
        public Function {
            parts = List.copyOf(parts);
        }

        public long onCpuNanos() {
            return wallNanos - waitedNanos;
        }
    }

    /** How a call of a function ended. */
    enum End {
        RETURNED,
        /** It was not seen to return: it did so at some time before. */
        NOT_SEEN,
        /** It had not returned at the last step that is told. */
        GOES_ON
    }

    /**
     * The thread was without a CPU.
     *
     * @param cause         why, before it waited for a CPU as well
     * @param runQueueNanos of it, how long the thread could run and had no CPU
     * @param ended         whether it is told that it came back
     */
    record Absence(Metric cause, long beginNanos, long wallNanos, long runQueueNanos, boolean ended) implements FlowPart {
    }
}
