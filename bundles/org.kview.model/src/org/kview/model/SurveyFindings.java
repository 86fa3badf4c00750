// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What a survey of a process found: where the time of its threads went, and which functions are worth measuring. All
 * times are in ns; of times by reason, the keys are {@link Metric#ON_CPU} and the causes, only those that occurred.
 *
 * @param process        its number and command
 * @param durationNanos  how long the survey was
 * @param note           one sentence if it ended before its time; otherwise empty
 * @param cost           what it cost, and what that is compared with
 * @param stacks         how far the stacks can be relied on
 * @param nanos          all time of all threads
 * @param threads        all that were seen
 * @param functions      those with most time, the first ones first
 * @param suggested      those that are worth measuring
 * @param didNotReturn   those that have time of their own, and whose calls probes would not see
 */
public record SurveyFindings(Surveyed process, long durationNanos, String note, Cost cost, Stacks stacks,
        Map<Metric, Long> nanos, List<ThreadTime> threads, List<FunctionTime> functions, List<FunctionTime> suggested,
        List<FunctionTime> didNotReturn) {

    public SurveyFindings {
        Objects.requireNonNull(process);
        Objects.requireNonNull(note);
        Objects.requireNonNull(cost);
        Objects.requireNonNull(stacks);
        nanos = byReason(nanos);
        threads = List.copyOf(threads);
        functions = List.copyOf(functions);
        suggested = List.copyOf(suggested);
        didNotReturn = List.copyOf(didNotReturn);
    }

    /** Whom the survey was of. */
    public record Surveyed(long pid, String command) {
        public Surveyed {
            Objects.requireNonNull(command);
        }
    }

    /**
     * @param cpuPeriodNanos  for how much time on a CPU a sample stood
     * @param waitPeriodNanos waits that are shorter are in the stacks by a sample of them
     * @param processCpuNanos CPU time of the process meanwhile
     * @param costNanos       what the survey's eBPF programs took of it
     * @param agentCpuNanos   CPU time of the agent meanwhile
     */
    public record Cost(long cpuPeriodNanos, long waitPeriodNanos, long processCpuNanos, long costNanos, long agentCpuNanos) {
    }

    /**
     * @param taken             how many there were
     * @param complete          of these: those that go to the start of their thread
     * @param cut               of the others: those that were deeper than what is copied, or not in memory
     * @param lost              those that found no room on their way to the agent
     * @param pooled            those that count in a shorter stack
     * @param unfollowedThreads how many times a thread beyond the agent's limit was met
     */
    public record Stacks(long taken, long complete, long completeNanos, long cut, long lost, long lostNanos, long pooled,
            long unfollowedThreads) {
    }

    /** A thread, and where its time went. */
    public record ThreadTime(long tid, String name, Map<Metric, Long> nanos) {
        public ThreadTime {
            Objects.requireNonNull(name);
            nanos = byReason(nanos);
        }
    }

    /**
     * A function, and the time during which it was on stacks.
     *
     * @param probe       as {@code kview record --probe} takes it; empty if it can't be probed
     * @param symbol      empty if it has none
     * @param binary      the path of its file as the process sees it; empty for the kernel and for code in no file
     * @param wallNanos   with what it called
     * @param selfNanos   without
     * @param alwaysThere whether it was on all stacks of its threads
     * @param nanos       the wall-clock time by reason
     */
    public record FunctionTime(String probe, String name, String symbol, String binary, boolean kernel, long wallNanos,
            long selfNanos, boolean alwaysThere, Map<Metric, Long> nanos) {
        public FunctionTime {
            Objects.requireNonNull(probe);
            Objects.requireNonNull(name);
            Objects.requireNonNull(symbol);
            Objects.requireNonNull(binary);
            nanos = byReason(nanos);
        }

        public long onCpuNanos() {
            return nanos.getOrDefault(Metric.ON_CPU, 0L);
        }
    }

    /** The time of all threads together. */
    public long wallNanos() {
        return nanos.values().stream().mapToLong(Long::longValue).sum();
    }

    private static Map<Metric, Long> byReason(Map<Metric, Long> nanos) {
        Map<Metric, Long> copy = new EnumMap<>(Metric.class);
        copy.putAll(nanos);
        if (copy.containsKey(Metric.WALL) || copy.values().stream().anyMatch(time -> time < 0)) {
            throw new IllegalArgumentException("no times by reason: " + nanos);
        }
        copy.values().stream().reduce(0L, SurveyFindings::added);
        return Collections.unmodifiableMap(copy);
    }

    /** Beyond any time that there is a sum would become negative. */
    private static long added(long a, long b) {
        if (a > Long.MAX_VALUE - b) {
            throw new IllegalArgumentException("times that add up to more than 2^63 ns");
        }
        return a + b;
    }
}
