// SPDX-License-Identifier: EPL-2.0
package org.kview.ssh.config;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How long is waited for a host.
 *
 * @param connect       for reaching it; empty if not configured
 * @param aliveInterval between two keep-alives; empty if not configured, zero for none
 * @param aliveCountMax how many unanswered keep-alives mean that the link is lost
 */
public record TimeLimits(Optional<Duration> connect, Optional<Duration> aliveInterval, int aliveCountMax) {

    public TimeLimits {
        Objects.requireNonNull(connect);
        Objects.requireNonNull(aliveInterval);
    }

    /** The same, but reaching the host may take no longer than this limit. */
    TimeLimits reachedWithin(Duration limit) {
        return new TimeLimits(connect.filter(t -> t.compareTo(limit) < 0).or(() -> Optional.of(limit)), aliveInterval, aliveCountMax);
    }
}
