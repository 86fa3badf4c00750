// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.stream.LongStream;

/**
 * Children that a process forked with the probes in their copy of its code. They are not measured.
 *
 * @param forked     how many
 * @param cpuNanos   their CPU time until they were freed of the probes; the probes cost them at most that
 * @param withProbes how many could not be freed: they pay until the recording ends
 */
public record ForkedChildren(long forked, long cpuNanos, long withProbes) {
    public static final ForkedChildren NONE = new ForkedChildren(0, 0, 0);
    /** 2^60: those of several hosts can be added up. */
    private static final long MAX = 1L << 60;

    public ForkedChildren {
        if (LongStream.of(forked, cpuNanos, withProbes).anyMatch(count -> count < 0 || count > MAX)) {
            throw new IllegalArgumentException("No children: " + forked + ", " + cpuNanos + ", " + withProbes);
        }
    }

    public boolean any() {
        return forked > 0;
    }

    /** The sum. */
    public ForkedChildren plus(ForkedChildren o) {
        return new ForkedChildren(forked + o.forked, cpuNanos + o.cpuNanos, withProbes + o.withProbes);
    }
}
