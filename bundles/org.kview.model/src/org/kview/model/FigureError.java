// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A figure of a function that may be wrong by more than {@link FunctionLatency#NOTABLE_ERROR}, because what its probes took is
 * known only so well.
 *
 * <p>
 * What is known is a bound for the sum over all calls. A percentile is the time of single calls. For these the bound is taken as
 * spread evenly over the calls; but above the mean as growing with the call's time, as long calls have more probed calls within
 * them. Single calls can be wrong by more than that.
 *
 * @param metric     {@link Metric#WALL} or {@link Metric#ON_CPU}, from both of which the probes' time is subtracted
 * @param percentile which one of it; empty for its total and mean
 * @param share      of the figure, in either direction; infinite if nothing is left of it
 */
public record FigureError(Metric metric, OptionalInt percentile, double share) {
    /** The percentiles that reports have, the lowest first. */
    private static final int[] PERCENTILES = {50, 90, 99};
    /** An error is told beside another one, which is told of more figures, if it is so many times as large. */
    private static final double MUCH_MORE = 2;

    /**
     * The figures that may be wrong by that much, those of wall-clock time first and means before percentiles. A figure is left out
     * where one that stands for it has nearly the same error: the mean for its percentiles, wall-clock for on-CPU time.
     */
    public static List<FigureError> of(FunctionLatency latency) {
        List<FigureError> found = new ArrayList<>();
        double each = perCallNanos(latency);
        if (each > 0 && latency.wall().totalNanos() > 0) {
            double[] told = new double[PERCENTILES.length];
            double wall = add(found, Metric.WALL, latency, each, 0, told);
            if (latency.isMeasured(Metric.ON_CPU)) {
                add(found, Metric.ON_CPU, latency, each, wall, told);
            }
        }
        return found;
    }

    /** By how much a single call's time may be wrong in either direction, on average; 0 if that is not known. */
    public static double perCallNanos(FunctionLatency latency) {
        return latency.wall().isEmpty() ? 0 : (double) latency.knownFates().cost().uncertainNanos() / latency.wall().count();
    }

    /**
     * @param before what is told of all figures already; 0 for nothing
     * @param told   the same by percentile
     * @return what is told of the mean
     */
    private static double add(List<FigureError> found, Metric metric, FunctionLatency latency, double each, double before, double[] told) {
        Distribution times = latency.distribution(metric);
        if (times.isEmpty()) {
            return before;
        }
        double ofMean = before;
        double mean = each * latency.wall().count() / times.totalNanos();
        if (isWorthTelling(mean, before)) {
            found.add(new FigureError(metric, OptionalInt.empty(), mean));
            ofMean = mean;
        }
        for (int i = 0; i < PERCENTILES.length && times.hasBuckets(); i++) {
            double nanos = times.percentileNanos(PERCENTILES[i]);
            double share = nanos < times.meanNanos() ? each / nanos : mean;
            if (isWorthTelling(share, Math.max(ofMean, told[i]))) {
                found.add(new FigureError(metric, OptionalInt.of(PERCENTILES[i]), share));
                told[i] = share;
            }
        }
        return ofMean;
    }

    private static boolean isWorthTelling(double share, double told) {
        // Of what may be wrong by all of itself there is nothing more to tell.
        return share > FunctionLatency.NOTABLE_ERROR && Math.min(1, share) >= MUCH_MORE * Math.min(1, told);
    }
}
