// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.PriorityQueue;
import java.util.function.Predicate;

import org.kview.session.SessionException;

/**
 * Brings calls that come in the order of their ends into the order of their beginnings: each call waits until all calls that
 * began before it have ended. So the first calls are listed while the trace is still being read. If one call lasts so long
 * that too many would have to wait for it, these and all later ones are sorted at the end instead.
 */
final class StartOrder {
    private final PriorityQueue<CallRow> waiting;
    private final CallSorter rest;
    private final int mostWaiting;
    private final Predicate<CallRow> sink;
    private boolean wanted = true;
    private boolean sorts;
    private long toldNanos = Long.MIN_VALUE;
    private long late;

    /** @param sink says whether it wants another one */
    StartOrder(CallOrder order, CallSorter rest, int mostWaiting, Predicate<CallRow> sink) {
        waiting = new PriorityQueue<>(order.comparator());
        this.rest = rest;
        this.mostWaiting = mostWaiting;
        this.sink = sink;
    }

    /** Takes another call; false if no more are wanted. */
    boolean add(CallRow row) throws SessionException {
        if (row.call().beginNanos() < toldNanos) {
            late++;
        }
        if (sorts) {
            rest.add(row);
            return true;
        }
        waiting.add(row);
        if (waiting.size() > mostWaiting) {
            sorts = true;
            for (CallRow each : waiting) {
                rest.add(each);
            }
            waiting.clear();
        }
        return wanted;
    }

    /** No call that is to come began before this time; false if no more are wanted. */
    boolean settled(long nanos) {
        while (wanted && !waiting.isEmpty() && waiting.peek().call().beginNanos() < nanos) {
            toldNanos = waiting.peek().call().beginNanos();
            wanted = sink.test(waiting.poll());
        }
        return wanted;
    }

    void end() throws SessionException {
        while (wanted && !waiting.isEmpty()) {
            wanted = sink.test(waiting.poll());
        }
        if (wanted && sorts) {
            rest.drain(sink);
        }
    }

    /** How many calls came after others that had begun later: their entries are missing in the trace. */
    long late() {
        return late;
    }
}
