// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * What became of a function's calls apart from being timed, and how certain their times are. All counted
 * since the recording's start.
 *
 * @param lost              calls that were counted but not timed
 * @param cutCalls          timed calls, timed only until they went on to a function whose end is not seen
 * @param inconsistentCalls timed calls whose times did not fit each other, and were adjusted: off the CPU for longer
 *                          than they took or, by jumps, shorter than these are taken to cost
 * @param cost              what its probes took
 * @param probesOff         present if the probes were removed before the end
 * @param limits            bounds of the figures
 * @param neverLoaded       whether the process had not loaded the function's file at the start, nor was seen to load it
 * @param failed            of a system call: the timed calls that returned an error
 * @param waits             for what its calls waited, where that was asked for
 * @param unmatched         calls that its condition is not true of: they are in no other figure but the probes' cost
 */
public record CallFates(LostCalls lost, long cutCalls, long inconsistentCalls, ProbesCost cost, Optional<ProbesOff> probesOff,
        Limits limits, boolean neverLoaded, FailedCalls failed, Waits waits, long unmatched) {
    public static final CallFates NONE = new CallFates(LostCalls.NONE, 0, 0, ProbesCost.NONE, Optional.empty(), Limits.UNKNOWN, false);
    /** 2^60: those of several hosts can be added up. */
    static final long MAX = 1L << 60;

    /**
     * What the probes of a function took.
     *
     * @param removedNanos   their own time that was subtracted from wall-clock and on-CPU time
     * @param uncertainNanos by how much the total of the wall-clock time may be wrong in either direction
     * @param waitedNanos    the part of removedNanos that is waits of threads that lost their CPU within a probe
     * @param passedSites    how often a probe was hit that neither began nor ended a call
     * @param costNanos      what they cost the process
     */
    public record ProbesCost(long removedNanos, long uncertainNanos, long waitedNanos, long passedSites, long costNanos) {
        public static final ProbesCost NONE = new ProbesCost(0, 0, 0, 0, 0);

        public ProbesCost {
            if (LongStream.of(removedNanos, uncertainNanos, waitedNanos, passedSites, costNanos).anyMatch(n -> n < 0 || n > MAX)) {
                throw new IllegalArgumentException("No count, or no time, of probes: " + removedNanos + ", " + uncertainNanos + ", "
                        + waitedNanos + ", " + passedSites + ", " + costNanos);
            }
        }

        ProbesCost plus(ProbesCost other) {
            return new ProbesCost(sum(removedNanos, other.removedNanos), sum(uncertainNanos, other.uncertainNanos),
                    sum(waitedNanos, other.waitedNanos), sum(passedSites, other.passedSites), sum(costNanos, other.costNanos));
        }
    }

    /**
     * Probes that were removed while the recording went on.
     *
     * @param atNanos the host's CLOCK_MONOTONIC
     * @param why     one sentence
     * @param after   how long the recording had gone on; empty where that is not known
     * @param share   of the process's CPU time that they took, 0 to 1, if they were removed for the budget; otherwise 0
     */
    public record ProbesOff(long atNanos, String why, Optional<Duration> after, double share) {
        public ProbesOff {
            Objects.requireNonNull(why);
            if (atNanos < 0 || after.isPresent() && after.get().isNegative() || !(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("No time, or no share: " + atNanos + ", " + after + ", " + share);
            }
        }
    }

    /**
     * Bounds with which a function's figures are compared; 0: not known.
     *
     * @param innerNanos    the time of the measured calls within its timed ones: these can't be shorter
     * @param mostWallNanos the recording's length, for each thread as often as it can have been in the function at once
     * @param mostCostNanos the recording's length for each thread that entered the function
     */
    public record Limits(long innerNanos, long mostWallNanos, long mostCostNanos) {
        public static final Limits UNKNOWN = new Limits(0, 0, 0);

        public Limits {
            if (LongStream.of(innerNanos, mostWallNanos, mostCostNanos).anyMatch(n -> n < 0 || n > MAX)) {
                throw new IllegalArgumentException("No times: " + innerNanos + ", " + mostWallNanos + ", " + mostCostNanos);
            }
        }

        /** The bounds of the same function on two hosts together: not known if one of them is not. */
        Limits plus(Limits other) {
            return new Limits(sum(innerNanos, other.innerNanos), sumOfKnown(mostWallNanos, other.mostWallNanos),
                    sumOfKnown(mostCostNanos, other.mostCostNanos));
        }

        private static long sumOfKnown(long one, long other) {
            return one == 0 || other == 0 ? 0 : sum(one, other);
        }
    }

    /** Of a function, whose results nobody reads. */
    public CallFates(LostCalls lost, long cutCalls, long inconsistentCalls, ProbesCost cost, Optional<ProbesOff> probesOff,
            Limits limits, boolean neverLoaded) {
        this(lost, cutCalls, inconsistentCalls, cost, probesOff, limits, neverLoaded, FailedCalls.NONE, Waits.NONE);
    }

    /** Of a function without a condition. */
    public CallFates(LostCalls lost, long cutCalls, long inconsistentCalls, ProbesCost cost, Optional<ProbesOff> probesOff,
            Limits limits, boolean neverLoaded, FailedCalls failed, Waits waits) {
        this(lost, cutCalls, inconsistentCalls, cost, probesOff, limits, neverLoaded, failed, waits, 0);
    }

    public CallFates {
        Objects.requireNonNull(failed);
        Objects.requireNonNull(waits);
        Objects.requireNonNull(limits);
        Objects.requireNonNull(lost);
        Objects.requireNonNull(cost);
        Objects.requireNonNull(probesOff);
        if (LongStream.of(cutCalls, inconsistentCalls, unmatched).anyMatch(n -> n < 0 || n > MAX)) {
            throw new IllegalArgumentException("No count of calls: " + cutCalls + ", " + inconsistentCalls + ", " + unmatched);
        }
    }

    /** The same, with the time for which the recording had gone on when the probes were removed. */
    CallFates timedFrom(long startNanos) {
        return probesOff.isEmpty() ? this : new CallFates(lost, cutCalls, inconsistentCalls, cost,
                probesOff.map(off -> new ProbesOff(off.atNanos, off.why, Optional.of(
                        Duration.ofNanos(Math.max(0, off.atNanos - startNanos))), off.share)), limits, neverLoaded, failed, waits, unmatched);
    }

    /** The same, of a system call. */
    public CallFates with(FailedCalls newFailed) {
        return new CallFates(lost, cutCalls, inconsistentCalls, cost, probesOff, limits, neverLoaded, newFailed, waits, unmatched);
    }

    /** The same, with what its calls waited for. */
    public CallFates with(Waits newWaits) {
        return new CallFates(lost, cutCalls, inconsistentCalls, cost, probesOff, limits, neverLoaded, failed, newWaits, unmatched);
    }

    /** The same, with calls that a condition is not true of. */
    public CallFates withUnmatched(long newUnmatched) {
        return new CallFates(lost, cutCalls, inconsistentCalls, cost, probesOff, limits, neverLoaded, failed, waits, newUnmatched);
    }

    /** The sum for the same function on two hosts. */
    public CallFates plus(CallFates other) {
        return new CallFates(lost.plus(other.lost), sum(cutCalls, other.cutCalls), sum(inconsistentCalls, other.inconsistentCalls),
                cost.plus(other.cost), probesOff.or(other::probesOff), limits.plus(other.limits), neverLoaded && other.neverLoaded,
                failed.plus(other.failed), waits.plus(other.waits), sum(unmatched, other.unmatched));
    }

    static long sum(long one, long other) {
        return Math.min(MAX, one + other);
    }
}
