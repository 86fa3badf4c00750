// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What is measured of a call: its wall-clock time, the part of it spent on a CPU, and the causes
 * of the rest. For every call {@code WALL = ON_CPU + the sum of the causes}. Hits of a tracepoint take no time; of these the time
 * between them is measured.
 *
 * <p>The order is that of reports; {@link #value()} is the number in {@code agent.proto} and in traces. Colour-blind
 * people can tell the colours apart (Okabe and Ito's palette, and two colours of Tol's). Every report uses the
 * same colours, and every view unless its user has chosen others.
 */
public enum Metric {
    WALL(0, "wall", "wall-clock", 0x3465A4),
    ON_CPU(1, "on_cpu", "on-CPU", 0x009E73),
    /** Woken, and waiting for a CPU. */
    RUN_QUEUE(2, "run_queue", "run queue", 0xE69F00),
    /** Taken off a CPU while it could run. */
    PREEMPTED(3, "preempted", "preempted", 0xF0E442),
    /** Waiting for a block device. */
    BLOCK_IO(4, "block_io", "block I/O", 0xD55E00),
    /** Waiting for a futex and what is built on it. */
    LOCK(5, "lock", "lock", 0xCC79A7),
    /** Waiting for a timer. */
    SLEEP(6, "sleep", "sleep", 0x999999),
    /** Waiting for a socket or pipe, or in poll, select or epoll. */
    NETWORK(7, "network", "network", 0x56B4E9),
    /** Blocked in a page fault that is not block I/O. */
    PAGE_FAULT(8, "page_fault", "page fault", 0x0072B2),
    /** Taken by the hypervisor. */
    STEAL(9, "steal", "steal", 0x444444),
    /** Out of the CPU quota of its control group. */
    THROTTLED(11, "throttled", "throttled", 0x882255),
    /** Stopped by the freezer, a stop signal or a tracer. */
    STOPPED(12, "stopped", "stopped", 0x332288),
    OTHER(10, "other", "other", 0xCCCCCC),
    /** Of no call: from one hit of a tracepoint to the next one of the same thread. */
    BETWEEN(13, "between", "time between hits", 0x8C6D31);

    /** What is measured of a call, in the order of reports. */
    public static final List<Metric> OF_CALLS = Arrays.stream(values()).filter(m -> m != BETWEEN).toList();

    /** The causes of off-CPU time, in the order of reports. */
    public static final List<Metric> CAUSES = Arrays.stream(values()).filter(Metric::isCause).toList();

    private final int value;
    private final String id;
    private final String label;
    private final int rgb;

    Metric(int value, String id, String label, int rgb) {
        this.value = value;
        this.id = id;
        this.label = label;
        this.rgb = rgb;
    }

    /** The number on the wire and in traces; never changes. */
    public int value() {
        return value;
    }

    /** The name in files and reports; never changes. */
    public String id() {
        return id;
    }

    /** The name for people. */
    public String label() {
        return label;
    }

    /** The colour as 0xRRGGBB. */
    public int rgb() {
        return rgb;
    }

    public boolean isCause() {
        return this != WALL && this != ON_CPU && this != BETWEEN;
    }

    /** The metric with this number; empty for one that only a newer agent knows. */
    public static Optional<Metric> ofValue(long value) {
        return Arrays.stream(values()).filter(m -> m.value == value).findFirst();
    }

    public static Optional<Metric> ofId(String id) {
        return Arrays.stream(values()).filter(m -> m.id.equals(id)).findFirst();
    }
}
