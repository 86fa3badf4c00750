/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.statistics;

import java.util.List;
import java.util.OptionalInt;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;

/** A figure of a function that is compared: of its calls' wall-clock times, or of what all calls are to the program. */
public enum Statistic {
    MEAN("mean", 0),
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99),
    /** Entries by second of the recording. */
    CALLS("calls_per_s", 0),
    /** The wall-clock time of all calls by second of the recording, in ns: 10^9 is one thread's whole time. */
    TOTAL("total_per_s", 0);

    /** How long a call takes, in ns. */
    public static final List<Statistic> PER_CALL = List.of(MEAN, P50, P90, P99);
    /** What a function is to the program, by second of the recording. */
    public static final List<Statistic> RATES = List.of(CALLS, TOTAL);

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

    /** 1 to 99; empty for all but percentiles. */
    public OptionalInt percentile() {
        return percentile == 0 ? OptionalInt.empty() : OptionalInt.of(percentile);
    }

    /**
     * The figure.
     *
     * @param seconds that were recorded
     * @return NaN where there are no calls, or no buckets for a percentile; rates are 0 without calls
     */
    public double of(FunctionLatency latency, double seconds) {
        Distribution wall = latency.wall();
        return switch (this) {
            case CALLS -> latency.calls() / seconds;
            case TOTAL -> wall.totalNanos() / seconds;
            case MEAN -> wall.isEmpty() ? Double.NaN : wall.meanNanos();
            case P50, P90, P99 -> wall.isEmpty() || !wall.hasBuckets() ? Double.NaN : wall.percentileNanos(percentile);
        };
    }

    /**
     * With fewer calls than this the figure is mere chance: of a call's time in either recording, of a
     * rate in both.
     */
    public long callsNeeded() {
        return percentile == 0 ? ENOUGH_FOR_MEAN : ENOUGH_BEYOND * 100L / Math.min(percentile, 100 - percentile);
    }

    /** How far the value may be off because times are kept by bucket, in ns; sums and means are exact. */
    public double bucketNanos(double value) {
        return percentile == 0 ? 0 : bucketWidth(value);
    }

    public static double bucketWidth(double nanos) {
        return LatencyBuckets.widthNanos(LatencyBuckets.indexOf((long) nanos));
    }
}
