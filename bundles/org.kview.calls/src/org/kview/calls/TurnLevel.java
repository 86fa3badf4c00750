// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.kview.model.Metric;

/**
 * Sums up, by slot of 2^shift ns, thread and state, times that are shorter than a slot. What it has of a slot it hands on to the
 * next level, whose slots are longer. A slot may be written in several rows, which are to be added up.
 */
final class TurnLevel {
    private static final int STATES = Metric.values().length;
    private static final int LATELY = 1 << 6;

    private final int shift;
    /** Null for the last one. */
    private final TurnLevel next;
    private final TableWriter table;
    private final Map<Long, Slot> open = new HashMap<>();
    /** Those that were asked for last. */
    private final long[] latelyTids = new long[LATELY];
    private final Slot[] lately = new Slot[LATELY];
    private int threads;
    private final long[] row = new long[StoreFooter.TURN_LEVEL_COLUMNS];

    /** The slot of a thread that goes on. */
    private static final class Slot {
        private long number = Long.MIN_VALUE;
        private final long[] nanos = new long[STATES];
    }

    TurnLevel(int shift, TurnLevel next, TableWriter table) {
        this.shift = shift;
        this.next = next;
        this.table = table;
    }

    int shift() {
        return shift;
    }

    /** How many there were. */
    int threads() {
        return threads;
    }

    void add(long tid, int state, long begin, long nanos) throws IOException {
        long first = begin >> shift;
        long within = Math.min(nanos, (first + 1 << shift) - begin);
        addTo(tid, first, state, within);
        if (within < nanos) {
            addTo(tid, first + 1, state, nanos - within);
        }
    }

    private void addTo(long tid, long number, int state, long nanos) throws IOException {
        Slot slot = slot(tid);
        if (slot.number != number) {
            write(tid, slot);
            slot.number = number;
        }
        slot.nanos[state] += nanos;
    }

    private Slot slot(long tid) throws IOException {
        int at = (int) tid & LATELY - 1;
        if (lately[at] != null && latelyTids[at] == tid) {
            return lately[at];
        }
        Slot slot = open.get(tid);
        if (slot == null) {
            if (open.size() == TurnWriter.MOST_THREADS) {
                end();
            }
            slot = new Slot();
            open.put(tid, slot);
            threads++;
        }
        latelyTids[at] = tid;
        lately[at] = slot;
        return slot;
    }

    private void write(long tid, Slot slot) throws IOException {
        for (int state = 0; state < STATES; state++) {
            if (slot.nanos[state] > 0) {
                fill(row, tid, slot, state);
                table.add(row);
                if (next != null) {
                    next.addTo(tid, slot.number >> TurnWriter.STEP, state, slot.nanos[state]);
                }
            }
        }
        Arrays.fill(slot.nanos, 0);
    }

    /**
     * The rows of all that goes on, which it will write later.
     *
     * @param before those of the level before it, which will hand them on
     */
    List<long[]> unwritten(List<long[]> before) {
        List<long[]> rows = new ArrayList<>();
        for (long[] one : before) {
            long[] longer = one.clone();
            longer[TurnLevelField.SLOT.ordinal()] >>= TurnWriter.STEP;
            rows.add(longer);
        }
        open.forEach((tid, slot) -> {
            for (int state = 0; state < STATES; state++) {
                if (slot.nanos[state] > 0) {
                    long[] one = new long[row.length];
                    fill(one, tid, slot, state);
                    rows.add(one);
                }
            }
        });
        return rows;
    }

    private static void fill(long[] row, long tid, Slot slot, int state) {
        row[TurnLevelField.SLOT.ordinal()] = slot.number;
        row[TurnLevelField.TID.ordinal()] = tid;
        row[TurnLevelField.STATE.ordinal()] = state;
        row[TurnLevelField.NANOS.ordinal()] = slot.nanos[state];
    }

    /** Writes all that goes on. */
    void end() throws IOException {
        for (Map.Entry<Long, Slot> slot : open.entrySet()) {
            write(slot.getKey(), slot.getValue());
        }
        open.clear();
        Arrays.fill(lately, null);
    }

    TableWriter table() {
        return table;
    }

    List<BlockIndex> finish() throws IOException {
        return table.finish();
    }
}
