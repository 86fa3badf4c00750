// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.Optional;

import org.kview.model.Metric;

/**
 * A thread runs on a CPU, leaves it, and gets one again. Of each part that is not known the beginning is its end. Times are those of the
 * host's CLOCK_MONOTONIC, and never less than the one before. Immutable.
 *
 * @param beginNanos when it began to run
 * @param cpu        where it ran
 * @param outNanos   when it left that CPU
 * @param cause      why; what it was until it was woken: {@link Metric#ON_CPU} where nothing is known of what came then
 * @param wokenNanos when it could run again
 * @param endNanos   when it did; in between it was in the run queue
 * @param waker      who made it runnable; empty if nobody did, or if it is not known for certain
 */
public record ThreadTurn(long tid, long beginNanos, int cpu, long outNanos, Metric cause, long wokenNanos, long endNanos,
        Optional<Call.Waker> waker) {
}
