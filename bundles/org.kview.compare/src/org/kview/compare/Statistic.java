/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.OptionalInt;

import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;

/** A figure of a function's wall-clock times that is compared. */
public enum Statistic {
    MEAN("mean", 0),
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99);

    /** So many calls on either side of a percentile, or in all for a mean, are enough to judge it. */
    private static final int ENOUGH_BEYOND = 10;
    private static final int ENOUGH_FOR_MEAN = 20;

    private final String id;
    private final int percentile;

    Statistic(String id, int percentile) {
        this.id = id;
        this.percentile = percentile;
    }

    /** The name in reports; never changes. */
    public String id() {
        return id;
    }

    /** 1 to 99; empty for the mean. */
    public OptionalInt percentile() {
        return this == MEAN ? OptionalInt.empty() : OptionalInt.of(percentile);
    }

    /** In ns; 0 if there are no values. */
    public double of(Distribution distribution) {
        return this == MEAN ? distribution.meanNanos() : distribution.percentileNanos(percentile);
    }

    /** With fewer calls than this in either recording the figure is mere chance. */
    public long callsNeeded() {
        return this == MEAN ? ENOUGH_FOR_MEAN : ENOUGH_BEYOND * 100L / Math.min(percentile, 100 - percentile);
    }

    /** How far the value may be off because times are kept by bucket, in ns; means are exact. */
    double bucketNanos(double value) {
        return this == MEAN ? 0 : LatencyBuckets.widthNanos(LatencyBuckets.indexOf((long) value));
    }
}
