// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.ctf.calls.Call;
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
    private static final int ON_CPU = Metric.ON_CPU.ordinal();
    private static final int RUN_QUEUE = Metric.RUN_QUEUE.ordinal();

    private final TableWriter turns;
    private final List<TurnLevel> levels = new ArrayList<>();
    private final long[] row = new long[TurnField.COUNT];

    TurnWriter(BlockSink out, int blockRows) {
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

    /** Writes a turn into columns, in a row that may hold another one. */
    static void put(ThreadTurn turn, TextIds texts, long[][] columns, int row) throws StoreException {
        long ran = turn.outNanos() - turn.beginNanos();
        long waited = turn.wokenNanos() - turn.outNanos();
        long queued = turn.endNanos() - turn.wokenNanos();
        columns[TurnField.END.ordinal()][row] = turn.endNanos();
        columns[TurnField.BEGIN.ordinal()][row] = turn.beginNanos();
        columns[TurnField.RAN.ordinal()][row] = ran;
        columns[TurnField.QUEUED.ordinal()][row] = queued;
        columns[TurnField.LONGEST_BITS.ordinal()][row] = bits(Math.max(ran, Math.max(waited, queued)));
        columns[TurnField.CAUSE.ordinal()][row] = turn.cause().ordinal();
        columns[TurnField.TID.ordinal()][row] = turn.tid();
        columns[TurnField.CPU.ordinal()][row] = turn.cpu();
        Optional<Call.Waker> waker = turn.waker();
        columns[TurnField.WAKER_TID.ordinal()][row] = waker.isPresent() ? waker.get().tid() + 1 : 0;
        columns[TurnField.WAKER.ordinal()][row] = waker.isPresent() ? texts.of(waker.get().name(), waker.get().tid()) : 0;
    }

    /** Adds a row of such columns. */
    void add(long[][] columns, int at) throws IOException {
        for (int column = 0; column < row.length; column++) {
            row[column] = columns[column][at];
        }
        turns.add(row);
        long tid = row[TurnField.TID.ordinal()];
        long begin = row[TurnField.BEGIN.ordinal()];
        long ran = row[TurnField.RAN.ordinal()];
        long queued = row[TurnField.QUEUED.ordinal()];
        long woken = row[TurnField.END.ordinal()] - queued;
        sum(tid, ON_CPU, begin, ran);
        sum(tid, (int) row[TurnField.CAUSE.ordinal()], begin + ran, woken - begin - ran);
        sum(tid, RUN_QUEUE, woken, queued);
    }

    /** In the first level whose slots are longer than that; it hands its sums on to the others. */
    private void sum(long tid, int state, long begin, long nanos) throws IOException {
        int level = Math.max(0, (bits(nanos) - FIRST_SHIFT + STEP - 1) / STEP);
        if (nanos > 0 && level < levels.size()) {
            levels.get(level).add(tid, state, begin, nanos);
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
