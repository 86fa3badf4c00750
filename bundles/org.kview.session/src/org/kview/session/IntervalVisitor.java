/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import org.kview.model.Distribution;
import org.kview.model.Metric;

/** Is told what the intervals of a recording counted. */
@FunctionalInterface
public interface IntervalVisitor {
    /**
     * One metric of one function in one interval. What never occurred in an interval is not told.
     *
     * @param functionId which, as {@link org.kview.model.ProbedFunction#id()}
     * @param metric     of it
     * @param beginNanos of the interval, since the recording's start
     * @param buckets    calls by bucket; with count and total if the session holds them by interval, else both are
     *                   0; the maximum is not known
     */
    void interval(int functionId, Metric metric, long beginNanos, Distribution buckets);
}
