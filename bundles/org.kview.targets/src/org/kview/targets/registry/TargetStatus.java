// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.registry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.kview.targets.values.HostInfo;

/**
 * How a target stands.
 *
 * @param state      of its connection
 * @param sentence   for the user: why it failed or was lost; else empty
 * @param host       what its agent said when it was last connected; empty before the first time
 * @param roundTrip  from here to the agent and back, the latest; empty where it is not known, or not connected
 * @param recordings that run on it now, by the names of their sessions
 */
public record TargetStatus(State state, String sentence, Optional<HostInfo> host, Optional<Duration> roundTrip,
        List<String> recordings) {

    /** Of a connection. */
    public enum State {
        /** Nobody has asked for it, or it was ended as asked for. */
        IDLE,
        CONNECTING,
        CONNECTED,
        /** The link does not answer any more. */
        LOST,
        /** It was lost, and is being taken up again by itself. */
        RECONNECTING,
        /** It did not come about. */
        FAILED;

        /** Whether requests are answered, or soon will be. */
        public boolean isUp() {
            return this == CONNECTED;
        }

        /** Whether something goes on that {@link TargetConnection#disconnect} would end. */
        public boolean isAlive() {
            return this == CONNECTING || this == CONNECTED || this == RECONNECTING;
        }
    }

    static final TargetStatus NEW = new TargetStatus(State.IDLE, "", Optional.empty(), Optional.empty(), List.of());

    public TargetStatus {
        Objects.requireNonNull(state);
        Objects.requireNonNull(sentence);
        recordings = List.copyOf(recordings);
    }
}
