// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Duration;
import java.util.Optional;

import org.kview.targets.values.TargetException;

/**
 * How a link to an agent is watched.
 *
 * @param keepAlive how often the agent is asked whether it is there; this measures the round trip and the
 *                  difference of the clocks, too
 * @param lostAfter after so much silence both sides take the link for lost; empty: silence means nothing, and the link is
 *                  lost only when the transport ends
 * @param reopen    how a recording is taken up again; empty where the agent ends with its transport
 */
public record LinkOptions(Duration keepAlive, Optional<Duration> lostAfter, Optional<Reopen> reopen) {
    /** Short enough that a lost link is noticed within 10 s. */
    public static final Duration KEEP_ALIVE = Duration.ofSeconds(2);
    public static final Duration LOST_AFTER = Duration.ofSeconds(8);

    public LinkOptions {
        if (!keepAlive.isPositive() || lostAfter.filter(l -> l.compareTo(keepAlive) <= 0).isPresent()) {
            throw new IllegalArgumentException("A link that is lost before it is asked: " + keepAlive + ", " + lostAfter);
        }
    }

    /** Starts another agent in the same way and on the same host as the first one. */
    @FunctionalInterface
    public interface Reopen {

        /**
         * Blocks for seconds at most.
         *
         * @throws TargetException if the host is not reached, or asks this user a question, which nobody
         *                         answers here
         */
        AgentTransport open() throws TargetException, InterruptedException;
    }

    /** For an agent that is a child process: the link ends when the process does. */
    public static LinkOptions local() {
        return new LinkOptions(KEEP_ALIVE, Optional.empty(), Optional.empty());
    }
}
