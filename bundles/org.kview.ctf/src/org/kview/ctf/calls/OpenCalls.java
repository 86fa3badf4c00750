// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.PriorityQueue;

/** All calls that have not ended, to know when the oldest of them began. */
final class OpenCalls {
    private static final int FEW = 1024;

    private final PriorityQueue<OpenCall> byBegin = new PriorityQueue<>();
    private int kept = FEW;

    void add(OpenCall call) {
        byBegin.add(call);
        // Calls that have ended wait here as long as an older one is open: they must not become too many.
        if (byBegin.size() > 2 * kept) {
            byBegin.removeIf(OpenCall::isOver);
            kept = Math.max(FEW, byBegin.size());
        }
    }

    void clear() {
        byBegin.clear();
        kept = FEW;
    }

    /** When the oldest one began; the largest number if there is none. */
    long sinceNanos() {
        while (!byBegin.isEmpty() && byBegin.peek().isOver()) {
            byBegin.poll();
        }
        return byBegin.isEmpty() ? Long.MAX_VALUE : byBegin.peek().entry().nanos();
    }
}
