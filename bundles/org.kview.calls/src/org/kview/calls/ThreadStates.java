// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import org.kview.ctf.calls.Call;
import org.kview.model.Metric;

/**
 * What threads that made calls did between their switches: on which CPU they ran, for what they waited, and that they waited for a CPU.
 * A picture of any stretch of time reads about as much as it shows. Immutable, and safe for use by several threads.
 */
public final class ThreadStates {
    /** Of more threads no sums of short states are kept. */
    public static final int MOST_THREADS = TurnWriter.MOST_THREADS;

    private static final Metric[] STATES = Metric.values();

    private final Table turns;
    /** With sums of what is shorter than a slot. */
    private final List<SlotLevel> levels;
    private final List<String> texts;

    /**
     * A thread is in a state; times by the host's CLOCK_MONOTONIC.
     *
     * @param state {@link Metric#ON_CPU} or a cause
     * @param cpu   where it runs; empty if it does not
     * @param waker who ended it; empty if nobody did, or it is not known
     */
    public record State(long tid, long beginNanos, long endNanos, Metric state, OptionalInt cpu, Optional<Call.Waker> waker) {
    }

    /**
     * Several states of a thread that are shorter than a slot of time.
     *
     * @param beginNanos when the slot begins
     * @param nanos      by the ordinals of their metrics, how long they took within it
     */
    public record Slot(long tid, long beginNanos, long[] nanos) {
    }

    /**
     * A picture of a stretch of time.
     *
     * @param states    those that are told one by one: all of at least the length of a slot, not in any order
     * @param slotNanos how long the slots are; 0 if there are none, and all states are told one by one
     * @param slots     what the others sum up to, likewise
     * @param isPartial the others are missing instead: of so many threads no sums are kept, and reading all turns would take too long
     */
    public record Picture(List<State> states, long slotNanos, List<Slot> slots, boolean isPartial) {
    }

    ThreadStates(Table turns, List<SlotLevel> levels, List<String> texts) {
        this.turns = turns;
        this.levels = levels;
        this.texts = texts;
    }

    void verify(BooleanSupplier wanted) throws StoreException {
        List<Table> all = new ArrayList<>(levels.stream().map(SlotLevel::table).toList());
        all.add(turns);
        for (Table table : all) {
            for (int block = 0; block < table.blocks(); block++) {
                if (!table.isWhole(block)) {
                    throw new StoreException("it is damaged");
                }
                if (!wanted.getAsBoolean()) {
                    throw new CancellationException();
                }
            }
        }
    }

    /** How many turns there are: each thread's runs, with the waits behind them. */
    public long turns() {
        return turns.rows();
    }

    /**
     * What threads did in a stretch of time: also states that began before it, or ended after it.
     *
     * @param leastSlot the slots are at least that long, in ns, and less than eight times as long
     * @param tids      which threads; empty for all
     * @param wanted    asked now and then: whether to go on
     * @throws CancellationException if it says no
     */
    public Picture picture(long fromNanos, long toNanos, long leastSlot, Optional<Set<Long>> tids, BooleanSupplier wanted) {
        int shift = leastSlot <= 1 ? 0 : TurnWriter.bits(leastSlot - 1);
        if (shift < TurnWriter.FIRST_SHIFT) {
            Slots slots = new Slots(shift, fromNanos, toNanos);
            return picture(new TurnScan(turns, texts, fromNanos, toNanos, shift, tids, wanted).states(
                    shift == 0 ? Optional.empty() : Optional.of(slots)), slots, false);
        }
        Slots slots = new Slots(shift + shift % TurnWriter.STEP, fromNanos, toNanos);
        int known = Math.min(slots.shift, TurnWriter.LAST_SHIFT);
        List<State> states = new TurnScan(turns, texts, fromNanos, toNanos, known, tids, wanted).states(Optional.empty());
        Optional<SlotLevel> sums = levels.stream().filter(level -> level.shift() == known).findFirst();
        sums.ifPresent(level -> read(level, slots, tids, wanted));
        return picture(states, slots, sums.isEmpty());
    }

    private static Picture picture(List<State> states, Slots slots, boolean isPartial) {
        return new Picture(states, slots.shift == 0 ? 0 : 1L << slots.shift, slots.list(), isPartial);
    }

    private void read(SlotLevel level, Slots slots, Optional<Set<Long>> tids, BooleanSupplier wanted) {
        int up = slots.shift - level.shift();
        level.scan(StoreFooter.TURN_LEVEL_COLUMNS, TurnLevelField.SLOT.ordinal(), up, slots.first, slots.last, wanted, (columns, rows) -> {
            for (int row = 0; row < rows; row++) {
                long tid = columns[TurnLevelField.TID.ordinal()][row];
                if (tids.isEmpty() || tids.get().contains(tid)) {
                    slots.add(tid, columns[TurnLevelField.SLOT.ordinal()][row] >> up,
                            (int) columns[TurnLevelField.STATE.ordinal()][row], columns[TurnLevelField.NANOS.ordinal()][row]);
                }
            }
        });
    }

    /** Adds up what is shorter than a slot. */
    static final class Slots {
        private final int shift;
        private final long first;
        private final long last;
        private final Map<Long, Map<Long, long[]>> byThread = new HashMap<>();
        private long lastTid = -1;
        private Map<Long, long[]> lastThread = new HashMap<>();

        Slots(int shift, long fromNanos, long toNanos) {
            this.shift = shift;
            first = fromNanos >> shift;
            last = toNanos >> shift;
        }

        void add(long tid, long slot, int state, long nanos) {
            if (slot < first || slot > last) {
                return;
            }
            if (tid != lastTid) {
                lastThread = byThread.computeIfAbsent(tid, _ -> new HashMap<>());
                lastTid = tid;
            }
            lastThread.computeIfAbsent(slot, _ -> new long[STATES.length])[state] += nanos;
        }

        /** What goes over two slots is divided; it is not longer than one. */
        void spread(long tid, int state, long begin, long nanos) {
            long slot = begin >> shift;
            long within = Math.min(nanos, (slot + 1 << shift) - begin);
            add(tid, slot, state, within);
            if (within < nanos) {
                add(tid, slot + 1, state, nanos - within);
            }
        }

        List<Slot> list() {
            List<Slot> list = new ArrayList<>();
            byThread.forEach((tid, slots) -> slots.forEach((slot, nanos) -> list.add(new Slot(tid, slot << shift, nanos))));
            return list;
        }
    }
}
