// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

/**
 * From when to when a host was looked at.
 *
 * @param beginNanos          on the host's monotonic clock, as is the end
 * @param realtimeOffsetNanos what the host's real-time clock was ahead of that
 */
public record Stretch(long beginNanos, long endNanos, long realtimeOffsetNanos) {
    public long nanos() {
        return endNanos - beginNanos;
    }
}
