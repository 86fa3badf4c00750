/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.OptionalDouble;

/**
 * What probes took of a process's CPU time since the recording's start.
 *
 * @param probesNanos  as counted and calibrated
 * @param processNanos the process's CPU time, the probes' included; 0: not known
 * @param children     what is in neither
 */
public record ProcessShare(long probesNanos, long processNanos, ForkedChildren children) {
    public static final ProcessShare UNKNOWN = new ProcessShare(0, 0);
    /** 2^60: those of several hosts can be added up. */
    private static final long MAX = 1L << 60;

    /** Of one that forked none. */
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

    /** 0 and up; above 1 where the cost is overestimated; empty where it is not known. */
    public OptionalDouble share() {
        return isKnown() ? OptionalDouble.of((double) probesNanos / processNanos) : OptionalDouble.empty();
    }
}
