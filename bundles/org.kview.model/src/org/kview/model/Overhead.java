/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.model;

/**
 * What measuring cost the traced process.
 *
 * @param perCallNanos what a probed call costs more than without probes, the mean over the recorded
 *                     calls; 0 if not known
 * @param calibrated   whether the probes' own time was measured on the host and subtracted
 */
public record Overhead(long perCallNanos, boolean calibrated) {
}
