// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import java.time.Duration;
import java.util.Optional;
import org.kview.targets.values.TargetException;

/**
 * How a link to an agent is watched.
 *
 * @param keepAlive how often the agent is asked whether it is there; the exchange measures the round trip
 *                  and the clocks, too
 * @param lostAfter after so long without a sign the link is lost, for both sides; empty: only its end counts
 * @param reopen    how a recording is taken up again; empty where what ends the link ends the agent
 */
public record LinkOptions(Duration keepAlive, Optional<Duration> lostAfter, Optional<Reopen> reopen) {
    /** A lost link is to be seen within 10 s. */
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
         * @throws TargetException if the host is not reached, or does not let this user in without a question
         *                         that nobody answers
         */
        AgentTransport open() throws TargetException, InterruptedException;
    }

    /** A child process of this one: its end is the link's. */
    public static LinkOptions local() {
        return new LinkOptions(KEEP_ALIVE, Optional.empty(), Optional.empty());
    }
}
