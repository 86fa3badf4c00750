// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.Optional;

import org.kview.model.Scope;

/**
 * How a recording ended.
 *
 * @param reason        why
 * @param message       one sentence where it failed or cost too much; otherwise empty
 * @param endNanos      the host's CLOCK_MONOTONIC; 0 where the connection was lost
 * @param detachNanos   how long detaching took; 0 likewise
 * @param agentCpuNanos CPU time of the agent during the recording; 0 likewise
 * @param agentPeakBytes the agent's peak resident memory; 0 likewise
 * @param calibrationNote one sentence where the probes' cost is uncertain, or has changed; otherwise empty
 * @param members       of a cgroup: the processes that came to the points, by their first time
 * @param moreMembers   there were others
 * @param others        what a process that was not recorded saw; empty where the agent does not tell it
 */
public record RecordingEnd(Reason reason, String message, long endNanos, long detachNanos, long agentCpuNanos,
        long agentPeakBytes, String calibrationNote, List<Scope.Member> members, boolean moreMembers, Optional<OthersRounds> others) {
    /** Of one process. */
    public RecordingEnd(Reason reason, String message, long endNanos, long detachNanos, long agentCpuNanos, long agentPeakBytes,
            String calibrationNote, Optional<OthersRounds> others) {
        this(reason, message, endNanos, detachNanos, agentCpuNanos, agentPeakBytes, calibrationNote, List.of(), false, others);
    }

    public RecordingEnd {
        members = List.copyOf(members);
        if (endNanos < 0 || detachNanos < 0 || agentCpuNanos < 0 || agentPeakBytes < 0) {
            throw new IllegalArgumentException("a time or size is negative");
        }
    }

    /** Why a recording ended. */
    public enum Reason {
        REQUESTED, PROCESS_ENDED,
        /** All probes were removed, because they cost the process more than was allowed. */
        OVER_BUDGET, FAILED, CONNECTION_LOST
    }

    public static RecordingEnd lost(String message) {
        return new RecordingEnd(Reason.CONNECTION_LOST, message, 0, 0, 0, 0, "", Optional.empty());
    }
}
