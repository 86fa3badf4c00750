// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.time.Duration;

import org.kview.model.ComparedWays.Kind;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.WayRounds;
import org.kview.targets.wire.WireWays;

/** Asks a host what a way to record costs there. */
public final class WayTrial {
    /** It takes half a second; the agent itself gives up a process that gets no CPU for one. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private WayTrial() {
    }

    /**
     * Tries it on processes of the agent's own: half a second, for the shorter part of which all processes of the host pass it, if it
     * is of that kind. Not together with a recording.
     *
     * @throws TargetException of kind BUSY while something is recorded, UNSUPPORTED from an agent that is too old, and others
     */
    public static WayRounds of(Agent agent, Kind kind) throws TargetException, InterruptedException {
        try {
            return agent.connection.request(WireWays.request(kind), "measure what a way to record costs", PATIENCE, WireWays::rounds);
        } catch (TargetException e) {
            if (e.kind() == TargetException.Kind.BAD_REQUEST) {
                throw new TargetException(TargetException.Kind.UNSUPPORTED, "The agent there (" + agent.host().agentVersion()
                        + ") is too old to compare ways to record; install the agent that came with this workbench");
            }
            throw e;
        }
    }
}
