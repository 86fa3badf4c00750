// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.ArrayList;
import java.util.List;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;

/**
 * One distribution of a picture.
 *
 * @param label        for the legend, "price_basket wall-clock"
 * @param shortLabel   for marks within the picture, "wall"; may be empty
 * @param rgb          its colour
 * @param distribution what is drawn
 * @param outOf        the number of calls that shares refer to: the area under the curve is the
 *                     distribution's count over this, so that areas of a picture can be compared
 * @param noun         what is counted, in the singular
 */
public record DistributionSeries(String label, String shortLabel, int rgb, Distribution distribution, long outOf, String noun) {
    /**
     * To tell functions apart where a picture shows the same metric of several. None is near a metric's colour, and
     * colour-blind eyes tell them apart.
     */
    private static final int[] PALETTE = {0x3322FF, 0xDD1166, 0x99BB00, 0x885500, 0x00BBCC, 0x990099, 0x3399FF};

    private static final int MAX_MERGED = 8;
    /** How wide a bucket is on average: 16 share an octave. */
    private static final double LOG_WIDTH = Math.log(2) / 16;

    /**
     * Neighbouring buckets that are drawn as one.
     *
     * @param lowNanos  its smallest time
     * @param highNanos above its largest one
     * @param count     calls in it
     * @param share     of all calls, 0 to 1
     * @param density   the share by its width on a logarithmic axis (natural logarithm)
     */
    public record Bin(double lowNanos, double highNanos, long count, double share, double density) {
    }

    /** One of calls. */
    public DistributionSeries(String label, String shortLabel, int rgb, Distribution distribution, long outOf) {
        this(label, shortLabel, rgb, distribution, outOf, "call");
    }

    /** A function's metric, in the metric's colour; shares are of the calls that returned, or of the times between hits. */
    public static DistributionSeries of(FunctionLatency latency, Metric metric) {
        return new DistributionSeries(latency.function().name() + " " + metric.label(), shortLabel(metric),
                metric.rgb(), latency.distribution(metric),
                Math.max(1, latency.distribution(metric == Metric.BETWEEN ? metric : Metric.WALL).count()),
                metric == Metric.BETWEEN ? "time" : "call");
    }

    private static String shortLabel(Metric metric) {
        return switch (metric) {
            case WALL -> "wall";
            case ON_CPU -> "CPU";
            case BETWEEN -> "between";
            default -> metric.label();
        };
    }

    /** The same in the n-th colour of those that tell functions apart. */
    public DistributionSeries withColour(int n) {
        return new DistributionSeries(label, shortLabel, PALETTE[Math.floorMod(n, PALETTE.length)], distribution,
                outOf, noun);
    }

    /** The same in this colour, 0xRRGGBB. */
    public DistributionSeries withRgb(int other) {
        return new DistributionSeries(label, shortLabel, other, distribution, outOf, noun);
    }

    public DistributionSeries withLabel(String other) {
        return new DistributionSeries(other, shortLabel, rgb, distribution, outOf, noun);
    }

    /** The same with another text for marks within the picture. */
    public DistributionSeries withShortLabel(String other) {
        return new DistributionSeries(label, other, rgb, distribution, outOf, noun);
    }

    /**
     * What is drawn, ascending, without empty bins at the ends. Few calls in many buckets would be a
     * comb, so buckets are merged, up to {@value #MAX_MERGED}, by Freedman and Diaconis's rule on the
     * logarithms. Nothing is smoothed beyond that.
     */
    public List<Bin> bins() {
        int merged = mergedBuckets();
        List<Bin> bins = new ArrayList<>();
        int limit = distribution.bucketLimit();
        for (int first = firstBucket(merged); first < limit;) {
            // Below 16 ns a bucket is a nanosecond, wider on this axis than any merged ones.
            int next = first < 16 ? first + 1 : first + merged;
            long count = 0;
            for (int i = first; i < next; i++) {
                count += distribution.bucket(i);
            }
            bins.add(bin(first, next - 1, count));
            first = next;
        }
        return bins;
    }

    /** The calls that are in buckets: of a damaged histogram not all are. At least 1. */
    long binned() {
        return Math.max(1, bins().stream().mapToLong(Bin::count).sum());
    }

    private Bin bin(int first, int last, long count) {
        double low = Math.max(LogAxis.LEAST_NANOS, LatencyBuckets.lowNanos(first));
        double high = LatencyBuckets.lowNanos(last) + LatencyBuckets.widthNanos(last);
        double share = (double) count / outOf;
        return new Bin(LatencyBuckets.lowNanos(first), high, count, share, share / Math.log(high / low));
    }

    private int firstBucket(int merged) {
        int first = 0;
        while (first < distribution.bucketLimit() && distribution.bucket(first) == 0) {
            first++;
        }
        return first < 16 ? first : first - first % merged;
    }

    private int mergedBuckets() {
        double low = distribution.percentileNanos(25);
        double high = distribution.percentileNanos(75);
        if (low < 1 || high <= low) {
            return 1;
        }
        double width = 2 * Math.log(high / low) / Math.cbrt(distribution.count());
        int merged = 1;
        while (merged < MAX_MERGED && merged * 2 * LOG_WIDTH <= width) {
            merged *= 2;
        }
        return merged;
    }
}
