// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.stream.LongStream;

/**
 * What a recording could not keep, counted since its start. Counts are exact.
 *
 * @param eventsDropped     per-call and scheduling events that are not in the trace
 * @param missedReturns     eBPF programs that the kernel did not run
 * @param depthOverflows    calls nested too deeply to be followed
 * @param healedSwitches    switch-ins that were not reported and were rebuilt from the scheduler's clocks
 * @param untrackedThreads  calls for which no per-thread state could be allocated
 * @param unmatchedReturns  returns whose call was not seen, without those of calls that began before the recording
 * @param unaccountedCalls  calls that have no fate: a mistake of the agent
 * @param figuresLost       figures that could not be read for lack of memory, and are missing in the totals
 */
public record Losses(long eventsDropped, long missedReturns, long depthOverflows, long healedSwitches,
        long untrackedThreads, long unmatchedReturns, long unaccountedCalls, long figuresLost) {
    public static final Losses NONE = new Losses(0, 0, 0, 0, 0);
    /** 2^60: those of several hosts and of both sides of the wire can be added up. */
    private static final long MAX = 1L << 60;

    /** From an agent that counts no more than these. */
    public Losses(long eventsDropped, long missedReturns, long depthOverflows, long healedSwitches,
            long untrackedThreads) {
        this(eventsDropped, missedReturns, depthOverflows, healedSwitches, untrackedThreads, 0, 0, 0);
    }

    public Losses {
        if (LongStream.of(eventsDropped, missedReturns, depthOverflows, healedSwitches, untrackedThreads,
                unmatchedReturns, unaccountedCalls, figuresLost).anyMatch(count -> count < 0 || count > MAX)) {
            throw new IllegalArgumentException("No count of losses: " + eventsDropped + ", " + missedReturns + ", "
                    + depthOverflows + ", " + healedSwitches + ", " + untrackedThreads + ", " + unmatchedReturns + ", "
                    + unaccountedCalls + ", " + figuresLost);
        }
    }

    /** The same with more events that are not in the trace. */
    public Losses withEventsDropped(long more) {
        return new Losses(eventsDropped + more, missedReturns, depthOverflows, healedSwitches, untrackedThreads,
                unmatchedReturns, unaccountedCalls, figuresLost);
    }

    /** The sum. */
    public Losses plus(Losses o) {
        return new Losses(eventsDropped + o.eventsDropped, missedReturns + o.missedReturns,
                depthOverflows + o.depthOverflows, healedSwitches + o.healedSwitches,
                untrackedThreads + o.untrackedThreads, unmatchedReturns + o.unmatchedReturns,
                unaccountedCalls + o.unaccountedCalls, figuresLost + o.figuresLost);
    }

    /** Whether a figure or an event is missing; with healed switches nothing is. */
    public boolean any() {
        return LongStream.of(eventsDropped, missedReturns, depthOverflows, untrackedThreads, unmatchedReturns,
                unaccountedCalls, figuresLost).anyMatch(count -> count > 0);
    }
}
