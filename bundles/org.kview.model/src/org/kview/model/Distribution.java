// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Arrays;

/**
 * The distribution of one metric of one function: how many calls took how long. Immutable.
 *
 * <p>Count, total and maximum are exact; percentiles are interpolated within a bucket of
 * {@link LatencyBuckets}, whose width is at most 1/16 of its value.
 */
public final class Distribution {
    public static final Distribution EMPTY = new Distribution(new long[0], 0, 0, 0);

    private final long[] counts;
    private final long count;
    private final long totalNanos;
    private final long maxNanos;

    private Distribution(long[] counts, long count, long totalNanos, long maxNanos) {
        this.counts = counts;
        this.count = count;
        this.totalNanos = totalNanos;
        this.maxNanos = maxNanos;
    }

    /** Only the counts of the buckets below the limit; count, total and maximum are 0. */
    public static Distribution ofBuckets(long[] counts, int limit) {
        int end = Math.min(limit, LatencyBuckets.COUNT);
        while (end > 0 && counts[end - 1] == 0) {
            end--;
        }
        return end == 0 ? EMPTY : new Distribution(Arrays.copyOf(counts, end), 0, 0, 0);
    }

    /** The same buckets, with exact figures. */
    public Distribution withTotals(long values, long nanos, long largestNanos) {
        return new Distribution(counts, values, nanos, largestNanos);
    }

    /** The number of values. */
    public long count() {
        return count;
    }

    public boolean isEmpty() {
        return count == 0;
    }

    /** The sum of all values, in ns. */
    public long totalNanos() {
        return totalNanos;
    }

    /** The largest value, in ns; 0 if empty. */
    public long maxNanos() {
        return maxNanos;
    }

    /** The arithmetic mean in ns; 0 if empty. */
    public double meanNanos() {
        return count == 0 ? 0 : (double) totalNanos / count;
    }

    /**
     * The value that the given share of the values does not exceed. Exact below 32 ns, and of a single value.
     *
     * @param percentile 0 to 100
     * @return ns, never above {@link #maxNanos()}; 0 if empty or if the buckets are not known
     */
    public double percentileNanos(double percentile) {
        if (percentile < 0 || percentile > 100) {
            throw new IllegalArgumentException("A percentile lies between 0 and 100: " + percentile);
        }
        if (count == 1 && totalNanos == maxNanos && hasBuckets()) {
            return totalNanos;
        }
        double wanted = bucketedCount() * percentile / 100;
        double below = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0 && below + counts[i] >= wanted) {
                double within = (wanted - below) / counts[i];
                double low = LatencyBuckets.lowNanos(i);
                return Math.min(maxNanos, low + (largestNanos(i) - low) * within);
            }
            below += counts[i];
        }
        return counts.length == 0 ? 0 : maxNanos;
    }

    /** The last bucket also counts larger values, so its end is the exact maximum. */
    private double largestNanos(int bucket) {
        return bucket == LatencyBuckets.COUNT - 1 ? maxNanos
                : LatencyBuckets.lowNanos(bucket) + LatencyBuckets.widthNanos(bucket) - 1;
    }

    /** The values counted in a bucket of {@link LatencyBuckets}. */
    public long bucket(int index) {
        return index < counts.length ? counts[index] : 0;
    }

    /** One more than the highest bucket that holds a value. */
    public int bucketLimit() {
        return counts.length;
    }

    /** False where only count, total and maximum are known, because the bucket counts were lost. */
    public boolean hasBuckets() {
        return isEmpty() || counts.length > 0;
    }

    /** The values in all buckets, which is {@link #count()} where the buckets belong to it. */
    public long bucketedCount() {
        long sum = 0;
        for (long values : counts) {
            sum += values;
        }
        return sum;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Distribution d && count == d.count && totalNanos == d.totalNanos
                && maxNanos == d.maxNanos && Arrays.equals(counts, d.counts);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(count * 31 + totalNanos) * 31 + Arrays.hashCode(counts);
    }

    @Override
    public String toString() {
        return "Distribution[count=" + count + ", mean=" + LatencyFormat.nanos(meanNanos()) + ", max="
                + LatencyFormat.nanos(maxNanos) + "]";
    }

    /** Adds up values. Not safe for use by several threads. */
    public static final class Builder {
        private final long[] counts = new long[LatencyBuckets.COUNT];
        private long count;
        private long totalNanos;
        private long maxNanos;

        /** One value, in ns. */
        public Builder add(long nanos) {
            counts[LatencyBuckets.indexOf(nanos)]++;
            return addTotals(1, nanos, nanos);
        }

        /** Another distribution's values. */
        public Builder add(Distribution other) {
            for (int i = 0; i < other.counts.length; i++) {
                counts[i] += other.counts[i];
            }
            return addTotals(other.count, other.totalNanos, other.maxNanos);
        }

        /** Whether the sums with another distribution fit in a {@code long}. */
        boolean fits(Distribution other) {
            return count + other.count >= 0 && totalNanos + other.totalNanos >= 0;
        }

        /** Values of one bucket, without their totals. */
        public Builder addBucket(int index, long values) {
            if (index < 0 || index >= counts.length || values < 0) {
                throw new IllegalArgumentException("No such bucket or count: " + index + ", " + values);
            }
            counts[index] += values;
            return this;
        }

        /** The exact figures that go with {@link #addBucket}. */
        public Builder addTotals(long values, long nanos, long largestNanos) {
            count = sum(count, values);
            totalNanos = sum(totalNanos, nanos);
            maxNanos = Math.max(maxNanos, largestNanos);
            return this;
        }

        /** Never negative: what hosts claim may be more than fits. */
        private static long sum(long one, long other) {
            return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
        }

        public Distribution build() {
            int limit = counts.length;
            while (limit > 0 && counts[limit - 1] == 0) {
                limit--;
            }
            return count == 0 && limit == 0 ? EMPTY
                    : new Distribution(Arrays.copyOf(counts, limit), count, totalNanos, maxNanos);
        }
    }
}
