// SPDX-License-Identifier: EPL-2.0
package org.kview.calls;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import org.kview.ctf.calls.Call;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;

/** What is asked about the calls of a store. Immutable, and safe for use by several threads; rows are those of the store. */
public final class CallQueries {
    private final CallStore store;

    public CallQueries(CallStore store) {
        this.store = store;
    }

    /** How many calls are selected. */
    public long count(CallBox box) {
        long[] sum = new long[1];
        new CallScan(store, box.conditions()).each((_, _, count) -> {
            sum[0] += count;
            return true;
        });
        return sum[0];
    }

    /** The rows of the selected calls that returned first, in that order. */
    public long[] first(CallBox box, int most) {
        LongStream.Builder found = LongStream.builder();
        int[] left = {most};
        new CallScan(store, box.conditions()).each((block, rows, count) -> {
            for (int i = 0; i < count && left[0] > 0; i++, left[0]--) {
                found.add(block.firstRow() + rows[i]);
            }
            return left[0] > 0;
        });
        return found.build().toArray();
    }

    private record Slow(long wallNanos, long row) {
        /** Whether this one comes behind another one. */
        int against(Slow other) {
            int order = Long.compare(wallNanos, other.wallNanos);
            return order != 0 ? order : Long.compare(other.row, row);
        }
    }

    /**
     * The rows of the selected calls that took longest, the longest first. Of calls that took equally long, the one that
     * ended first comes first.
     *
     * @param wanted as with {@link #distribution}
     */
    public long[] slowest(CallBox box, int most, BooleanSupplier wanted) {
        if (most < 1) {
            return new long[0];
        }
        PriorityQueue<Slow> kept = new PriorityQueue<>(Slow::against);
        List<Condition> all = box.conditions();
        new CallScan(store, () -> kept.size() < most ? all : stricter(all, kept.peek().wallNanos()), wanted).each((block, rows, count) -> {
            long[] walls = block.column(CallField.WALL);
            for (int i = 0; i < count; i++) {
                long wall = walls[rows[i]];
                if (kept.size() < most) {
                    kept.add(new Slow(wall, block.firstRow() + rows[i]));
                } else if (wall > kept.peek().wallNanos()) {
                    kept.poll();
                    kept.add(new Slow(wall, block.firstRow() + rows[i]));
                }
            }
            return true;
        });
        return kept.stream().sorted((a, b) -> b.against(a)).mapToLong(Slow::row).toArray();
    }

    private static List<Condition> stricter(List<Condition> all, long wall) {
        List<Condition> more = new ArrayList<>();
        // First: it leaves the fewest.
        more.add(new Condition.Between(CallField.WALL, wall + 1, Long.MAX_VALUE));
        more.addAll(all);
        return more;
    }

    /**
     * The times that given shares of the selected calls did not exceed. Exact: each is the time of one of them.
     *
     * @param percentiles more than 0, up to 100
     * @return ns, in the same order; all 0 if nothing is selected
     */
    public long[] percentiles(CallBox box, double... percentiles) {
        long[] buckets = new long[LatencyBuckets.COUNT];
        new CallScan(store, box.conditions()).each((block, rows, count) -> {
            long[] walls = block.column(CallField.WALL);
            for (int i = 0; i < count; i++) {
                buckets[LatencyBuckets.indexOf(walls[rows[i]])]++;
            }
            return true;
        });
        long all = Arrays.stream(buckets).sum();
        long[] nanos = new long[percentiles.length];
        for (int i = 0; i < percentiles.length && all > 0; i++) {
            long rank = Math.clamp((long) Math.ceil(all * percentiles[i] / 100), 1, all);
            int bucket = 0;
            long below = 0;
            while (below + buckets[bucket] < rank) {
                below += buckets[bucket++];
            }
            nanos[i] = within(box, bucket, (int) buckets[bucket], rank - below);
        }
        return nanos;
    }

    /** The time of the call of that rank, from 1, among those in a bucket. */
    private long within(CallBox box, int bucket, int size, long rank) {
        long[] found = new long[size];
        int[] next = new int[1];
        List<Condition> conditions = new ArrayList<>(box.conditions());
        long low = LatencyBuckets.lowNanos(bucket);
        conditions.add(new Condition.Between(CallField.WALL, low, bucket == LatencyBuckets.COUNT - 1 ? Long.MAX_VALUE
                : low + LatencyBuckets.widthNanos(bucket) - 1));
        new CallScan(store, conditions).each((block, rows, count) -> {
            long[] walls = block.column(CallField.WALL);
            for (int i = 0; i < count; i++) {
                found[next[0]++] = walls[rows[i]];
            }
            return true;
        });
        Arrays.sort(found);
        return found[(int) rank - 1];
    }

    /**
     * How long the selected calls took, in the buckets in which a recording counts, with exact totals.
     *
     * @param wanted asked now and then: whether to go on
     * @throws java.util.concurrent.CancellationException if it says no
     */
    public Distribution distribution(CallBox box, BooleanSupplier wanted) {
        Distribution.Builder sum = new Distribution.Builder();
        new CallScan(store, box.conditions(), wanted).each((block, rows, count) -> {
            long[] walls = block.column(CallField.WALL);
            for (int i = 0; i < count; i++) {
                sum.add(walls[rows[i]]);
            }
            return true;
        });
        return sum.build();
    }

    /** The rows of the calls that returned within a call, in that order: those of its thread that are deeper. */
    public long[] below(long row) {
        Call outer = store.call(row);
        LongStream.Builder found = LongStream.builder();
        new CallScan(store, List.of(
                new Condition.Between(CallField.END, outer.beginNanos(), outer.endNanos()),
                new Condition.Between(CallField.BEGIN, outer.beginNanos(), outer.endNanos()),
                new Condition.Between(CallField.TID, outer.tid(), outer.tid()),
                new Condition.Between(CallField.DEPTH, outer.depth() + 1, Long.MAX_VALUE))).each((block, rows, count) -> {
                    for (int i = 0; i < count; i++) {
                        found.add(block.firstRow() + rows[i]);
                    }
                    return true;
                });
        return found.build().toArray();
    }
}
