/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.Arrays;
import java.util.Comparator;

/**
 * Where a function's time went, in a sentence that a person can act on.
 *
 * @param metric the largest part: {@link Metric#ON_CPU} or a cause
 * @param share  of the wall-clock time, 0 to 1
 * @param text   for people
 */
public record Verdict(Metric metric, double share, String text) {

    /** The verdict on what was measured; {@link Metric#OTHER} with share 0 if nothing was. */
    public static Verdict of(FunctionLatency latency) {
        if (latency.wall().isEmpty()) {
            return new Verdict(Metric.OTHER, 0, latency.calls() == 0 ? "never called" : "no call has returned");
        }
        Metric largest = Arrays.stream(Metric.values()).filter(m -> m != Metric.WALL)
                .max(Comparator.comparingDouble(latency::share)).orElseThrow();
        double contention = latency.share(Metric.RUN_QUEUE) + latency.share(Metric.PREEMPTED);
        if (contention > latency.share(largest) || largest == Metric.RUN_QUEUE || largest == Metric.PREEMPTED) {
            Metric main = latency.share(Metric.PREEMPTED) >= latency.share(Metric.RUN_QUEUE)
                    ? Metric.PREEMPTED : Metric.RUN_QUEUE;
            return new Verdict(main, contention,
                    "competes for a CPU: " + LatencyFormat.percent(contention) + " of its time");
        }
        double share = latency.share(largest);
        return new Verdict(largest, share, sentence(largest, LatencyFormat.percent(share)));
    }

    private static String sentence(Metric metric, String share) {
        return switch (metric) {
            case ON_CPU -> "computes: " + share + " of its time on a CPU";
            case BLOCK_IO -> "waits for a disk: " + share + " block I/O";
            case LOCK -> "waits for a lock: " + share + " of its time";
            case SLEEP -> "sleeps: " + share + " of its time";
            case NETWORK -> "waits for a socket or pipe: " + share + " of its time";
            case PAGE_FAULT -> "waits for memory: " + share + " in page faults";
            case STEAL -> "the hypervisor took " + share + " of its time";
            default -> "waits, " + share + " of its time, for something the kernel does not name";
        };
    }
}
