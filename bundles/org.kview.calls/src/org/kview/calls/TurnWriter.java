// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.kview.ctf.calls.ThreadTurn;
import org.kview.model.Metric;

/** Writes what threads did between their switches: all of it, and sums by slot of time of the parts that are shorter than a slot. */
final class TurnWriter {
    /** Of more threads no sums are kept: a view has no room for their lines. */
    static final int MOST_THREADS = 4096;
    /** 1 ms. In a picture of shorter slots are so few turns that they are summed up when it is asked for. */
    static final int FIRST_SHIFT = 20;
    /** 17 s. */
    static final int LAST_SHIFT = 34;
    static final int STEP = 2;

    private final TableWriter turns;
    private final List<TurnLevel> levels = new ArrayList<>();
    private final TextIds texts;
    private final long[] row = new long[TurnField.COUNT];

    TurnWriter(BlockSink out, TextIds texts, int blockRows) {
        this.texts = texts;
        turns = new TableWriter(out, TurnField.COUNT, blockRows);
        for (int shift = LAST_SHIFT; shift >= FIRST_SHIFT; shift -= STEP) {
            levels.addFirst(new TurnLevel(shift, levels.isEmpty() ? null : levels.getFirst(),
                    new TableWriter(out, StoreFooter.TURN_LEVEL_COLUMNS, Math.min(blockRows, 1 << 13))));
        }
    }

    /** How many bits a time has; that of a part decides which levels sum it up. */
    static int bits(long nanos) {
        return Long.SIZE - Long.numberOfLeadingZeros(nanos);
    }

    void add(ThreadTurn turn) throws IOException, StoreException {
        long ran = turn.outNanos() - turn.beginNanos();
        long waited = turn.wokenNanos() - turn.outNanos();
        long queued = turn.endNanos() - turn.wokenNanos();
        row[TurnField.END.ordinal()] = turn.endNanos();
        row[TurnField.BEGIN.ordinal()] = turn.beginNanos();
        row[TurnField.RAN.ordinal()] = ran;
        row[TurnField.QUEUED.ordinal()] = queued;
        row[TurnField.LONGEST_BITS.ordinal()] = bits(Math.max(ran, Math.max(waited, queued)));
        row[TurnField.CAUSE.ordinal()] = turn.cause().ordinal();
        row[TurnField.TID.ordinal()] = turn.tid();
        row[TurnField.CPU.ordinal()] = turn.cpu();
        row[TurnField.WAKER_TID.ordinal()] = turn.waker().isPresent() ? turn.waker().get().tid() + 1 : 0;
        row[TurnField.WAKER.ordinal()] = turn.waker().isPresent() ? texts.of(turn.waker().get().name()) : 0;
        turns.add(row);
        sum(turn.tid(), Metric.ON_CPU, turn.beginNanos(), ran);
        sum(turn.tid(), turn.cause(), turn.outNanos(), waited);
        sum(turn.tid(), Metric.RUN_QUEUE, turn.wokenNanos(), queued);
    }

    /** In the first level whose slots are longer than that; it hands its sums on to the others. */
    private void sum(long tid, Metric state, long begin, long nanos) throws IOException {
        int level = Math.max(0, (bits(nanos) - FIRST_SHIFT + STEP - 1) / STEP);
        if (nanos > 0 && level < levels.size()) {
            levels.get(level).add(tid, state.ordinal(), begin, nanos);
        }
    }

    /** What there is of the table of turns before it is finished. */
    Table soFar(StoreGrowth growth) throws IOException {
        return growth.table(turns, List.of());
    }

    /** Likewise of its levels. */
    List<SlotLevel> levelsSoFar(StoreGrowth growth) throws IOException {
        List<SlotLevel> all = new ArrayList<>();
        List<long[]> unwritten = List.of();
        for (TurnLevel level : levels) {
            unwritten = level.unwritten(unwritten);
            all.add(new SlotLevel(level.shift(), growth.table(level.table(), unwritten)));
        }
        return hasTooMany() ? List.of() : all;
    }

    private boolean hasTooMany() {
        return levels.getFirst().threads() > MOST_THREADS;
    }

    List<BlockIndex> finish() throws IOException {
        for (TurnLevel level : levels) {
            level.end();
        }
        return turns.finish();
    }

    /** Empty if there are too many threads. */
    List<StoreFooter.Level> levels() throws IOException {
        List<StoreFooter.Level> written = new ArrayList<>();
        for (TurnLevel level : levels) {
            written.add(new StoreFooter.Level(level.shift(), level.finish()));
        }
        return hasTooMany() ? List.of() : written;
    }
}
