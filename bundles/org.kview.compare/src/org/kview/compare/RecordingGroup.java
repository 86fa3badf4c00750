// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.MergedHosts;
import org.kview.model.ProbedFunction;
import org.kview.statistics.FunctionSlices;

/**
 * The recordings of one side, of the same program. Two functions are the same if their name, their symbol and the file name
 * of their binary are, as for several hosts.
 */
final class RecordingGroup {
    private final List<ComparedSession> recordings;
    private final LatencySnapshot sum;
    /** The functions of each recording, by name: a program has thousands of them. */
    private final List<Map<String, List<FunctionLatency>>> byName;

    RecordingGroup(List<ComparedSession> recordings) {
        this.recordings = List.copyOf(recordings);
        sum = MergedHosts.of(recordings.stream().map(ComparedSession::figures).toList());
        byName = recordings.stream().map(r -> r.figures().functions().stream().flatMap(f -> Stream.concat(Stream.of(f), f.byValue().stream()))
                .collect(Collectors.groupingBy(own -> own.function().name()))).toList();
    }

    int size() {
        return recordings.size();
    }

    /** The figures of all recordings together. */
    LatencySnapshot sum() {
        return sum;
    }

    /**
     * A function in one recording.
     *
     * @param latency what it measured
     * @param slices  the same by time, if they are known
     * @param seconds that were recorded
     */
    record Part(FunctionLatency latency, Optional<FunctionSlices> slices, double seconds) {
    }

    /**
     * One function of {@link #sum} in those recordings that have it, by their place, and all its calls: not where a value has no figures of its
     * own, or those of some hosts alone. Static functions that share a name are added up.
     */
    List<Optional<Part>> parts(ProbedFunction function) {
        List<Optional<Part>> parts = new ArrayList<>();
        for (int i = 0; i < recordings.size(); i++) {
            ComparedSession recording = recordings.get(i);
            List<FunctionLatency> same = byName.get(i).getOrDefault(function.name(), List.of()).stream()
                    .filter(f -> !f.atLeast() && MergedHosts.isSame(f.function(), function)).toList();
            parts.add(same.isEmpty() ? Optional.empty()
                    : Optional.of(new Part(MergedHosts.sum(same), slices(recording, same), recording.seconds())));
        }
        return parts;
    }

    /** @param same as the recording has them: its slices go by their ids */
    private static Optional<FunctionSlices> slices(ComparedSession recording, List<FunctionLatency> same) {
        List<Optional<FunctionSlices>> own = same.stream()
                .map(f -> Optional.ofNullable(recording.slices().get(f.function().id()))).toList();
        return own.stream().allMatch(Optional::isPresent)
                ? own.stream().map(Optional::get).reduce(FunctionSlices::plus) : Optional.empty();
    }
}
