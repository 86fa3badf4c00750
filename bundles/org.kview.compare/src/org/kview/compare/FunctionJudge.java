// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.kview.model.CallFates;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;
import org.kview.statistics.Statistic;

/** What all ways of judging a function's figures have in common. */
abstract class FunctionJudge {
    private static final double CALIBRATION_DOUBT = 0.5;

    private final FunctionPair pair;
    private final double leastShare;
    private final List<Finding> wall = new ArrayList<>();
    private final List<Finding> perCall = new ArrayList<>();

    /** @param leastShare of the smaller figure; smaller differences are not asked for */
    FunctionJudge(FunctionPair pair, double leastShare) {
        this.pair = pair;
        this.leastShare = leastShare;
    }

    final FunctionPair pair() {
        return pair;
    }

    /** What was found for each statistic. */
    final List<Finding> wall() {
        return wall;
    }

    /** What was found for each metric that occurs. */
    final List<Finding> perCall() {
        return perCall;
    }

    final FunctionComparison comparison() {
        Map<Statistic, Change> wallChanges = new EnumMap<>(Statistic.class);
        wall.forEach(f -> wallChanges.put(f.statistic(), f.change()));
        Map<Metric, Change> changes = new EnumMap<>(Metric.class);
        perCall.forEach(f -> changes.put(f.metric(), f.change()));
        return new FunctionComparison(pair, wallChanges, changes);
    }

    /** @param exact whether sums are known by slice */
    final Finding.Figure figure(Statistic statistic, double a, double b, List<Double> inA, List<Double> inB,
            boolean exact) {
        return new Finding.Figure(Metric.WALL, statistic, a, b, inA, inB, resolution(statistic, a, b, exact),
                least(a, b));
    }

    /** @param exact whether sums are known by slice */
    final Finding.Figure figure(Metric metric, double a, double b, List<Double> inA, List<Double> inB,
            boolean exact) {
        // What is subtracted for the probes is CPU time.
        double resolution = Math.max(metric == Metric.ON_CPU ? calibrationNanos() : 0,
                exact ? 0 : Statistic.bucketWidth(Math.max(a, b)));
        return new Finding.Figure(metric, Statistic.MEAN, a, b, inA, inB, resolution,
                least(pair.a().wall().meanNanos(), pair.b().wall().meanNanos()));
    }

    private double least(double a, double b) {
        return leastShare * Math.min(a, b);
    }

    private double resolution(Statistic statistic, double a, double b, boolean exact) {
        return switch (statistic) {
            case CALLS -> 0;
            case TOTAL -> untimed(a, b) + Math.max(perSecond(pair.a(), a), perSecond(pair.b(), b))
                    * Math.max(calibrationNanos(), exact ? 0 : Statistic.bucketWidth(meanOf(a, b)));
            case MEAN, UNDISTURBED -> untimed(a, b) + Math.max(calibrationNanos(), exact || Double.isNaN(a + b) ? 0
                    : Statistic.bucketWidth(Math.max(a, b)));
            case P50, P90, P99 -> untimed(a, b) + Math.max(calibrationNanos(), Double.isNaN(a + b) ? 0
                    : Math.max(statistic.bucketNanos(a), statistic.bucketNanos(b)));
        };
    }

    /** How much the calls that were counted but not timed would add if they had taken twice as long as the others. */
    private double untimed(double a, double b) {
        return Double.isNaN(a + b) ? 0 : untimedShare(pair.a()) * a + untimedShare(pair.b()) * b;
    }

    private static double untimedShare(FunctionLatency latency) {
        return latency.wall().isEmpty() ? 0 : (double) latency.knownFates().lost().total() / latency.wall().count();
    }

    private double meanOf(double totalA, double totalB) {
        return (totalA > totalB ? pair.a() : pair.b()).wall().meanNanos();
    }

    /** Calls that returned. */
    private static double perSecond(FunctionLatency latency, double totalPerSecond) {
        return latency.wall().totalNanos() == 0 ? 0
                : latency.wall().count() * (totalPerSecond / latency.wall().totalNanos());
    }

    static double meanOverCalls(FunctionLatency latency, Metric metric) {
        return latency.wall().isEmpty() ? 0
                : (double) latency.distribution(metric).totalNanos() / latency.wall().count();
    }

    /** Whether nothing can be said about calls of one side because its buckets are lost. */
    final boolean lost() {
        return !pair.a().wall().hasBuckets() || !pair.b().wall().hasBuckets();
    }

    /** If a function's probes came off before the end, nobody knows how often it was called after that. */
    private static boolean cameOff(FunctionLatency latency) {
        return latency.fates().flatMap(CallFates::probesOff).isPresent();
    }

    /**
     * Why nothing can be said about a statistic, however small the noise is, for example too few calls; empty if something
     * can be said.
     */
    final Optional<Significance> tooFew(Statistic statistic) {
        if (Statistic.RATES.contains(statistic) && (cameOff(pair.a()) || cameOff(pair.b()))) {
            return Optional.of(Significance.UNKNOWN);
        }
        long a = pair.a().wall().count();
        long b = pair.b().wall().count();
        boolean isRate = Statistic.RATES.contains(statistic);
        long calls = isRate ? Math.max(pair.a().calls(), pair.b().calls()) : Math.min(a, b);
        return calls < statistic.callsNeeded() && (isRate || !lost()) ? Optional.of(Significance.TOO_FEW_CALLS)
                : Optional.empty();
    }

    /**
     * By how much a call's time may be wrong. What is subtracted for the probes was measured before each recording, and what
     * they take changes with the host's load: repeated on one host, the same calls were off by a third of it. In addition,
     * each recording says by how much its times may be wrong in either direction.
     */
    private double calibrationNanos() {
        long innerA = pair.a().function().cost().innerNanos();
        long innerB = pair.b().function().cost().innerNanos();
        return Math.max(uncertainNanos(pair.a()) + uncertainNanos(pair.b()),
                Math.max(Math.abs(innerA - innerB), CALIBRATION_DOUBT * Math.max(innerA, innerB)));
    }

    private static double uncertainNanos(FunctionLatency latency) {
        return latency.wall().isEmpty() ? 0 : (double) latency.knownFates().cost().uncertainNanos() / latency.wall().count();
    }
}
