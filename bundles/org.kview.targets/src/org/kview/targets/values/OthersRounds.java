// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.stream.Stream;

import org.kview.model.CostToOthers;

/**
 * How long operations took a process of the agent's own that was not recorded.
 *
 * @param operations which
 * @param cpu        on which it did them
 * @param cpuUse     what the recorded process had to do with that CPU
 * @param cpuNanos   the CPU time that it took
 * @param note       sentences where it was not measured, not to the end, or not of all that time; otherwise empty
 */
public record OthersRounds(List<Operation> operations, int cpu, CostToOthers.CpuUse cpuUse, long cpuNanos, String note) {
    /** More than an agent tells. */
    private static final int MOST_OPERATIONS = 64;

    public OthersRounds {
        operations = List.copyOf(operations);
        if (operations.size() > MOST_OPERATIONS || cpuNanos < 0) {
            throw new IllegalArgumentException("operations are too many, or took less than nothing");
        }
    }

    /**
     * One operation.
     *
     * @param name      for the user
     * @param calls     the functions that it calls, by their ids
     * @param standsFor those that it stands for, likewise
     * @param before    what it took in each round before the recording, in ns
     * @param during    likewise, while it went on
     * @param after     likewise, after it
     */
    public record Operation(String name, List<Integer> calls, List<Integer> standsFor, List<Double> before, List<Double> during,
            List<Double> after) {
        /** More than an agent tells. */
        private static final int MOST_ROUNDS = 4096;

        public Operation {
            calls = List.copyOf(calls);
            standsFor = List.copyOf(standsFor);
            before = List.copyOf(before);
            during = List.copyOf(during);
            after = List.copyOf(after);
            if (Stream.of(before, during, after).anyMatch(rounds -> rounds.size() > MOST_ROUNDS
                    || rounds.stream().anyMatch(nanos -> !(nanos >= 0) || nanos.isInfinite()))) {
                throw new IllegalArgumentException("rounds are too many, or took less than nothing");
            }
        }
    }
}
