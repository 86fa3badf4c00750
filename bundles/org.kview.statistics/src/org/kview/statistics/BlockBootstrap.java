// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;

/**
 * Resamples one function's recording by the circular block bootstrap of Politis and Romano (1992). This is a
 * moving-block bootstrap (Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, section 8.6) that
 * does not neglect the ends of a series. It draws blocks of neighbouring slices with all their calls, because
 * calls near in time are not independent: a burst of load slows many of them.
 *
 * <p>How often a function is called is resampled over the whole recording. How long its calls take is resampled
 * over the time from the first call to the last one: the time in which a program that is started for the
 * recording has not begun yet says nothing about its calls.
 */
public final class BlockBootstrap {
    /**
     * A recording of any length is divided into so many blocks. A few long blocks capture effects that last for
     * seconds, such as bursts of load, and quantiles of Student's t compensate for the small number of blocks.
     * Block lengths chosen from the data (Politis and White, 2004) were tried: a recording of ten seconds has too
     * few slices for them to capture such effects.
     */
    private static final int BLOCKS = 6;
    /** Ascending. */
    private static final List<Statistic> PERCENTILES = Statistic.PER_CALL.stream().filter(s -> s.percentile().isPresent())
            .sorted(Comparator.comparingInt(s -> s.percentile().getAsInt())).toList();

    private final FunctionLatency latency;
    private final FunctionSlices slices;
    private final int[] buckets;
    private final List<Metric> metrics;
    private final Span all;
    /** From the first slice with calls to the last one; the same object as {@link #all} if that is all of it. */
    private final Span called;
    private final double seconds;
    private final double recordedCalls;
    private final double maxNanos;
    /**
     * The places of the sums over what is drawn: calls in each of {@link #buckets}, ns in each of {@link #metrics}, all
     * calls.
     */
    private final int sumOfCalls;
    private final int wallNanos;
    private final int[] cpuWaits;

    /** @param seconds the length of the recording */
    public BlockBootstrap(FunctionLatency latency, FunctionSlices slices, double seconds) {
        this.seconds = seconds;
        recordedCalls = IntStream.range(0, slices.count()).mapToLong(slices::calls).sum();
        this.latency = latency;
        this.slices = slices;
        BitSet used = new BitSet(LatencyBuckets.COUNT);
        IntStream.range(0, slices.count()).forEach(i -> Arrays.stream(slices.wall(i).buckets()).forEach(used::set));
        buckets = used.stream().toArray();
        metrics = latency.distributions().keySet().stream().filter(m -> slices.nanos(m).length == slices.count())
                .toList();
        maxNanos = latency.wall().maxNanos();
        sumOfCalls = buckets.length + metrics.size();
        wallNanos = buckets.length + metrics.indexOf(Metric.WALL);
        cpuWaits = Statistic.CPU_WAITS.stream().filter(metrics::contains).mapToInt(w -> buckets.length + metrics.indexOf(w))
                .toArray();
        all = new Span(0, slices.count());
        int first = 0;
        int end = slices.count();
        while (first < end && slices.calls(first) == 0) {
            first++;
        }
        while (end > first && slices.calls(end - 1) == 0) {
            end--;
        }
        called = end - first == slices.count() || first == end ? all : new Span(first, end);
    }

    /** The number of blocks, with and without calls. */
    public double blocks() {
        return (double) slices.count() / all.blockSlices;
    }

    /** The effective number of blocks: so many blocks with equally many calls would tell as much as the recording. */
    public double effectiveBlocks() {
        return slices.effectiveCount() / called.blockSlices;
    }

    /**
     * Figures of resampled recordings.
     *
     * @param wall    for each statistic, the figure of each replicate; times of a call are meaningless without calls
     * @param perCall for each metric, its mean in ns over all calls, including those in which it did not occur
     */
    public record Replicates(Map<Statistic, double[]> wall, Map<Metric, double[]> perCall) {
    }

    public Replicates replicates(int count, SplittableRandom random) {
        Statistic[] statistics = Statistic.values();
        double[][] wall = new double[statistics.length][count];
        double[][] perCall = new double[metrics.size()][count];
        double[] sums = new double[sumOfCalls + 1];
        for (int i = 0; i < count; i++) {
            all.draw(random, sums);
            wall[Statistic.CALLS.ordinal()][i] = recordedCalls == 0 ? 0
                    : sums[sumOfCalls] / recordedCalls * latency.calls() / seconds;
            wall[Statistic.TOTAL.ordinal()][i] = recordedCalls == 0 ? 0 : sums[wallNanos] / seconds;
            // Drawn again where the draw has no calls, so that they have no time: the function is hardly ever called.
            for (boolean again = called != all; recordedCalls > 0 && (again || sums[sumOfCalls] == 0); again = false) {
                called.draw(random, sums);
            }
            double calls = sums[sumOfCalls];
            if (calls == 0) {
                continue;
            }
            for (int m = 0; m < perCall.length; m++) {
                perCall[m][i] = sums[buckets.length + m] / calls;
            }
            wall[Statistic.MEAN.ordinal()][i] = sums[wallNanos] / calls;
            wall[Statistic.UNDISTURBED.ordinal()][i] = Math.max(0, sums[wallNanos] - cpuWaits(sums)) / calls;
            percentiles(sums, wall, i);
        }
        Map<Statistic, double[]> byStatistic = new EnumMap<>(Statistic.class);
        List.of(statistics).forEach(s -> byStatistic.put(s, wall[s.ordinal()]));
        Map<Metric, double[]> byMetric = new EnumMap<>(Metric.class);
        metrics.forEach(metric -> byMetric.put(metric, perCall[metrics.indexOf(metric)]));
        return new Replicates(byStatistic, byMetric);
    }

    /** Without a stream: to make one takes longer than this sum of a few values. */
    private double cpuWaits(double[] sums) {
        double nanos = 0;
        for (int at : cpuWaits) {
            nanos += sums[at];
        }
        return nanos;
    }

    /**
     * As {@link org.kview.model.Distribution#percentileNanos}, interpolated within a bucket; all of them in one pass.
     *
     * @param wall by statistic and replicate
     */
    private void percentiles(double[] sums, double[][] wall, int replicate) {
        double below = 0;
        int k = 0;
        for (Statistic statistic : PERCENTILES) {
            double wanted = sums[sumOfCalls] * statistic.percentile().getAsInt() / 100;
            while (k < buckets.length && (sums[k] == 0 || below + sums[k] < wanted)) {
                below += sums[k++];
            }
            wall[statistic.ordinal()][replicate] = k == buckets.length ? maxNanos
                    : Math.min(maxNanos, LatencyBuckets.lowNanos(buckets[k])
                            + (LatencyBuckets.widthNanos(buckets[k]) - 1.0) * (wanted - below) / sums[k]);
        }
    }

    /** Successive slices from which blocks are drawn, as a circle: the first slice follows the last. */
    private final class Span {
        private final int count;
        private final int blockSlices;
        /** Sums over the slices before one, so that a block is the difference of two rows. Around the circle twice. */
        private final double[][] before;

        Span(int first, int end) {
            count = end - first;
            blockSlices = Math.max(1, Math.ceilDiv(count, BLOCKS));
            before = new double[2 * count + 1][];
            before[0] = new double[sumOfCalls + 1];
            double[] scales = metrics.stream().mapToDouble(BlockBootstrap.this::scale).toArray();
            for (int i = 0; i < 2 * count; i++) {
                double[] row = before[i].clone();
                BucketCounts slice = slices.wall(first + i % count);
                for (int k = 0, j = 0; j < slice.buckets().length; k++) {
                    if (buckets[k] == slice.buckets()[j]) {
                        row[k] += slice.counts()[j++];
                    }
                }
                for (int m = 0; m < scales.length; m++) {
                    row[buckets.length + m] += slices.nanos(metrics.get(m))[first + i % count] * scales[m];
                }
                row[sumOfCalls] += slices.calls(first + i % count);
                before[i + 1] = row;
            }
        }

        void draw(SplittableRandom random, double[] sums) {
            Arrays.fill(sums, 0);
            for (int drawn = 0; drawn < count; drawn += blockSlices) {
                int first = random.nextInt(count);
                double[] low = before[first];
                double[] high = before[first + Math.min(blockSlices, count - drawn)];
                for (int k = 0; k < sums.length; k++) {
                    sums[k] += high[k] - low[k];
                }
            }
        }
    }

    /** Corrects the slices' sums, which may come from buckets, to the recording's total, which is exact. */
    private double scale(Metric metric) {
        double sum = Arrays.stream(slices.nanos(metric)).sum();
        return sum == 0 ? 0 : latency.distribution(metric).totalNanos() / sum;
    }
}
