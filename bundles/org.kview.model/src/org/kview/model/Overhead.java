/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

import java.util.Optional;

/**
 * What measuring cost the traced process and its host.
 *
 * @param perCallNanos what a probed call costs more than without probes, the mean over the recorded
 *                     calls; 0 if not known
 * @param calibrated   whether the probes' own time was measured on the host and subtracted
 * @param agent        what the agent took; empty while recording and where it could not say
 */
public record Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent) {
    public Overhead(long perCallNanos, boolean calibrated) {
        this(perCallNanos, calibrated, Optional.empty());
    }
}
