// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Tells who reads a trace while it is written that nothing more is written, and is told what was read of it, and what could not be read in time.
 * Safe for use by several threads.
 */
public final class LiveEnd {
    private final AtomicLong late = new AtomicLong();
    private final Map<Integer, ReadPackets> packets = new TreeMap<>();
    private volatile boolean ended;
    private volatile boolean whole;
    private volatile boolean otherwise;

    /**
     * Nothing more is written.
     *
     * @param isWhole as {@link EventTrace#isEnded} is to say from now on
     */
    public void end(boolean isWhole) {
        whole = isWhole;
        ended = true;
    }

    boolean hasEnded() {
        return ended;
    }

    boolean isWhole() {
        return whole;
    }

    void comesLate() {
        late.incrementAndGet();
    }

    /** How many events came so late that they were left out. */
    public long late() {
        return late.get();
    }

    /** Something was told in another way than it is of a trace that is there as a whole. */
    void isToldOtherwise() {
        otherwise = true;
    }

    /** What is read of a CPU's events from now on. */
    synchronized ReadPackets packets(int cpu) {
        return packets.computeIfAbsent(cpu, _ -> new ReadPackets());
    }

    synchronized Map<Integer, ReadPackets> packets() {
        return Map.copyOf(packets);
    }

    /** Whether all was told as it is of a trace that is there as a whole, as far as it was read. */
    boolean isToldAlike() {
        return !otherwise && late.get() == 0;
    }
}
