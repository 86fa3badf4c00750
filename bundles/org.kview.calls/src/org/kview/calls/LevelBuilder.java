// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.Arrays;

/**
 * Counts calls by slot of time, function and latency, while they come in the order of their ends. A slot is 2^shift ns; where
 * there are too many counts to keep, slots become longer. So it takes limited memory, whatever a recording holds.
 */
final class LevelBuilder {
    /** 65 µs. */
    private static final int FIRST_SHIFT = 16;
    static final int STEP = 2;
    static final int MOST_SHIFT = 62;

    private final int mostCells;
    private final SlotCounts current = new SlotCounts();
    private long[] slots = new long[1024];
    private int[] keys = new int[1024];
    private long[] counts = new long[1024];
    private int cells;
    private int shift = FIRST_SHIFT;
    private long slot = Long.MIN_VALUE;

    LevelBuilder(int mostCells) {
        this.mostCells = mostCells;
    }

    /** Another call; never earlier than the one before. */
    void add(long endNanos, int key) {
        long its = endNanos >> shift;
        if (its != slot) {
            close();
            while (cells > mostCells && shift < MOST_SHIFT) {
                coarsen();
            }
            slot = endNanos >> shift;
        }
        current.add(key, 1);
    }

    private void close() {
        current.drain((key, count) -> put(slot, key, count));
    }

    private void put(long at, int key, long count) {
        if (cells == slots.length) {
            slots = Arrays.copyOf(slots, 2 * cells);
            keys = Arrays.copyOf(keys, 2 * cells);
            counts = Arrays.copyOf(counts, 2 * cells);
        }
        slots[cells] = at;
        keys[cells] = key;
        counts[cells++] = count;
    }

    /** Ends the last slot. */
    void end() {
        close();
    }

    /**
     * Joins the slots that begin within the same longer slot. Done in place, because there are never more cells than before.
     */
    void coarsen() {
        int had = cells;
        cells = 0;
        shift += STEP;
        SlotCounts joined = new SlotCounts();
        for (int i = 0; i < had;) {
            long its = slots[i] >> STEP;
            while (i < had && slots[i] >> STEP == its) {
                joined.add(keys[i], counts[i++]);
            }
            joined.drain((key, count) -> put(its, key, count));
        }
    }

    int shift() {
        return shift;
    }

    int cells() {
        return cells;
    }

    /** Writes the slot, the key and the count of a cell into an array of three. */
    void cell(int index, long[] into) {
        into[0] = slots[index];
        into[1] = keys[index];
        into[2] = counts[index];
    }
}
