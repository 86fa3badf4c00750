// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import org.kview.calls.ThreadStates.State;
import org.kview.ctf.calls.Call;
import org.kview.model.Metric;

/** Goes through the turns of a stretch of time. To be used once, by one thread. */
final class TurnScan {
    private static final Metric[] STATES = Metric.values();

    private final Table turns;
    private final List<String> texts;
    private final long fromNanos;
    private final long toNanos;
    private final int leastShift;
    private final Optional<Set<Long>> tids;
    private final BooleanSupplier wanted;
    private final long[][] columns = new long[TurnField.COUNT][];
    private final boolean[] read = new boolean[TurnField.COUNT];
    private final List<State> states = new ArrayList<>();
    private int block;

    /** @param leastShift states of at least 2^leastShift ns are listed */
    TurnScan(Table turns, List<String> texts, long fromNanos, long toNanos, int leastShift, Optional<Set<Long>> tids,
            BooleanSupplier wanted) {
        this.turns = turns;
        this.texts = texts;
        this.fromNanos = fromNanos;
        this.toNanos = toNanos;
        this.leastShift = leastShift;
        this.tids = tids;
        this.wanted = wanted;
    }

    /** @param shorter sums up the others, if it is not known beforehand what these are */
    List<State> states(Optional<ThreadStates.Slots> shorter) {
        int leastBits = shorter.isEmpty() ? leastShift + 1 : 0;
        for (block = 0; block < turns.blocks(); block++) {
            BlockIndex index = turns.block(block);
            if (index.most()[TurnField.END.ordinal()] < fromNanos || index.least()[TurnField.BEGIN.ordinal()] > toNanos
                    || index.most()[TurnField.LONGEST_BITS.ordinal()] < leastBits) {
                continue;
            }
            if (!wanted.getAsBoolean()) {
                throw new CancellationException();
            }
            Arrays.fill(read, false);
            long[] bits = column(TurnField.LONGEST_BITS);
            for (int row = 0; row < index.rows(); row++) {
                if (bits[row] >= leastBits && column(TurnField.END)[row] >= fromNanos && column(TurnField.BEGIN)[row] <= toNanos
                        && (tids.isEmpty() || tids.get().contains(column(TurnField.TID)[row]))) {
                    turn(row, shorter);
                }
            }
        }
        return states;
    }

    private void turn(int row, Optional<ThreadStates.Slots> shorter) {
        long begin = column(TurnField.BEGIN)[row];
        long out = begin + column(TurnField.RAN)[row];
        long end = column(TurnField.END)[row];
        long woken = end - column(TurnField.QUEUED)[row];
        part(row, Metric.ON_CPU, begin, out, shorter);
        part(row, STATES[(int) column(TurnField.CAUSE)[row]], out, woken, shorter);
        part(row, Metric.RUN_QUEUE, woken, end, shorter);
    }

    private void part(int row, Metric state, long begin, long end, Optional<ThreadStates.Slots> shorter) {
        if (begin == end || end < fromNanos || begin > toNanos) {
            return;
        }
        long tid = column(TurnField.TID)[row];
        if (end - begin >>> leastShift == 0) {
            shorter.ifPresent(slots -> slots.spread(tid, state.ordinal(), begin, end - begin));
            return;
        }
        OptionalInt cpu = state == Metric.ON_CPU ? OptionalInt.of((int) column(TurnField.CPU)[row]) : OptionalInt.empty();
        long waker = column(TurnField.WAKER_TID)[row];
        boolean isWait = state != Metric.ON_CPU && state != Metric.RUN_QUEUE;
        states.add(new State(tid, begin, end, state, cpu, !isWait || waker == 0 ? Optional.empty()
                : Optional.of(new Call.Waker(waker - 1, texts.get((int) column(TurnField.WAKER)[row])))));
    }

    private long[] column(TurnField field) {
        int column = field.ordinal();
        if (!read[column]) {
            if (columns[column] == null) {
                columns[column] = new long[turns.mostBlockRows()];
            }
            turns.read(block, column, columns[column]);
            read[column] = true;
        }
        return columns[column];
    }
}
