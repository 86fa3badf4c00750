// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import org.kview.model.LatencyBuckets;

/**
 * How many calls returned when, and how long they took, counted beforehand for slots of time of several lengths. So a picture of
 * any stretch of time reads about as much as it shows. Immutable, and safe for use by several threads.
 */
public final class Pyramid {
    private static final int SLOT = 0;
    private static final int KEY = 1;
    private static final int COUNT = 2;

    private final CallStore store;
    private final List<Long> functions;
    /** With their counts, ascending. */
    private final List<SlotLevel> levels;

    Pyramid(CallStore store, List<Long> functions, List<SlotLevel> levels) {
        this.store = store;
        this.functions = functions;
        this.levels = levels;
    }

    void verify() throws StoreException {
        for (SlotLevel level : levels) {
            for (int block = 0; block < level.table().blocks(); block++) {
                if (!level.table().isWhole(block)) {
                    throw new StoreException("it is damaged");
                }
            }
        }
    }

    /**
     * Counts calls by when they returned and how long they took. Each count is exact.
     *
     * @param fromNanos when the first of them returned, by the host's CLOCK_MONOTONIC
     * @param toNanos   before when the last did
     * @param mostBins  into how many slots of time at most; their ends are multiples of their length, so the first and the last of
     *                  them may begin before and end after these times
     * @param functionIds empty for all
     * @param wanted    asked now and then: whether to go on
     * @throws CancellationException if it says no
     */
    public HeatMap heatMap(long fromNanos, long toNanos, int mostBins, Optional<Set<Long>> functionIds, BooleanSupplier wanted) {
        int shift = shift(fromNanos, toNanos, mostBins);
        long first = fromNanos >> shift;
        long[][] counts = new long[(int) bins(fromNanos, toNanos, shift)][LatencyBuckets.COUNT];
        Optional<SlotLevel> level = Optional.empty();
        for (SlotLevel each : levels) {
            level = each.shift() <= shift ? Optional.of(each) : level;
        }
        if (level.isPresent()) {
            count(level.get(), shift, first, counts, functionIds, wanted);
        } else {
            count(first << shift, shift, counts, new CallBox(CallBox.Range.ALL, CallBox.Range.ALL, functionIds, Optional.empty(),
                    Optional.empty()), wanted);
        }
        return new HeatMap(first << shift, 1L << shift, counts);
    }

    /**
     * Likewise of selected calls. Where they are selected by more than time and function, all calls of that time are read.
     *
     * @param box as far as there are calls, its time is limited; {@code wall} leaves out calls
     */
    public HeatMap heatMap(CallBox box, int mostBins, BooleanSupplier wanted) {
        if (store.calls() == 0) {
            return new HeatMap(0, 1, new long[0][]);
        }
        long from = Math.max(box.end().least(), store.least(CallField.END));
        long to = Math.min(box.end().most(), store.most(CallField.END)) + 1;
        if (box.wall().equals(CallBox.Range.ALL) && box.threads().isEmpty() && box.mainParts().isEmpty()) {
            return heatMap(from, to, mostBins, box.functions(), wanted);
        }
        int shift = shift(from, to, mostBins);
        return scan(box, from >> shift << shift, shift, (int) bins(from, to, shift), wanted);
    }

    /**
     * Likewise for slots of time that are given. All calls of that time are read.
     *
     * @param beginNanos when the first slot begins
     * @param shift      each is 2^shift ns long
     * @param slots      how many there are
     */
    public HeatMap scan(CallBox box, long beginNanos, int shift, int slots, BooleanSupplier wanted) {
        long[][] counts = new long[slots][LatencyBuckets.COUNT];
        count(beginNanos, shift, counts, box, wanted);
        return new HeatMap(beginNanos, 1L << shift, counts);
    }

    /** The shortest slots, of 2^shift ns, of which there are no more than that. */
    public static int shift(long from, long to, int mostBins) {
        int shift = 0;
        while (shift < LevelBuilder.MOST_SHIFT && bins(from, to, shift) > mostBins) {
            shift++;
        }
        return shift;
    }

    /** Over how many slots a stretch of time goes. */
    public static long bins(long from, long to, int shift) {
        return to <= from ? 0 : (to - 1 >> shift) - (from >> shift) + 1;
    }

    private void count(SlotLevel level, int shift, long first, long[][] counts, Optional<Set<Long>> functionIds, BooleanSupplier wanted) {
        int up = shift - level.shift();
        boolean[] counted = new boolean[functions.size()];
        for (int i = 0; i < counted.length; i++) {
            counted[i] = functionIds.isEmpty() || functionIds.get().contains(functions.get(i));
        }
        level.scan(StoreFooter.LEVEL_COLUMNS, SLOT, up, first, first + counts.length - 1, wanted, (columns, rows) -> {
            for (int row = 0; row < rows; row++) {
                long bin = (columns[SLOT][row] >> up) - first;
                int key = (int) columns[KEY][row];
                if (bin >= 0 && bin < counts.length && counted[SlotCounts.function(key)]) {
                    counts[(int) bin][SlotCounts.bucket(key)] += columns[COUNT][row];
                }
            }
        });
    }

    /** Also for slots shorter than the shortest that were counted beforehand: few calls are in these, so they are counted now. */
    private void count(long begin, int shift, long[][] counts, CallBox box, BooleanSupplier wanted) {
        if (counts.length == 0) {
            return;
        }
        CallBox slots = new CallBox(new CallBox.Range(begin, begin + ((long) counts.length << shift) - 1), box.wall(),
                box.functions(), box.threads(), box.mainParts());
        new CallScan(store, slots.conditions(), wanted).each((block, rows, count) -> {
            long[] ends = block.column(CallField.END);
            long[] walls = block.column(CallField.WALL);
            for (int i = 0; i < count; i++) {
                counts[(int) (ends[rows[i]] - begin >> shift)][LatencyBuckets.indexOf(walls[rows[i]])]++;
            }
            return true;
        });
    }

    /**
     * Counts of calls.
     *
     * @param beginNanos when the first slot of time begins, by the host's CLOCK_MONOTONIC
     * @param slotNanos  how long each is
     * @param counts     by slot, and bucket of {@link LatencyBuckets}
     */
    public record HeatMap(long beginNanos, long slotNanos, long[][] counts) {
    }
}
