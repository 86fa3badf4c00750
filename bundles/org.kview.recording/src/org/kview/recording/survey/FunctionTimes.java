// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.Map;
import java.util.Set;

import org.kview.model.Metric;
import org.kview.targets.values.Survey;

/**
 * The time during which a function was on the stacks of threads, with all that it called.
 *
 * @param function      which one
 * @param nanos         by {@link Metric#ON_CPU} and the causes; only those that occurred
 * @param selfNanos     of these: in itself, not in what it called
 * @param threadsNanos  the time of the threads that it was seen in, without what belongs to no known stack, if that is the less of it
 */
public record FunctionTimes(Survey.Function function, Map<Metric, Long> nanos, Map<Metric, Long> selfNanos,
        long threadsNanos) {
    /** What a thread that has nothing to do waits for as well. */
    private static final Set<Metric> MAYBE_IDLE = Set.of(Metric.SLEEP, Metric.NETWORK);
    private static final Set<Metric> COMPUTING = Set.of(Metric.ON_CPU, Metric.PREEMPTED, Metric.RUN_QUEUE, Metric.STEAL,
            Metric.THROTTLED);
    /** Nearly: a stack that was cut off lacks some of its functions. */
    private static final double ALL = 0.995;

    public FunctionTimes {
        nanos = Map.copyOf(nanos);
        selfNanos = Map.copyOf(selfNanos);
    }

    public long wallNanos() {
        return sum(nanos);
    }

    public long selfWallNanos() {
        return sum(selfNanos);
    }

    public long onCpuNanos() {
        return nanos.getOrDefault(Metric.ON_CPU, 0L);
    }

    /** Without waits for time or for others, during which it may have had nothing to do. */
    public long busyNanos() {
        return nanos.entrySet().stream().filter(e -> !MAYBE_IDLE.contains(e.getKey())).mapToLong(Map.Entry::getValue).sum();
    }

    /** Whether it mostly ran, or could have: a function that does so may be called very often, one that waits hardly. */
    public boolean isComputing() {
        return 2 * COMPUTING.stream().mapToLong(metric -> nanos.getOrDefault(metric, 0L)).sum() > wallNanos();
    }

    /** Whether it was on the stacks of its threads all the time: it may never have returned. */
    public boolean isAlwaysThere() {
        return wallNanos() >= ALL * threadsNanos;
    }

    private static long sum(Map<Metric, Long> nanos) {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }
}
