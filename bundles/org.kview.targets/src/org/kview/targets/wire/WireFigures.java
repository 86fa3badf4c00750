// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.wire;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

import org.kview.model.CallFates;
import org.kview.model.Distribution;
import org.kview.model.FailedCalls;
import org.kview.model.ForkedChildren;
import org.kview.model.FunctionInterval;
import org.kview.model.LatencyInterval;
import org.kview.model.Losses;
import org.kview.model.LostCalls;
import org.kview.model.Metric;
import org.kview.model.ProcessShare;
import org.kview.model.ValueFigures;
import org.kview.wire.proto.FunctionDelta;
import org.kview.wire.proto.HistogramDelta;
import org.kview.wire.proto.MetricDelta;
import org.kview.wire.proto.QuantityDelta;

/**
 * Turns the figures that an agent sends unasked into values. They come from a foreign program: figures that
 * can't be right throw an {@link IllegalArgumentException}, which ends the connection.
 */
public final class WireFigures {
    private static final double PPM = 1e6;

    private WireFigures() {
    }

    public static LatencyInterval interval(HistogramDelta delta) {
        WireWaits.check(delta.getFunctionsList());
        // An agent that reports the CPU time of the process also reports what became of each call.
        boolean tellsFates = delta.getProcessCpuNs() != 0;
        return new LatencyInterval(delta.getBeginNs(), delta.getEndNs(),
                delta.getFunctionsList().stream().map(function -> interval(function, tellsFates)).toList(),
                losses(delta.getLosses()), new ProcessShare(delta.getProbesCostNs(), delta.getProcessCpuNs(),
                        new ForkedChildren(delta.getChildren(), delta.getChildrenCpuNs(),
                                delta.getLosses().getChildrenWithProbes())),
                delta.getLast());
    }

    private static FunctionInterval interval(FunctionDelta function, boolean tellsFates) {
        return new FunctionInterval(function.getFunctionId(), function.getCalls(), function.getAbandoned(),
                function.getUnfinished(), tellsFates || function.hasLost() ? Optional.of(fates(function)) : Optional.empty(),
                distributions(function.getMetricsList()), values(function),
                quantities(function));
    }

    private static Map<String, Distribution> quantities(FunctionDelta function) {
        Map<String, Distribution> added = new HashMap<>();
        for (QuantityDelta quantity : function.getQuantitiesList()) {
            if (added.put(quantity.getId(), distribution(quantity.getFigures())) != null) {
                throw new IllegalArgumentException("a quantity twice in one interval: " + quantity.getId());
            }
        }
        return added;
    }

    private static Map<Metric, Distribution> distributions(List<MetricDelta> metrics) {
        Map<Metric, Distribution> added = new EnumMap<>(Metric.class);
        for (MetricDelta metric : metrics) {
            Optional<Metric> known = Metric.ofValue(metric.getMetricValue());
            // A newer agent may send metrics that this client does not know.
            if (known.isPresent() && added.put(known.get(), distribution(metric)) != null) {
                throw new IllegalArgumentException("a metric twice in one interval: " + metric.getMetric());
            }
        }
        return added;
    }

    /** Names of threads that are told apart by bytes that are no text may be one text. */
    private static List<ValueFigures> values(FunctionDelta function) {
        return ValueFigures.sums(function.getValuesList().stream().map(value -> new ValueFigures(WireConditions.value(value),
                distributions(value.getMetricsList()), value.getUncertainNs())));
    }

    private static CallFates fates(FunctionDelta f) {
        var lost = f.getLost();
        return new CallFates(new LostCalls(lost.getTooDeep(), lost.getNoMemory(), lost.getEndUnseen(),
                lost.getProbesOff(), lost.getExec()), f.getCutCalls(), f.getInconsistentCalls(),
                new CallFates.ProbesCost(f.getRemovedNs(), f.getUncertainNs(), f.getWaitedNs(), f.getPassedSites(), f.getCostNs()),
                f.getProbesOff().isEmpty() ? Optional.empty()
                        : Optional.of(new CallFates.ProbesOff(f.getProbesOffNs(), f.getProbesOff(), Optional.empty(),
                                Math.min(Integer.toUnsignedLong(f.getProbesOffPpm()), PPM) / PPM)),
                new CallFates.Limits(f.getInnerNs(), f.getMostWallNs(), f.getMostCostNs()), f.getNeverLoaded(),
                failed(f), WireWaits.of(f), f.getUnmatchedCalls());
    }

    private static FailedCalls failed(FunctionDelta f) {
        if (f.getFailedCount() == 0) {
            return FailedCalls.NONE;
        }
        SortedMap<Integer, Long> byError = new TreeMap<>();
        for (var failed : f.getFailedList()) {
            if (byError.put(failed.getErrorNumber(), failed.getCalls()) != null) {
                throw new IllegalArgumentException("an error number twice: " + failed.getErrorNumber());
            }
        }
        return new FailedCalls(byError);
    }

    private static Distribution distribution(MetricDelta metric) {
        if (metric.getBucketIndexCount() != metric.getBucketCountCount()) {
            throw new IllegalArgumentException("buckets and their counts differ in number: "
                    + metric.getBucketIndexCount() + " and " + metric.getBucketCountCount());
        }
        if (metric.getCount() < 0 || metric.getTotalNs() < 0 || metric.getMaxNs() < 0) {
            throw new IllegalArgumentException("a count or time beyond 2^63");
        }
        var values = new Distribution.Builder();
        long counted = 0;
        for (int i = 0; i < metric.getBucketIndexCount(); i++) {
            values.addBucket(metric.getBucketIndex(i), metric.getBucketCount(i));
            counted += metric.getBucketCount(i);
        }
        if (counted != metric.getCount()) {
            throw new IllegalArgumentException("buckets that hold " + counted + " of " + metric.getCount()
                    + " calls");
        }
        return values.addTotals(metric.getCount(), metric.getTotalNs(), metric.getMaxNs()).build();
    }

    private static Losses losses(org.kview.wire.proto.Losses l) {
        return new Losses(l.getEventsDropped(), l.getMissedReturns(), l.getDepthOverflows(), l.getHealedSwitches(),
                l.getUntrackedThreads(), l.getUnmatchedReturns(), l.getUnaccountedCalls(), l.getFiguresLost());
    }
}
