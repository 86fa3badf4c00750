// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Figures of a function that cannot be true. From each call, the time of its probes is subtracted. If that was too
 * much, or if calls were mixed up, figures contradict each other, and none of this function's can be trusted.
 */
public final class Impossible {
    /**
     * The estimate of the probes' cost is usually too high. So it counts as impossible only if it exceeds its bound by
     * this factor.
     */
    private static final long COST_ESTIMATE = 2;
    /**
     * Two sums contradict each other if they differ by more than this share, which is how exact the documentation says
     * times are.
     */
    private static final double SHARE = 0.01;
    /** Additional tolerance for the rounding of each call, in ns. */
    private static final long ROUNDING_NANOS = 2;

    private Impossible() {
    }

    /** The worst contradiction, in few words; empty if the figures do not contradict each other. */
    public static Optional<String> mark(FunctionLatency latency) {
        return of(latency).stream().findFirst().map(Finding::mark);
    }

    /** A sentence for each contradiction, without a full stop; empty if there is none. */
    public static List<String> sentences(FunctionLatency latency) {
        return of(latency).stream().map(Finding::sentence).toList();
    }

    private record Finding(String mark, String sentence) {
    }

    private static List<Finding> of(FunctionLatency latency) {
        List<Finding> found = new ArrayList<>();
        if (latency.wall().isEmpty()) {
            return found;
        }
        CallFates.Limits limits = latency.knownFates().limits();
        long wall = latency.wall().totalNanos();
        if (isBeyond(wall, limits.mostWallNanos(), latency)) {
            found.add(new Finding("more time than the recording has", "cannot be true: its calls took "
                    + LatencyFormat.nanos(wall) + " in all, and its threads had " + LatencyFormat.nanos(limits.mostWallNanos())
                    + " for them while the recording went on"));
        }
        if (isBeyond(latency.knownFates().cost().costNanos() / COST_ESTIMATE, limits.mostCostNanos(), latency)) {
            found.add(new Finding("probes dearer than the recording is long", "cannot be true: its probes cost "
                    + LatencyFormat.nanos(latency.knownFates().cost().costNanos()) + ", and its threads had "
                    + LatencyFormat.nanos(limits.mostCostNanos()) + " while the recording went on"));
        }
        if (isBeyond(limits.innerNanos(), wall, latency)) {
            found.add(new Finding("shorter than the calls within it", String.format(Locale.ROOT,
                    "cannot be true: it took %s in all, but the measured calls within it took %s; too much was subtracted"
                            + " for the probes of one or too little for those of the others",
                    LatencyFormat.nanos(wall), LatencyFormat.nanos(limits.innerNanos()))));
        }
        if (latency.wall().hasBuckets() && latency.wall().percentileNanos(50) < 1) {
            found.add(new Finding("p50 of 0 ns", "cannot be true: half of its calls took less than its probes,"
                    + " so that nothing was left of them"));
        }
        if (latency.fates().isPresent()) {
            addContradictionsWithin(latency, found);
        }
        return found;
    }

    /** Where the agent did not say what became of each call, times may be estimates, which need not add up. */
    private static void addContradictionsWithin(FunctionLatency latency, List<Finding> found) {
        long wall = latency.wall().totalNanos();
        double parts = 0;
        for (Metric metric : Metric.OF_CALLS) {
            Distribution of = latency.distribution(metric);
            parts += metric == Metric.WALL ? 0 : of.totalNanos();
            if (of.maxNanos() > of.totalNanos() || of.maxNanos() < Math.floor(of.meanNanos())) {
                found.add(new Finding("a maximum that can't be", String.format(Locale.ROOT,
                        "cannot be true: of its calls' %s times, the longest is %s, their mean %s and their sum %s", metric.label(),
                        LatencyFormat.nanos(of.maxNanos()), LatencyFormat.nanos(of.meanNanos()), LatencyFormat.nanos(of.totalNanos()))));
            }
        }
        double most = Math.max(parts, wall);
        if (Metric.OF_CALLS.stream().allMatch(latency::isMeasured)
                && Math.abs(parts - wall) > most * SHARE + (double) ROUNDING_NANOS * latency.wall().count()) {
            found.add(new Finding("parts that don't add up", "cannot be true: its calls took " + LatencyFormat.nanos(wall)
                    + " in all, but their time on a CPU and off it is " + LatencyFormat.nanos(parts)));
        }
    }

    /** Whether a sum exceeds its limit; a limit of 0 is not known. */
    private static boolean isBeyond(long nanos, long limitNanos, FunctionLatency latency) {
        return limitNanos > 0 && nanos > limitNanos + limitNanos * SHARE + ROUNDING_NANOS * latency.wall().count();
    }
}
