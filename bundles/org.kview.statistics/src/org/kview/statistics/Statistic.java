// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import java.util.List;
import java.util.OptionalInt;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyBuckets;
import org.kview.model.Metric;

/** A figure of a function that is compared: of its calls' wall-clock times, or of its share in the program's time. */
public enum Statistic {
    MEAN("mean", 0),
    P50("p50", 50),
    P90("p90", 90),
    P99("p99", 99),
    /**
     * The mean of what a call takes besides waiting for a CPU: on a CPU and for what it asked for. What else runs on the
     * host moves it much less than {@link #MEAN}. NaN where causes are not measured.
     */
    UNDISTURBED("mean_without_cpu_waits", 0),
    /** Calls per second of the recording. */
    CALLS("calls_per_s", 0),
    /** The wall-clock time of all calls per second of the recording, in ns: 10^9 is the whole time of one thread. */
    TOTAL("total_per_s", 0);

    /** Figures of how long a call takes on the wall clock, in ns. */
    public static final List<Statistic> PER_CALL = List.of(MEAN, P50, P90, P99);
    /** These, and how long a call takes undisturbed. */
    public static final List<Statistic> TIMES = List.of(MEAN, P50, P90, P99, UNDISTURBED);
    /** Figures of all calls together, per second of the recording. */
    public static final List<Statistic> RATES = List.of(CALLS, TOTAL);

    /** The causes that {@link #UNDISTURBED} leaves out. */
    static final List<Metric> CPU_WAITS = List.of(Metric.RUN_QUEUE, Metric.PREEMPTED, Metric.STEAL, Metric.THROTTLED);

    /** So many calls on either side of a percentile are enough to judge it; so many in all for a mean. */
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

    /** Which percentile, 1 to 99; empty for other statistics. */
    public OptionalInt percentile() {
        return percentile == 0 ? OptionalInt.empty() : OptionalInt.of(percentile);
    }

    /**
     * The value of this figure.
     *
     * @param seconds the length of the recording
     * @return NaN without calls, or without buckets where it is a percentile; rates are 0 without calls
     */
    public double of(FunctionLatency latency, double seconds) {
        Distribution wall = latency.wall();
        return switch (this) {
            case CALLS -> latency.calls() / seconds;
            case TOTAL -> wall.totalNanos() / seconds;
            case MEAN -> wall.isEmpty() ? Double.NaN : wall.meanNanos();
            case UNDISTURBED -> wall.isEmpty() || !CPU_WAITS.stream().allMatch(latency::isMeasured) ? Double.NaN
                    : Math.max(0, wall.totalNanos() - CPU_WAITS.stream().mapToDouble(w -> latency.distribution(w).totalNanos())
                            .sum()) / wall.count();
            case P50, P90, P99 -> wall.isEmpty() || !wall.hasBuckets() ? Double.NaN : wall.percentileNanos(percentile);
        };
    }

    /**
     * With fewer calls than this the figure is mere chance: for the time of a call, if either recording has fewer;
     * for a rate, if both have.
     */
    public long callsNeeded() {
        return percentile == 0 ? ENOUGH_FOR_MEAN : ENOUGH_BEYOND * 100L / Math.min(percentile, 100 - percentile);
    }

    /** How far the value may be off, in ns, because times are counted in buckets; sums and means are exact. */
    public double bucketNanos(double value) {
        return percentile == 0 ? 0 : bucketWidth(value);
    }

    public static double bucketWidth(double nanos) {
        return LatencyBuckets.widthNanos(LatencyBuckets.indexOf((long) nanos));
    }
}
