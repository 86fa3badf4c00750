// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

/**
 * How far a host's real-time clock is ahead of the workbench's, as measured. The true offset differs from it
 * by at most the uncertainty, provided that both clocks ran evenly meanwhile.
 *
 * @param offsetNanos      the host's clock minus the workbench's; negative if the host is behind
 * @param uncertaintyNanos half of the time of the fastest exchange, plus what the clocks may have drifted since
 */
public record ClockOffset(long offsetNanos, long uncertaintyNanos) {
    public ClockOffset {
        if (uncertaintyNanos < 0) {
            throw new IllegalArgumentException("An uncertainty is not negative: " + uncertaintyNanos);
        }
    }
}
