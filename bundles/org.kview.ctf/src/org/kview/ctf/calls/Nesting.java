// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.List;

import org.kview.model.Metric;

/** Which calls of its thread enclose a call, and how much of its time belongs to calls within it. Immutable. */
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
     * Its own time: without the time of the calls within it. The own times of all calls of a thread add up to the times of
     * its outermost calls. The probes' cost, which is subtracted from each call, is an estimate, so an own time may be less
     * than 0.
     */
    public long selfNanos(Metric metric) {
        return selfNanos[metric.ordinal()];
    }
}
