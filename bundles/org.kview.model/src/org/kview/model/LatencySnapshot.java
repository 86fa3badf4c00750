// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The figures of a session: of a finished one, or of a recording up to now.
 *
 * @param info      what, where, when
 * @param functions in the order of their ids
 * @param losses    what is missing
 * @param overhead  what measuring cost
 * @param problems  a sentence for each part of a damaged session that could not be read; empty if it is not damaged
 * @param hosts     if several hosts were recorded together, the figures of each; all other figures here are
 *                  their sum. Otherwise empty
 * @param survey    what the survey found that chose the functions, if one did
 */
public record LatencySnapshot(SessionInfo info, List<FunctionLatency> functions, Losses losses, Overhead overhead,
        List<String> problems, List<LatencySnapshot> hosts, Optional<SurveyFindings> survey) {
    public LatencySnapshot {
        Objects.requireNonNull(survey);
        functions = List.copyOf(functions);
        problems = List.copyOf(problems);
        hosts = List.copyOf(hosts);
    }

    /** The figures of one host. */
    public LatencySnapshot(SessionInfo info, List<FunctionLatency> functions, Losses losses, Overhead overhead,
            List<String> problems) {
        this(info, functions, losses, overhead, problems, List.of());
    }

    /** Without a survey. */
    public LatencySnapshot(SessionInfo info, List<FunctionLatency> functions, Losses losses, Overhead overhead,
            List<String> problems, List<LatencySnapshot> hosts) {
        this(info, functions, losses, overhead, problems, hosts, Optional.empty());
    }

    /** The figures of a function, or of what stands for those of its calls that have a value; empty if there is no such one here. */
    public Optional<FunctionLatency> of(ProbedFunction wanted) {
        return functions.stream().flatMap(f -> Stream.concat(Stream.of(f), wanted.isOfValue() ? f.byValue().stream() : Stream.of()))
                .filter(f -> f.function().isLike(wanted)).findFirst();
    }

    /** The function itself, or that whose calls have the value. */
    public Optional<FunctionLatency> whole(ProbedFunction wanted) {
        return functions.stream().filter(f -> f.function().isLike(wanted)
                || wanted.isOfValue() && f.function().isWholeOf(wanted)).findFirst();
    }

    /** The same with one more problem. */
    public LatencySnapshot withProblem(String problem) {
        return new LatencySnapshot(info, functions, losses, overhead,
                Stream.concat(problems.stream(), Stream.of(problem)).toList(), hosts, survey);
    }

    /** The same with what the survey found that chose the functions. */
    public LatencySnapshot withSurvey(Optional<SurveyFindings> findings) {
        return new LatencySnapshot(info, functions, losses, overhead, problems, hosts, findings);
    }
}
