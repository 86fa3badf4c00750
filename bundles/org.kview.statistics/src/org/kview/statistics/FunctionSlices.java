// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;

/**
 * One function's counts in successive slices of a recording, which are about equally long. Immutable.
 */
public final class FunctionSlices {
    private final List<BucketCounts> wall;
    /** For each metric, the ns in each slice: exact, or from the middles of buckets, and then good to 3 %. */
    private final Map<Metric, double[]> nanos;
    private final boolean exact;
    /** In each slice. */
    private final long[] calls;

    public FunctionSlices(List<BucketCounts> wall, Map<Metric, double[]> nanos, boolean exact) {
        this.wall = List.copyOf(wall);
        calls = this.wall.stream().mapToLong(BucketCounts::total).toArray();
        this.exact = exact;
        this.nanos = new EnumMap<>(Metric.class);
        this.nanos.putAll(nanos);
    }

    /** Slices from distributions of wall-clock time alone, for a function that never left the CPU. */
    public static FunctionSlices ofWall(List<Distribution> slices) {
        double[] sums = slices.stream().mapToDouble(FunctionSlices::nanosOf).toArray();
        return new FunctionSlices(slices.stream().map(BucketCounts::of).toList(),
                Map.of(Metric.WALL, sums, Metric.ON_CPU, sums), slices.stream().allMatch(FunctionSlices::isExact));
    }

    /** The number of slices. */
    public int count() {
        return wall.size();
    }

    public BucketCounts wall(int slice) {
        return wall.get(slice);
    }

    /** The metric's ns in each slice; empty if it never occurred. */
    public double[] nanos(Metric metric) {
        return nanos.getOrDefault(metric, new double[0]);
    }

    /** Whether {@link #nanos} are measured sums, and not estimated from buckets. */
    public boolean isExact() {
        return exact;
    }

    public long calls(int slice) {
        return calls[slice];
    }

    /**
     * The effective number of slices: so many slices with equally many calls would tell as much as these,
     * (sum n)² / sum n², Kish (1965). It is 1 for a function that was called in one slice only.
     */
    public double effectiveCount() {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < wall.size(); i++) {
            double calls = calls(i);
            sum += calls;
            squares += calls * calls;
        }
        return squares == 0 ? 0 : sum * sum / squares;
    }

    /**
     * Adds two recordings of different hosts at the same time, slice by slice. If one has more slices,
     * its neighbouring slices are joined, and those left over are added to the last one.
     */
    public FunctionSlices plus(FunctionSlices other) {
        if (count() > other.count()) {
            return other.plus(this);
        }
        if (count() == 0) {
            return other;
        }
        int joined = Math.max(1, (int) Math.round((double) other.count() / count()));
        List<BucketCounts> sum = new ArrayList<>(wall);
        Map<Metric, double[]> sums = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            if (nanos(metric).length > 0 || other.nanos(metric).length > 0) {
                sums.put(metric, Arrays.copyOf(nanos(metric), count()));
            }
        }
        for (int i = 0; i < other.count(); i++) {
            int slice = Math.min(i / joined, count() - 1);
            sum.set(slice, sum.get(slice).plus(other.wall(i)));
            for (Metric metric : sums.keySet()) {
                sums.get(metric)[slice] += other.nanos(metric).length == 0 ? 0 : other.nanos(metric)[i];
            }
        }
        return new FunctionSlices(sum, sums, exact && other.exact);
    }

    /** Whether it knows its exact total. Logs of older versions contain only the buckets. */
    public static boolean isExact(Distribution distribution) {
        return distribution.count() > 0 || distribution.bucketLimit() == 0;
    }

    public static double nanosOf(Distribution buckets) {
        if (isExact(buckets)) {
            return buckets.totalNanos();
        }
        double sum = 0;
        for (int i = 0; i < buckets.bucketLimit(); i++) {
            sum += buckets.bucket(i) * (LatencyBuckets.lowNanos(i) + (LatencyBuckets.widthNanos(i) - 1) / 2.0);
        }
        return sum;
    }

    @Override
    public String toString() {
        return "FunctionSlices" + Arrays.toString(calls);
    }
}
