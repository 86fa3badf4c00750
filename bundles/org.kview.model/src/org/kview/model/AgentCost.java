// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.time.Duration;

/**
 * What the agent itself used on the traced host.
 *
 * @param attach       how long setting the probes took
 * @param detach       how long removing them took
 * @param cpu          CPU time of the agent during the recording
 * @param peakRssBytes its peak resident memory
 */
public record AgentCost(Duration attach, Duration detach, Duration cpu, long peakRssBytes) {
}
