// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import org.kview.model.Distribution;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.session.CallCounts;

/** Is told what the intervals of a recording counted. */
@FunctionalInterface
public interface IntervalVisitor {
    /**
     * One metric of one function in one interval. A metric that did not occur in an interval is not reported, so an
     * interval without calls is not reported at all.
     *
     * @param functionId which, as {@link org.kview.model.ProbedFunction#id()}
     * @param metric     of it
     * @param endNanos   of the interval, since the recording's start. There is no begin, because logs of older versions
     *                   give a wrong one: the end of the previous interval that had calls
     * @param buckets    calls by bucket; with count and total if the session holds them by interval, else both are
     *                   0; the maximum is not known
     */
    void interval(int functionId, Metric metric, long endNanos, Distribution buckets);

    /**
     * What had become of one function's calls at the end of an interval in which that changed; not told by sessions of
     * older versions.
     *
     * @param endNanos since the recording's start
     */
    default void calls(int functionId, long endNanos, CallCounts calls) {
        // Most visitors do not need it.
    }

    /**
     * What the recording had lost at the end of an interval in which that changed, since its start; not told by sessions
     * of older versions.
     *
     * @param endNanos since the recording's start
     */
    default void losses(long endNanos, Losses losses) {
        // Most visitors do not need it.
    }
}
