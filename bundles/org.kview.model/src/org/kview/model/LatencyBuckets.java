// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/**
 * The logarithmic-linear buckets in which latencies are counted: 16 an octave, exact below 32 ns.
 * They are those of HdrHistogram with one significant digit and a unit of 1 ns, so that counts move
 * between the agent, HdrHistogram's interval log and this class without loss.
 *
 * <pre>
 *   v &lt; 16: index v;   else r = floor(log2 v), s = r - 4:  index = ((s + 1) &lt;&lt; 4) + ((v &gt;&gt; s) &amp; 15)
 * </pre>
 */
public final class LatencyBuckets {
    /** Reaches 2^43 ns, 2.4 hours; longer values are counted in the last bucket. */
    public static final int COUNT = 640;

    private static final int SUB_BUCKET_BITS = 4;
    private static final int SUB_BUCKETS = 1 << SUB_BUCKET_BITS;

    private LatencyBuckets() {
    }

    /** The bucket that counts {@code nanos}, which must not be negative. */
    public static int indexOf(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("A latency can't be negative: " + nanos);
        }
        if (nanos < SUB_BUCKETS) {
            return (int) nanos;
        }
        int shift = 63 - Long.numberOfLeadingZeros(nanos) - SUB_BUCKET_BITS;
        int index = ((shift + 1) << SUB_BUCKET_BITS) + (int) ((nanos >> shift) & (SUB_BUCKETS - 1));
        return Math.min(index, COUNT - 1);
    }

    /** The smallest value of a bucket, in ns. */
    public static long lowNanos(int index) {
        if (index < SUB_BUCKETS) {
            return index;
        }
        int shift = (index >> SUB_BUCKET_BITS) - 1;
        return (long) (SUB_BUCKETS + (index & (SUB_BUCKETS - 1))) << shift;
    }

    /** The width of a bucket, in ns: it holds {@code low <= v < low + width}. */
    public static long widthNanos(int index) {
        return index < SUB_BUCKETS ? 1 : 1L << ((index >> SUB_BUCKET_BITS) - 1);
    }
}
