// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Optional;

/**
 * What a recording cost processes that were not recorded. One of the agent's own did some operations in rounds: before anything
 * was attached, during the recording, and after all was detached.
 *
 * @param operations what it did; empty where it was not measured
 * @param cpu        the CPU on which it did all of that
 * @param cpuUse     what the recorded process had to do with that CPU
 * @param cpuNanos   the CPU time that it took
 * @param note       sentences where it was not measured, not to the end, or not of all that time; otherwise empty
 */
public record CostToOthers(List<Operation> operations, int cpu, CpuUse cpuUse, long cpuNanos, String note) {
    public CostToOthers {
        operations = List.copyOf(operations);
        if (cpuNanos < 0) {
            throw new IllegalArgumentException("a CPU time is negative");
        }
    }

    /** It was asked for, and there is nothing. */
    public static CostToOthers notMeasured(String sentence) {
        return new CostToOthers(List.of(), 0, CpuUse.UNKNOWN, 0, sentence);
    }

    /** What the recorded process had to do with the CPU. */
    public enum CpuUse {
        /** It may not run there. */
        FORBIDDEN("forbidden"),
        /** It may, but did not as the recording began. */
        UNUSED("unused"),
        /** It ran there as well. */
        SHARED("shared"),
        UNKNOWN("unknown");

        private final String id;

        CpuUse(String id) {
            this.id = id;
        }

        /** The name in files; never changes. */
        public String id() {
            return id;
        }
    }

    /**
     * One operation.
     *
     * @param name      "getppid()"
     * @param calls     the recorded points that it calls, by their names
     * @param standsFor other recorded points, at which the same programs run: what they cost others is the same
     * @param more      how much longer it took during the recording than before and after; empty with too few rounds
     * @param drift     how much longer it took after the recording than before; empty likewise
     */
    public record Operation(String name, List<String> calls, List<String> standsFor, Rounds before, Rounds during, Rounds after,
            Optional<Interval> more, Optional<Interval> drift) {
        public Operation {
            calls = List.copyOf(calls);
            standsFor = List.copyOf(standsFor);
        }
    }

    /**
     * The rounds of one phase.
     *
     * @param count       how many
     * @param medianNanos what the operation took in the median one, in ns; 0 where there is none
     */
    public record Rounds(int count, double medianNanos) {
        public Rounds {
            if (count < 0 || !(medianNanos >= 0) || Double.isInfinite(medianNanos)) {
                throw new IllegalArgumentException("rounds are less than none, or took less than nothing");
            }
        }
    }

    /**
     * A difference, and the range of it that the rounds show, all in ns. How likely it is that the true one lies there, nobody knows:
     * rounds depend on each other.
     */
    public record Interval(double nanos, double lowNanos, double highNanos) {
        public Interval {
            if (!(lowNanos <= nanos && nanos <= highNanos) || Double.isInfinite(lowNanos) || Double.isInfinite(highNanos)) {
                throw new IllegalArgumentException("a difference is outside its interval");
            }
        }

        /** Whether it is told apart from nothing. */
        public boolean isToldApart() {
            return lowNanos > 0 || highNanos < 0;
        }
    }
}
