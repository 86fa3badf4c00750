// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.OptionalDouble;

/**
 * How much of a process's CPU time the probes took since the recording's start.
 *
 * @param probesNanos  the probes' time, as counted and calibrated
 * @param processNanos the process's CPU time, including the probes'; 0: not known
 * @param children     forked children, whose time is in neither of the two
 */
public record ProcessShare(long probesNanos, long processNanos, ForkedChildren children) {
    public static final ProcessShare UNKNOWN = new ProcessShare(0, 0);
    /** 2^60: those of several hosts can be added up. */
    private static final long MAX = 1L << 60;

    /** For a process that forked no children. */
    public ProcessShare(long probesNanos, long processNanos) {
        this(probesNanos, processNanos, ForkedChildren.NONE);
    }

    public ProcessShare {
        if (probesNanos < 0 || processNanos < 0 || probesNanos > MAX || processNanos > MAX) {
            throw new IllegalArgumentException("No CPU time: " + probesNanos + ", " + processNanos);
        }
    }

    public boolean isKnown() {
        return processNanos > 0;
    }

    /** The probes' share, from 0; above 1 if the cost is overestimated; empty if it is not known. */
    public OptionalDouble share() {
        return isKnown() ? OptionalDouble.of((double) probesNanos / processNanos) : OptionalDouble.empty();
    }
}
