// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.kview.model.Metric;

/**
 * What a thread did in a stretch of time, as people see it; texts are {@link org.kview.model.SafeText}, times are ns since 1970.
 *
 * @param target the host that it ran on, as the user named it
 * @param thread its last name; empty if that is not known
 * @param states those that are told one by one, in the order of time
 * @param slots  what the others sum up to, likewise
 */
public record StoredThread(String target, long tid, String thread, List<State> states, List<Slot> slots) {
    public StoredThread {
        states = List.copyOf(states);
        slots = List.copyOf(slots);
    }

    /**
     * It is in a state.
     *
     * @param state    {@link Metric#ON_CPU} or a cause
     * @param cpu      where it runs; empty if it does not
     * @param wakerTid of who ended it; empty if nobody did, or it is not known
     * @param waker    likewise "name/tid"
     */
    public record State(long beginNanos, long endNanos, Metric state, OptionalInt cpu, OptionalLong wakerTid, Optional<String> waker) {
    }

    /**
     * A slot of time has several shorter states in it.
     *
     * @param nanos how long each took within it
     */
    public record Slot(long beginNanos, long endNanos, Map<Metric, Long> nanos) {
        public Slot {
            nanos = Map.copyOf(nanos);
        }
    }
}
