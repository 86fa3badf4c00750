// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.time.Instant;
import java.util.List;

/**
 * In which order the recordings of two sides were made. A host whose clock, load or caches change from recording to
 * recording makes the later side slower or faster, and that looks like a change of the program. If the sides were recorded
 * in turns, such a change shows between the recordings of one side as well, and so it counts as noise.
 */
final class RecordingOrder {
    /**
     * Take all pairs of a recording of one side and a recording of the other. The sides were recorded in turns if the same
     * side comes first in at most this share of the pairs. In A B A B A B, A comes first in two thirds of them, in A A B B A
     * B in 78 %, in A A B A B B in 89 %.
     */
    static final double MOST_FIRST = 0.8;

    private final double firstA;

    RecordingOrder(List<Comparison.Recorded> a, List<Comparison.Recorded> b) {
        double first = 0;
        for (Instant inA : starts(a)) {
            for (Instant inB : starts(b)) {
                first += inA.equals(inB) ? 0.5 : inA.isBefore(inB) ? 1 : 0;
            }
        }
        firstA = first / (a.size() * b.size());
    }

    private static List<Instant> starts(List<Comparison.Recorded> side) {
        return side.stream().map(r -> r.figures().info().start()).toList();
    }

    boolean isInTurns() {
        return firstA <= MOST_FIRST && firstA >= 1 - MOST_FIRST;
    }

    /** Whether every recording of one side was made before every recording of the other. */
    boolean isOneAfterTheOther() {
        return firstA == 1 || firstA == 0;
    }

    /** Which side was recorded earlier, on the whole. */
    boolean isAFirst() {
        return firstA > 0.5;
    }
}
