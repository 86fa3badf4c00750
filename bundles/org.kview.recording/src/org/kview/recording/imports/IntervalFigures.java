// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.kview.model.Distribution;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyInterval;
import org.kview.model.Losses;
import org.kview.model.Metric;
import org.kview.model.ProcessShare;
import org.kview.session.SessionException;
import org.kview.session.write.SessionWriter;

/** Counts calls, and hands them to a session interval by interval, as an agent would. */
final class IntervalFigures {
    private static final long INTERVAL_NANOS = 500_000_000;
    /** A call of longer, or a sum of more, was made up: 104 days, 146 years. */
    private static final long MOST_NANOS = 1L << 53;
    private static final long MOST_SUM = 1L << 62;

    private final SessionWriter session;
    private final List<FunctionSum> functions = new ArrayList<>();
    private final Map<Integer, Map<Metric, Distribution.Builder>> changed = new TreeMap<>();
    private long beginNanos;
    private long nowNanos;
    private long impossible;

    private static final class FunctionSum {
        private final long[] sums = new long[Metric.values().length];
        private long calls;
        private long ended;
    }

    IntervalFigures(SessionWriter session, int functionCount, long beginNanos) {
        this.session = session;
        this.beginNanos = beginNanos;
        nowNanos = beginNanos;
        for (int i = 0; i < functionCount; i++) {
            functions.add(new FunctionSum());
        }
    }

    /** Time has gone on. */
    void at(long nanos) throws SessionException {
        nowNanos = Math.max(nowNanos, nanos);
        if (nowNanos - beginNanos >= INTERVAL_NANOS) {
            flush(false);
        }
    }

    void began(int function) {
        functions.get(function).calls++;
        changed.computeIfAbsent(function, _ -> new EnumMap<>(Metric.class));
    }

    /**
     * A call ended.
     *
     * @param nanos  its times, by the ordinal of their metric
     * @param always what has a value for each call; causes have one where they occurred
     * @return whether it can be
     */
    boolean ended(int function, long[] nanos, Metric... always) {
        FunctionSum sum = functions.get(function);
        for (int i = 0; i < nanos.length; i++) {
            if (nanos[i] < 0 || nanos[i] > MOST_NANOS || sum.sums[i] > MOST_SUM - nanos[i]) {
                impossible++;
                return false;
            }
        }
        sum.ended++;
        Map<Metric, Distribution.Builder> metrics = changed.computeIfAbsent(function, _ -> new EnumMap<>(Metric.class));
        for (Metric metric : always) {
            add(metrics, metric, nanos[metric.ordinal()]);
        }
        for (Metric cause : Metric.CAUSES) {
            if (nanos[cause.ordinal()] > 0) {
                add(metrics, cause, nanos[cause.ordinal()]);
            }
        }
        for (int i = 0; i < nanos.length; i++) {
            sum.sums[i] += nanos[i];
        }
        return true;
    }

    private static void add(Map<Metric, Distribution.Builder> metrics, Metric metric, long nanos) {
        metrics.computeIfAbsent(metric, _ -> new Distribution.Builder()).add(nanos);
    }

    /** Calls whose times can't be: they are counted, and have none. */
    long impossible() {
        return impossible;
    }

    void end() throws SessionException {
        for (int i = 0; i < functions.size(); i++) {
            if (functions.get(i).calls > 0) {
                changed.computeIfAbsent(i, _ -> new EnumMap<>(Metric.class));
            }
        }
        flush(true);
    }

    private void flush(boolean last) throws SessionException {
        List<FunctionInterval> parts = new ArrayList<>();
        changed.forEach((function, metrics) -> {
            Map<Metric, Distribution> added = new EnumMap<>(Metric.class);
            metrics.forEach((metric, builder) -> added.put(metric, builder.build()));
            FunctionSum sum = functions.get(function);
            // Of a call that ended, the begin may be missing in the trace.
            long calls = Math.max(sum.calls, sum.ended);
            // Until the end, calls that go on are not missing.
            parts.add(new FunctionInterval(function, calls, 0, last ? calls - sum.ended : 0, Optional.empty(), added));
        });
        changed.clear();
        session.append(new LatencyInterval(beginNanos, nowNanos, parts, Losses.NONE, ProcessShare.UNKNOWN, last));
        beginNanos = nowNanos;
    }
}
