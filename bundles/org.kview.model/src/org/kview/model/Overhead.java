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
 * @param calibrated   whether the probes' own time was measured on the host and subtracted, and that is sure
 * @param agent        what the agent took; empty while recording and where it could not say
 * @param process      what the probes took of the process's CPU time
 * @param budget       what they were allowed to; empty where nobody said
 * @param note         one sentence where it was measured and is not sure; else empty
 * @param waitsNote    sentences where waits within probes were not told apart, or may be the functions' own; else empty
 */
public record Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent, String note,
        ProcessShare process, Optional<Budget> budget, String waitsNote) {
    /** Where nothing is in doubt about waits within probes. */
    public Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent, String note, ProcessShare process,
            Optional<Budget> budget) {
        this(perCallNanos, calibrated, agent, note, process, budget, "");
    }

    public Overhead(long perCallNanos, boolean calibrated) {
        this(perCallNanos, calibrated, Optional.empty());
    }

    public Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent) {
        this(perCallNanos, calibrated, agent, "");
    }

    public Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent, String note) {
        this(perCallNanos, calibrated, agent, note, ProcessShare.UNKNOWN, Optional.empty());
    }
}
