// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Comparator;
import java.util.Optional;

/**
 * Where a function's time went, in a sentence that a person can act on.
 *
 * @param metric the largest part: {@link Metric#ON_CPU} or a cause
 * @param share  of the wall-clock time, 0 to 1
 * @param text   for people
 */
public record Verdict(Metric metric, double share, String text) {
    /** If more than this share of what was measured was the probes' own time, the rest says little. */
    private static final double MOST_REMOVED = 0.8;
    private static final double MOST_UNCERTAIN = 0.25;
    private static final String TOO_SHORT = "too short for its probes: ";

    /**
     * The verdict on what was measured. It is {@link Metric#OTHER} with share 0 if nothing was measured, if the probes
     * themselves leave too little to judge, if not all metrics are measured, if it counts hits, if the figures contradict each other, or
     * if more than 5 % of the calls were timed only until they went on to another function.
     */
    public static Verdict of(FunctionLatency latency) {
        if (latency.function().countsHits()) {
            return none(ofHits(latency));
        }
        if (latency.wall().isEmpty()) {
            return none(latency.calls() > 0 ? "no call has returned"
                    : latency.knownFates().unmatched() > 0 ? "no call matched its condition" : "never called");
        }
        if (latency.wall().totalNanos() == 0) {
            return none(TOO_SHORT + "nothing remains of its time");
        }
        Optional<String> impossible = Impossible.mark(latency);
        if (impossible.isPresent()) {
            return none("cannot be true: " + impossible.get());
        }
        Optional<String> cut = CutCalls.decisive(latency);
        if (cut.isPresent()) {
            return none("not known: its time after it goes on to " + cut.get() + " isn't measured");
        }
        if (!latency.function().measuresAll()) {
            return none("not known: where its time goes is not measured");
        }
        CallFates fates = latency.knownFates();
        double wall = latency.wall().totalNanos();
        double removed = fates.cost().removedNanos() / (wall + fates.cost().removedNanos());
        if (removed > MOST_REMOVED) {
            return none(TOO_SHORT + LatencyFormat.percent(removed) + " of what was measured was theirs");
        }
        double uncertain = fates.cost().uncertainNanos() / wall;
        if (uncertain > MOST_UNCERTAIN) {
            return none(TOO_SHORT + (uncertain >= 1 ? "its time is not known" : "its time is known to ± "
                    + LatencyFormat.percent(uncertain)));
        }
        Verdict verdict = judged(latency);
        double next = runnerUp(latency, verdict);
        return fates.cost().uncertainNanos() > 0 && verdict.share - next < uncertain
                ? none(TOO_SHORT + "which part is the largest is within their error of ± " + LatencyFormat.percent(uncertain))
                : verdict;
    }

    /** Whether the text mentions this part: "competes for a CPU" means both waits for a CPU together. */
    public boolean tells(Metric part) {
        return part == metric || isContention(part) && isContention(metric);
    }

    /** Nothing is to be judged: how often, and what lies between. */
    private static String ofHits(FunctionLatency latency) {
        Distribution between = latency.between();
        return latency.calls() == 0 ? "never hit"
                : between.isEmpty() || !between.hasBuckets() ? "hits: a tracepoint takes no time"
                : "time between a thread's hits: p50 " + LatencyFormat.nanos(between.percentileNanos(50)) + ", p99 "
                        + LatencyFormat.nanos(between.percentileNanos(99));
    }

    private static Verdict none(String text) {
        return new Verdict(Metric.OTHER, 0, text);
    }

    private static Verdict judged(FunctionLatency latency) {
        Metric largest = Metric.OF_CALLS.stream().filter(m -> m != Metric.WALL)
                .max(Comparator.comparingDouble(latency::share)).orElseThrow();
        double contention = latency.share(Metric.RUN_QUEUE) + latency.share(Metric.PREEMPTED);
        if (contention > latency.share(largest) || isContention(largest)) {
            Metric main = latency.share(Metric.PREEMPTED) >= latency.share(Metric.RUN_QUEUE)
                    ? Metric.PREEMPTED : Metric.RUN_QUEUE;
            return new Verdict(main, contention,
                    "competes for a CPU: " + LatencyFormat.percent(contention) + " of its time");
        }
        double share = latency.share(largest);
        Waits waits = latency.knownFates().waits();
        long nanos = latency.distribution(largest).totalNanos();
        String percent = LatencyFormat.percent(share);
        String sentence = largest == Metric.NETWORK ? network(waits.polled(nanos), percent) : sentence(largest, percent);
        return new Verdict(largest, share, sentence + waits.inVerdict(largest, nanos));
    }

    private static boolean isContention(Metric metric) {
        return metric == Metric.RUN_QUEUE || metric == Metric.PREEMPTED;
    }

    /** The share of the second largest part, which the verdict would name next. */
    private static double runnerUp(FunctionLatency latency, Verdict verdict) {
        double others = Metric.OF_CALLS.stream().filter(m -> m != Metric.WALL && m != verdict.metric)
                .filter(m -> !isContention(m)).mapToDouble(latency::share).max().orElse(0);
        return isContention(verdict.metric) ? others
                : Math.max(others, latency.share(Metric.RUN_QUEUE) + latency.share(Metric.PREEMPTED));
    }

    private static String network(Waits.Polled polled, String share) {
        return switch (polled) {
            case FEW -> sentence(Metric.NETWORK, share);
            case MOST -> "waits, mostly for any of its descriptors: " + share + " of its time";
            case NEARLY_ALL -> "waits for any of its descriptors: " + share + " of its time";
        };
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
            case THROTTLED -> "out of CPU quota: " + share + " of its time";
            case STOPPED -> "was stopped or frozen: " + share + " of its time";
            default -> "waits, " + share + " of its time, for something the kernel does not name";
        };
    }
}
