/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.List;

/**
 * The figures of a session: finished, or as far as a recording has come.
 *
 * @param info      what, where, when
 * @param functions in the order of their ids
 * @param losses    what is missing
 * @param overhead  what measuring cost
 * @param problems  one sentence each for what could not be read of a damaged session; empty if whole
 */
public record LatencySnapshot(SessionInfo info, List<FunctionLatency> functions, Losses losses, Overhead overhead,
        List<String> problems) {
    public LatencySnapshot {
        functions = List.copyOf(functions);
        problems = List.copyOf(problems);
    }
}
