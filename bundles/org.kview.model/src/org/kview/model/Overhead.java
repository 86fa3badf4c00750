// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.Optional;

/**
 * What measuring cost the traced process and its host.
 *
 * @param perCallNanos how much longer a probed call takes than without probes, the mean over the recorded
 *                     calls; 0 if not known
 * @param calibrated   whether the probes' own time was measured on the host and subtracted, and is certain
 * @param agent        what the agent used; empty while recording, and where it could not say
 * @param process      how much of the process's CPU time the probes took
 * @param budget       how much they were allowed to take; empty where that is not known
 * @param note         one sentence if it was measured but is uncertain; otherwise empty
 * @param waitsNote    sentences if waits within probes were not told apart, or may be the functions' own; or empty
 * @param others       what it cost processes that were not recorded; empty where nobody asked, and for several hosts together
 */
public record Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent, String note,
        ProcessShare process, Optional<Budget> budget, String waitsNote, Optional<CostToOthers> others) {

    /** Without what it cost others. */
    public Overhead(long perCallNanos, boolean calibrated, Optional<AgentCost> agent, String note, ProcessShare process,
            Optional<Budget> budget, String waitsNote) {
        this(perCallNanos, calibrated, agent, note, process, budget, waitsNote, Optional.empty());
    }
}
