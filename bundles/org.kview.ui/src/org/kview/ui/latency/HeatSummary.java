// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;

import org.kview.model.Distribution;

/**
 * The exact figures of a picture.
 *
 * @param shown    of all calls that returned in the time that it shows
 * @param selected of those that are selected; empty if no time or latency is
 */
record HeatSummary(Distribution shown, Optional<Distribution> selected) {
}
