/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.List;
import java.util.stream.Stream;

/**
 * The figures of a session: finished, or as far as a recording has come.
 *
 * @param info      what, where, when
 * @param functions in the order of their ids
 * @param losses    what is missing
 * @param overhead  what measuring cost
 * @param problems  one sentence each for what could not be read of a damaged session; empty if whole
 * @param hosts     where several hosts were recorded together, the figures of each, of which all
 *                  others here are the sum; else empty
 */
public record LatencySnapshot(SessionInfo info, List<FunctionLatency> functions, Losses losses, Overhead overhead,
        List<String> problems, List<LatencySnapshot> hosts) {
    public LatencySnapshot {
        functions = List.copyOf(functions);
        problems = List.copyOf(problems);
        hosts = List.copyOf(hosts);
    }

    /** Of one host. */
    public LatencySnapshot(SessionInfo info, List<FunctionLatency> functions, Losses losses, Overhead overhead,
            List<String> problems) {
        this(info, functions, losses, overhead, problems, List.of());
    }

    /** The same, and one more thing that is wrong. */
    public LatencySnapshot withProblem(String problem) {
        return new LatencySnapshot(info, functions, losses, overhead,
                Stream.concat(problems.stream(), Stream.of(problem)).toList(), hosts);
    }
}
