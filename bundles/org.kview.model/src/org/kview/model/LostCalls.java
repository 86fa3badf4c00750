// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.stream.LongStream;

/**
 * Calls that were counted but not timed, by the reason.
 *
 * @param tooDeep   nested too deeply to be followed
 * @param noMemory  no state for their thread could be allocated
 * @param endUnseen they ended, and no probe saw it on the thread on which they began
 * @param probesOff their probes were removed while they ran
 * @param exec      their process executed another program during the call
 */
public record LostCalls(long tooDeep, long noMemory, long endUnseen, long probesOff, long exec) {
    public static final LostCalls NONE = new LostCalls(0, 0, 0, 0, 0);
    /** The largest possible number of calls, so that sums stay within a long. */
    private static final long MAX = 1L << 48;

    public LostCalls {
        if (LongStream.of(tooDeep, noMemory, endUnseen, probesOff, exec).anyMatch(n -> n < 0 || n > MAX)) {
            throw new IllegalArgumentException("No number of lost calls: " + tooDeep + ", " + noMemory + ", "
                    + endUnseen + ", " + probesOff + ", " + exec);
        }
    }

    public long total() {
        return tooDeep + noMemory + endUnseen + probesOff + exec;
    }

    /** The sum. */
    public LostCalls plus(LostCalls other) {
        return new LostCalls(sum(tooDeep, other.tooDeep), sum(noMemory, other.noMemory),
                sum(endUnseen, other.endUnseen), sum(probesOff, other.probesOff), sum(exec, other.exec));
    }

    private static long sum(long one, long other) {
        return Math.min(MAX, one + other);
    }
}
