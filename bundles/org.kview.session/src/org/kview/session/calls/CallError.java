// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import org.kview.model.FigureError;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;

/**
 * By how much calls' time on CPUs may be wrong because of their probes, as {@link FigureError} takes it: as much in each call, but
 * growing with its time where that is above the mean.
 *
 * @param nanos in each call
 * @param share of the time of calls that take longer than the mean
 */
record CallError(double nanos, double share) {
    static final CallError NONE = new CallError(0, 0);

    static CallError of(FunctionLatency latency) {
        long onCpuNanos = latency.isMeasured(Metric.ON_CPU) ? latency.distribution(Metric.ON_CPU).totalNanos() : 0;
        double each = FigureError.perCallNanos(latency);
        return new CallError(each, onCpuNanos == 0 ? 0 : each * latency.wall().count() / onCpuNanos);
    }

    /** That of the calls of both, where it is largest. */
    CallError or(CallError other) {
        return new CallError(Math.max(nanos, other.nanos), Math.max(share, other.share));
    }

    /** That of calls which took so long on average. */
    double nanosOf(double meanNanos) {
        return Math.max(nanos, share * meanNanos);
    }
}
