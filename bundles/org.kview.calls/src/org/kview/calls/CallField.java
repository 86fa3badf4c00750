// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import org.kview.model.Metric;

/** The columns of a store. Each holds a number for each call. Their order is part of the store's version. */
public enum CallField {
    /** When it returned, in ns of the host's CLOCK_MONOTONIC; never less than that of the row before. */
    END,
    /** When it was entered, likewise. */
    BEGIN,
    /** Times in ns, without what the probes cost. */
    WALL,
    ON_CPU,
    RUN_QUEUE,
    PREEMPTED,
    BLOCK_IO,
    LOCK,
    SLEEP,
    NETWORK,
    PAGE_FAULT,
    STEAL,
    THROTTLED,
    STOPPED,
    OTHER,
    /** What causes of newer versions took, in ns. */
    UNKNOWN,
    /** Which causes its trace names, also those of 0 ns: one in each four bits, counted from 1, the first in the lowest. */
    NAMED_CAUSES,
    /** The ordinal of the {@link Metric} that took the largest part of it. */
    MAIN_PART,
    /** The function's id. */
    FUNCTION,
    TID,
    /** Which text is the name of its thread. */
    THREAD,
    DEPTH,
    /** The CPU that it ended on. */
    CPU,
    /** One more than the CPU that it began on; 0 if that is not known. */
    START_CPU,
    /** One more than the id of the function of the call around it; 0 if there is none, or it is not known. */
    PARENT_FUNCTION,
    /** How long before this one that call was entered, in ns; 0 if there is none. */
    PARENT_AGO,
    /** One more than the thread id of the waker; 0 if there is none. */
    WAKER_TID,
    /** Which text is its name. */
    WAKER;

    static final int COUNT = values().length;

    /** The column of a cause, of the wall-clock time, or of that on a CPU. */
    public static CallField of(Metric metric) {
        return valueOf(metric.name());
    }
}
