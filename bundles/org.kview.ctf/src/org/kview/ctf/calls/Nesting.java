// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.List;

import org.kview.model.Metric;

/** Where a call stands among the other calls of its thread, and how much of its time is not theirs. Immutable. */
public final class Nesting {
    static final int METRICS = Metric.values().length;

    private final List<Long> enclosing;
    private final long[] selfNanos;

    /**
     * @param nanos      its times, by the ordinals of their metrics
     * @param innerNanos the sums of those within it, likewise; empty if there are none
     */
    Nesting(List<Long> enclosing, long[] nanos, long[] innerNanos) {
        this.enclosing = List.copyOf(enclosing);
        selfNanos = nanos.clone();
        for (int i = 0; i < innerNanos.length; i++) {
            selfNanos[i] -= innerNanos[i];
        }
    }

    /** The ids of the functions of the calls that enclose it, the outermost first. They need not have ended. */
    public List<Long> enclosing() {
        return enclosing;
    }

    /**
     * Its time without that of the calls within it whose nesting was told: over all calls of a thread, these add up to the times
     * of those that no call encloses which ended. The probes' own cost is taken off each call, and is known only so well: what
     * is left may be less than 0.
     */
    public long selfNanos(Metric metric) {
        return selfNanos[metric.ordinal()];
    }
}
