/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Figures of a function that cannot be true. Each call has what its probes took subtracted; where that was too
 * much or calls were mixed up, some figure contradicts another one, and none of the function's is to be trusted.
 */
public final class Impossible {
    /** What two sums may differ by before they contradict each other: as exact as times are promised to be. */
    /** What probes cost is told rather too high: only what is beyond so many times as much can't be true. */
    private static final long COST_ESTIMATE = 2;
    private static final double SHARE = 0.01;
    /** And rounding of each call, ns. */
    private static final long ROUNDING_NANOS = 2;

    private Impossible() {
    }

    /** In what way, in few words, the gravest first; empty if the figures do not contradict each other. */
    public static Optional<String> mark(FunctionLatency latency) {
        return of(latency).stream().findFirst().map(Finding::mark);
    }

    /** A sentence for each way, without a full stop; empty if the figures do not contradict each other. */
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
        if (isBeyond(latency.knownFates().costNanos() / COST_ESTIMATE, limits.mostCostNanos(), latency)) {
            found.add(new Finding("probes dearer than the recording is long", "cannot be true: its probes cost "
                    + LatencyFormat.nanos(latency.knownFates().costNanos()) + ", and its threads had "
                    + LatencyFormat.nanos(limits.mostCostNanos()) + " while the recording went on"));
        }
        if (isBeyond(limits.innerNanos(), wall, latency)) {
            found.add(new Finding("shorter than the calls within it", String.format(Locale.ROOT,
                    "cannot be true: it took %s in all, and the measured calls within it %s; too much was subtracted"
                            + " for the probes of one or too little for those of the others",
                    LatencyFormat.nanos(wall), LatencyFormat.nanos(limits.innerNanos()))));
        }
        if (latency.wall().hasBuckets() && latency.wall().percentileNanos(50) < 1) {
            found.add(new Finding("p50 of 0 ns", "cannot be true: half of its calls took less than its probes,"
                    + " so that nothing was left of them"));
        }
        return found;
    }

    /** Whether a sum is beyond what it can be; a limit of 0 is not known. */
    private static boolean isBeyond(long nanos, long limitNanos, FunctionLatency latency) {
        return limitNanos > 0 && nanos > limitNanos + limitNanos * SHARE + ROUNDING_NANOS * latency.wall().count();
    }
}
