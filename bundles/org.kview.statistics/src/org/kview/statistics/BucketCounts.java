// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.Arrays;

import org.kview.model.Distribution;

/**
 * The buckets that are not empty, in ascending order, and their counts. Stored so because a slice of a recording
 * uses only a tenth of all buckets, and there may be a hundred slices of a thousand functions.
 */
public record BucketCounts(int[] buckets, long[] counts) {
    public static final BucketCounts NONE = new BucketCounts(new int[0], new long[0]);

    public static BucketCounts of(Distribution distribution) {
        int[] buckets = new int[distribution.bucketLimit()];
        long[] counts = new long[buckets.length];
        int used = 0;
        for (int i = 0; i < buckets.length; i++) {
            if (distribution.bucket(i) > 0) {
                buckets[used] = i;
                counts[used++] = distribution.bucket(i);
            }
        }
        return new BucketCounts(Arrays.copyOf(buckets, used), Arrays.copyOf(counts, used));
    }

    public BucketCounts plus(BucketCounts other) {
        int[] sumBuckets = new int[buckets.length + other.buckets.length];
        long[] sumCounts = new long[sumBuckets.length];
        int used = 0;
        for (int i = 0, j = 0; i < buckets.length || j < other.buckets.length;) {
            int mine = i < buckets.length ? buckets[i] : Integer.MAX_VALUE;
            int theirs = j < other.buckets.length ? other.buckets[j] : Integer.MAX_VALUE;
            sumBuckets[used] = Math.min(mine, theirs);
            sumCounts[used++] = (mine <= theirs ? counts[i] : 0) + (theirs <= mine ? other.counts[j] : 0);
            i += mine <= theirs ? 1 : 0;
            j += theirs <= mine ? 1 : 0;
        }
        return new BucketCounts(Arrays.copyOf(sumBuckets, used), Arrays.copyOf(sumCounts, used));
    }

    public long total() {
        long total = 0;
        for (long count : counts) {
            total += count;
        }
        return total;
    }
}
