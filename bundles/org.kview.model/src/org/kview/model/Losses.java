/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.stream.LongStream;

/**
 * What a recording could not keep, counted since its start. Counts are exact.
 *
 * @param eventsDropped    per-call and scheduling events that are not in the trace
 * @param missedReturns    returns that the kernel did not report
 * @param depthOverflows   calls nested too deep to be followed
 * @param healedSwitches   switch-ins that were not reported and were rebuilt from the scheduler's clocks
 * @param untrackedThreads entries for which no per-thread state could be had
 */
public record Losses(long eventsDropped, long missedReturns, long depthOverflows, long healedSwitches,
        long untrackedThreads) {
    public static final Losses NONE = new Losses(0, 0, 0, 0, 0);
    /** 2^60: those of several hosts and of both sides of the wire can be added up. */
    private static final long MAX = 1L << 60;

    public Losses {
        if (LongStream.of(eventsDropped, missedReturns, depthOverflows, healedSwitches, untrackedThreads)
                .anyMatch(count -> count < 0 || count > MAX)) {
            throw new IllegalArgumentException("No count of losses: " + eventsDropped + ", " + missedReturns + ", "
                    + depthOverflows + ", " + healedSwitches + ", " + untrackedThreads);
        }
    }

    /** True where a figure or an event is missing; healed switches are not. */
    public boolean any() {
        return eventsDropped + missedReturns + depthOverflows + untrackedThreads > 0;
    }
}
