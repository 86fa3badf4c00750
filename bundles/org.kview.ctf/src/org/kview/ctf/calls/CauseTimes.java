// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf.calls;

import java.util.List;
import java.util.stream.Collectors;

import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.model.Metric;

/** The causes of a call: each at most once, and only those that this version knows. */
final class CauseTimes {
    private CauseTimes() {
    }

    static boolean isKnown(CauseTime time) {
        return time.cause().metric().isPresent();
    }

    /** Of one that is known. */
    static Metric metric(CauseTime time) {
        return time.cause().metric().orElseThrow();
    }

    /** A call's times, by the ordinals of their metrics. */
    static long[] byMetric(Call call) {
        long[] nanos = new long[Nesting.METRICS];
        nanos[Metric.WALL.ordinal()] = call.wallNanos();
        nanos[Metric.ON_CPU.ordinal()] = call.onCpuNanos();
        for (CauseTime time : call.causes()) {
            nanos[metric(time).ordinal()] = time.nanos();
        }
        return nanos;
    }

    static List<CauseTime> merged(List<CauseTime> causes) {
        List<CauseTime> known = causes.stream().filter(CauseTimes::isKnown).toList();
        if (known.stream().map(CauseTime::cause).distinct().count() == known.size()) {
            return known;
        }
        return known.stream().collect(Collectors.groupingBy(CauseTime::cause, Collectors.summingLong(CauseTime::nanos)))
                .entrySet().stream().map(sum -> new CauseTime(new Cause(sum.getKey().label()), sum.getValue())).toList();
    }

    static long unknownNanos(List<CauseTime> causes) {
        return causes.stream().filter(time -> !isKnown(time)).mapToLong(CauseTime::nanos).sum();
    }
}
