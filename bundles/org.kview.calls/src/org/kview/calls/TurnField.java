// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

/** The columns of a store's table of turns. Their order is part of the store's version. */
enum TurnField {
    /** When the thread ran again, or what is known of it ends, in ns of the host's CLOCK_MONOTONIC. */
    END,
    /** When it began to run, likewise. */
    BEGIN,
    /** How long it ran, in ns. */
    RAN,
    /** How long it could run at the end, and did not. */
    QUEUED,
    /** How many bits the longest part of it has, in ns. */
    LONGEST_BITS,
    /** The ordinal of the metric of what it did between these. */
    CAUSE,
    TID,
    /** Where it ran. */
    CPU,
    /** One more than the thread id of who woke it; 0 if that is not known. */
    WAKER_TID,
    /** Which text is its name. */
    WAKER;

    static final int COUNT = values().length;
}
