// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.kview.model.Filter;
import org.kview.model.ProbedFunction;
import org.kview.model.Provenance;

/**
 * How a recording began.
 *
 * @param startNanos          the host's CLOCK_MONOTONIC
 * @param realtimeOffsetNanos CLOCK_REALTIME − CLOCK_MONOTONIC on the host at that moment
 * @param filter              the one in force, never {@link Filter#AUTO}
 * @param filterNote          what it costs other processes, one sentence; may be empty
 * @param attachNanos         how long attaching took
 * @param functions           in the order of their ids
 * @param ctfMetadata         text of the trace's metadata; empty without events
 * @param calibrationNote     one sentence where the probes' cost is uncertain; otherwise empty
 * @param waitsNote           sentences where waits within probes were not told apart from the functions' own, or
 *                            may be counted as these; otherwise empty
 * @param process             what is recorded, as it was at that moment; empty where the agent does not say
 * @param binaries            the files that hold the probed functions; empty where the agent does not say
 */
public record RecordingStart(long startNanos, long realtimeOffsetNanos, Filter filter, String filterNote,
        long attachNanos, List<ProbedFunction> functions, String ctfMetadata, String calibrationNote,
        String waitsNote, Optional<ProcessInfo> process, List<Provenance.Binary> binaries) {
    public RecordingStart {
        functions = List.copyOf(functions);
        binaries = List.copyOf(binaries);
        // The host may send anything. These values are stored and read again, so they are checked here.
        if (startNanos < 0 || attachNanos < 0 || functions.stream().anyMatch(f -> f.point().sizeBytes() < 0
                || f.cost().innerNanos() < 0 || f.cost().callNanos() < 0)) {
            throw new IllegalArgumentException("a time or size is negative");
        }
        if (Math.addExact(startNanos, realtimeOffsetNanos) < 0) {
            throw new IllegalArgumentException("it began before 1970");
        }
    }

    /** The start on the host's real-time clock. */
    public Instant start() {
        return Instant.ofEpochSecond(0, startNanos + realtimeOffsetNanos);
    }
}
