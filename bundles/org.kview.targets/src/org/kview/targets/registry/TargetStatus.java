// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.registry;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.kview.targets.values.HostInfo;

/**
 * The present status of a target.
 *
 * @param state      of its connection
 * @param sentence   for the user: why the connection failed or was lost; otherwise empty
 * @param host       what its agent said when it was last connected; empty before the first time
 * @param roundTrip  the latest time from here to the agent and back; empty where not known or not connected
 * @param recordings names of the sessions that are being recorded on it now
 */
public record TargetStatus(State state, String sentence, Optional<HostInfo> host, Optional<Duration> roundTrip,
        List<String> recordings) {

    /** The state of a connection. */
    public enum State {
        /** Nobody has asked for a connection, or it was ended on request. */
        IDLE,
        CONNECTING,
        CONNECTED,
        /** The agent does not answer any more. */
        LOST,
        /** The link was lost, and is being taken up again without the user. */
        RECONNECTING,
        /** Connecting failed. */
        FAILED;

        /** Whether requests are answered, or soon will be. */
        public boolean isUp() {
            return this == CONNECTED;
        }

        /** Whether there is a connection, or an attempt, that {@link TargetConnection#disconnect} would end. */
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
