// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.kview.model.Distribution;
import org.kview.model.Metric;
import org.kview.session.read.IntervalVisitor;
import org.kview.statistics.BucketCounts;
import org.kview.statistics.FunctionSlices;

/**
 * Cuts a recording into slices of an interval each. Intervals without calls are not reported; they are inferred from the
 * times of the others and count as slices too, because an idle program is called less often. A long recording has
 * thousands of intervals. Where there are more than {@value #MOST_SLICES}, neighbours are joined: calls of one time stay
 * together, as resampling needs it.
 */
final class SliceCollector implements IntervalVisitor {
    static final int MOST_SLICES = 128;
    /** An agent sends figures twice a second. */
    static final long INTERVAL_NANOS = 500_000_000;

    private final Map<Integer, Builder> functions = new HashMap<>();
    private long lastEndNanos;
    private long intervals;
    private long joined = 1;

    @Override
    public void interval(int functionId, Metric metric, long endNanos, Distribution buckets) {
        if (intervals == 0 || endNanos > lastEndNanos) {
            // Intervals come a little early or late, and the first and the last one are shorter.
            pass(Math.max(1, intervalsUntil(endNanos)));
            lastEndNanos = endNanos;
        }
        functions.computeIfAbsent(functionId, id -> new Builder()).add(slices() - 1, metric, buckets);
    }

    private long intervalsUntil(long nanos) {
        return Math.round((double) (nanos - lastEndNanos) / INTERVAL_NANOS);
    }

    private void pass(long more) {
        intervals += more;
        while (slices() > MOST_SLICES) {
            joined *= 2;
            functions.values().forEach(Builder::joinPairs);
        }
    }

    private int slices() {
        return (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(intervals, joined));
    }

    /**
     * By function id.
     *
     * @param recordedNanos how long the recording was; no more intervals may follow
     */
    Map<Integer, FunctionSlices> slices(Iterable<Integer> ids, long recordedNanos) {
        pass(Math.max(0, intervalsUntil(recordedNanos)));
        lastEndNanos = Math.max(lastEndNanos, recordedNanos);
        Map<Integer, FunctionSlices> all = new HashMap<>();
        for (int id : ids) {
            all.put(id, functions.getOrDefault(id, new Builder()).build(slices()));
        }
        return all;
    }

    private static final class Builder {
        private final List<BucketCounts> wall = new ArrayList<>();
        private final Map<Metric, List<Double>> nanos = new EnumMap<>(Metric.class);
        private boolean exact = true;

        void add(int slice, Metric metric, Distribution buckets) {
            if (metric == Metric.WALL) {
                fill(wall, slice + 1, BucketCounts.NONE);
                wall.set(slice, wall.get(slice).plus(BucketCounts.of(buckets)));
            }
            List<Double> sums = nanos.computeIfAbsent(metric, m -> new ArrayList<>());
            fill(sums, slice + 1, 0.0);
            exact &= FunctionSlices.isExact(buckets);
            sums.set(slice, sums.get(slice) + FunctionSlices.nanosOf(buckets));
        }

        void joinPairs() {
            List<BucketCounts> halved = new ArrayList<>();
            for (int i = 0; i < wall.size(); i += 2) {
                halved.add(i + 1 < wall.size() ? wall.get(i).plus(wall.get(i + 1)) : wall.get(i));
            }
            wall.clear();
            wall.addAll(halved);
            nanos.replaceAll((metric, sums) -> {
                List<Double> half = new ArrayList<>();
                for (int i = 0; i < sums.size(); i += 2) {
                    half.add(sums.get(i) + (i + 1 < sums.size() ? sums.get(i + 1) : 0));
                }
                return half;
            });
        }

        FunctionSlices build(int slices) {
            fill(wall, slices, BucketCounts.NONE);
            Map<Metric, double[]> sums = new EnumMap<>(Metric.class);
            nanos.forEach((metric, values) -> {
                fill(values, slices, 0.0);
                sums.put(metric, values.stream().mapToDouble(Double::doubleValue).toArray());
            });
            return new FunctionSlices(wall, sums, exact);
        }

        private static <T> void fill(List<T> list, int size, T value) {
            while (list.size() < size) {
                list.add(value);
            }
        }
    }
}
