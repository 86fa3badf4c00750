// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import java.util.List;

/**
 * What was counted between two instants of a recording. Intervals follow each other without gaps.
 *
 * @param beginNanos the traced host's CLOCK_MONOTONIC
 * @param endNanos   likewise
 * @param functions  only those whose figures changed
 * @param losses     since the recording's start
 * @param share      what the probes took of the process's time, since the recording's start
 * @param last       whether nothing follows
 */
public record LatencyInterval(long beginNanos, long endNanos, List<FunctionInterval> functions, Losses losses,
        ProcessShare share, boolean last) {

    /**
     * The same interval, with one addition: for probes that were removed, how long after the recording's start that
     * was.
     */
    public LatencyInterval timedFrom(long startNanos) {
        return new LatencyInterval(beginNanos, endNanos, functions.stream().map(f -> new FunctionInterval(f.functionId(),
                f.calls(), f.abandoned(), f.unfinished(), f.fates().map(fates -> fates.timedFrom(startNanos)), f.added(), f.values(), f.quantities()))
                .toList(), losses, share, last);
    }

    public LatencyInterval {
        functions = List.copyOf(functions);
        if (beginNanos < 0 || endNanos < beginNanos) {
            throw new IllegalArgumentException("An interval ends after its beginning: " + beginNanos + ", " + endNanos);
        }
    }
}
