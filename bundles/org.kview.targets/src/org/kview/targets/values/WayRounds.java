// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.util.List;
import java.util.stream.Stream;

/**
 * What one trial of a way to record found, on two processes of the agent's own.
 *
 * @param missing       why the way can't be had there, as a sentence; otherwise empty
 * @param traced        rounds of the process that was recorded, by operation; the first one is what was recorded
 * @param others        rounds of the one that was not, likewise
 * @param attachedNanos how long all processes of the host passed it; 0: none did
 * @param callsMade     in rounds of the recorded process
 * @param callsSeen     those of it that were recorded
 * @param told          calls of all processes that were told to the agent, where it filters
 * @param notTold       likewise, for which there was no room
 */
public record WayRounds(String missing, List<OthersRounds.Operation> traced, List<OthersRounds.Operation> others, long attachedNanos,
        long callsMade, long callsSeen, long told, long notTold) {
    /** More than an agent tells. All pairs of rounds are compared, of some trials together: of more of them, that takes all memory. */
    private static final int MOST_OPERATIONS = 8;
    private static final int MOST_ROUNDS = 64;

    public WayRounds {
        traced = List.copyOf(traced);
        others = List.copyOf(others);
        if (traced.size() > MOST_OPERATIONS || others.size() > MOST_OPERATIONS || Stream.of(traced, others).flatMap(List::stream)
                .flatMap(one -> Stream.of(one.before(), one.during(), one.after())).anyMatch(rounds -> rounds.size() > MOST_ROUNDS)) {
            throw new IllegalArgumentException("operations or rounds are too many");
        }
        if (attachedNanos < 0 || callsMade < 0 || callsSeen < 0 || told < 0 || notTold < 0) {
            throw new IllegalArgumentException("a count is negative");
        }
        if (traced.size() != others.size() || traced.isEmpty() == missing.isEmpty()) {
            throw new IllegalArgumentException("both processes do the same operations, or none where a way is missing");
        }
    }
}
