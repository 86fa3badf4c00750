/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

/**
 * How far a host's real-time clock is ahead of the workbench's, as measured: the true offset lies
 * within the uncertainty of it, provided that both clocks ran evenly meanwhile.
 *
 * @param offsetNanos      the host's clock less the workbench's; negative where the host is behind
 * @param uncertaintyNanos half of the fastest exchange's time, plus what clocks may have drifted since
 */
public record ClockOffset(long offsetNanos, long uncertaintyNanos) {
    public ClockOffset {
        if (uncertaintyNanos < 0) {
            throw new IllegalArgumentException("An uncertainty is not negative: " + uncertaintyNanos);
        }
    }
}
