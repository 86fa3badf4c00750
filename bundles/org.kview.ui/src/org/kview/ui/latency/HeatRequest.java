// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;

import org.kview.chart.Area;
import org.kview.chart.LogAxis;
import org.kview.model.Bookmark.Range;
import org.kview.session.calls.CallSelector;

/**
 * What is to be drawn.
 *
 * @param calls      those that are counted, of all time and latency
 * @param brush      those of them that are selected; empty if no time or latency is
 * @param startNanos the recording's start, in ns since 1970
 * @param shown      the time to show; empty for all
 * @param wall       the latencies to show; empty for all that occur then
 * @param plot       where, in pixels
 * @param dark       whether the ground is
 */
record HeatRequest(CallSelector calls, Optional<CallSelector> brush, long startNanos, Optional<Range> shown, Optional<LogAxis> wall,
        Area plot, boolean dark) {
}
