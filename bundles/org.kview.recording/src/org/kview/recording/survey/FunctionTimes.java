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
 * @param conditionNanos of the time for locks: in waits for a condition or a semaphore, until another thread has something to do for it
 * @param isAlwaysThere whether it was on the stacks of its threads all the time: it may never have returned
 */
public record FunctionTimes(Survey.Function function, Map<Metric, Long> nanos, Map<Metric, Long> selfNanos,
        long conditionNanos, boolean isAlwaysThere) {
    /** What a thread that has nothing to do waits for as well. */
    private static final Set<Metric> MAYBE_IDLE = Set.of(Metric.SLEEP, Metric.NETWORK);
    private static final Set<Metric> COMPUTING = Set.of(Metric.ON_CPU, Metric.PREEMPTED, Metric.RUN_QUEUE, Metric.STEAL,
            Metric.THROTTLED);

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
        return nanos.entrySet().stream().filter(e -> !MAYBE_IDLE.contains(e.getKey())).mapToLong(Map.Entry::getValue).sum()
                - conditionNanos;
    }

    /** Whether most of it is waits for a condition or a semaphore, as those of a pool's threads for work. */
    public boolean isForCondition() {
        return conditionNanos > 0 && 2 * conditionNanos >= wallNanos();
    }

    /** Whether it mostly ran, or could have: a function that does so may be called very often, one that waits hardly. */
    public boolean isComputing() {
        return 2 * COMPUTING.stream().mapToLong(metric -> nanos.getOrDefault(metric, 0L)).sum() > wallNanos();
    }

    private static long sum(Map<Metric, Long> nanos) {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }
}
