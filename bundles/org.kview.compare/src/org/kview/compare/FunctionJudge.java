/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.compare;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Metric;

/** Compares one function. */
final class FunctionJudge {
    private static final double CALIBRATION_DOUBT = 0.5;

    private final FunctionPair pair;
    private final Optional<FunctionSlices> slicesA;
    private final Optional<FunctionSlices> slicesB;
    private final SplittableRandom random;
    private final List<Finding> wall = new ArrayList<>();
    private final List<Finding> perCall = new ArrayList<>();

    FunctionJudge(FunctionPair pair, Optional<FunctionSlices> slicesA, Optional<FunctionSlices> slicesB,
            SplittableRandom random) {
        this.pair = pair;
        this.slicesA = slicesA;
        this.slicesB = slicesB;
        this.random = random;
    }

    List<Finding> wall() {
        return wall;
    }

    List<Finding> perCall() {
        return perCall;
    }

    FunctionComparison comparison() {
        Map<Statistic, Change> wallChanges = new EnumMap<>(Statistic.class);
        wall.forEach(f -> wallChanges.put(f.statistic(), f.change()));
        Map<Metric, Change> changes = new EnumMap<>(Metric.class);
        perCall.forEach(f -> changes.put(f.metric(), f.change()));
        return new FunctionComparison(pair, wallChanges, changes);
    }

    /** Does the work; once. */
    void resample(BooleanSupplier cancelled) {
        if (cancelled.getAsBoolean()) {
            throw new CancellationException();
        }
        Optional<Significance> untold = untold();
        Resampled both = untold.isPresent() ? null : new Resampled();
        long fewest = Math.min(pair.a().wall().count(), pair.b().wall().count());
        for (Statistic statistic : Statistic.values()) {
            double a = value(statistic, pair.a().wall());
            double b = value(statistic, pair.b().wall());
            double resolution = Math.max(calibrationNanos(), Double.isNaN(a + b) ? 0
                    : Math.max(statistic.bucketNanos(a), statistic.bucketNanos(b)));
            Optional<Significance> reason = fewest < statistic.callsNeeded() && !lost()
                    ? Optional.of(Significance.TOO_FEW_CALLS) : untold;
            wall.add(reason.isPresent() ? Finding.untold(Metric.WALL, statistic, a, b, resolution, reason.get())
                    : both.wall(statistic, a, b, resolution));
        }
        for (Metric metric : Metric.values()) {
            double a = meanOverCalls(pair.a(), metric);
            double b = meanOverCalls(pair.b(), metric);
            if (metric == Metric.WALL || a == 0 && b == 0) {
                continue;
            }
            // What is subtracted for the probes is CPU time.
            double resolution = metric == Metric.ON_CPU ? calibrationNanos() : 0;
            Optional<Significance> reason = fewest < Statistic.MEAN.callsNeeded() ? Optional.of(Significance.TOO_FEW_CALLS)
                    : untold;
            perCall.add(reason.isPresent() ? Finding.untold(metric, Statistic.MEAN, a, b, resolution, reason.get())
                    : both.perCall(metric, a, b, resolution));
        }
    }

    private boolean lost() {
        return !pair.a().wall().hasBuckets() || !pair.b().wall().hasBuckets();
    }

    private Optional<Significance> untold() {
        if (lost() || slicesA.isEmpty() || slicesB.isEmpty()) {
            return Optional.of(Significance.UNKNOWN);
        }
        if (pair.a().wall().isEmpty() || pair.b().wall().isEmpty()) {
            return Optional.of(Significance.TOO_FEW_CALLS);
        }
        return Math.min(slicesA.get().effectiveCount(), slicesB.get().effectiveCount()) < Comparer.LEAST_SLICES
                ? Optional.of(Significance.TOO_SHORT) : Optional.empty();
    }

    private static double value(Statistic statistic, Distribution wall) {
        return wall.isEmpty() || statistic != Statistic.MEAN && !wall.hasBuckets() ? Double.NaN : statistic.of(wall);
    }

    private static double meanOverCalls(FunctionLatency latency, Metric metric) {
        return latency.wall().isEmpty() ? 0
                : (double) latency.distribution(metric).totalNanos() / latency.wall().count();
    }

    /**
     * What is subtracted for the probes was measured before each recording, and what they take changes
     * with the host's load. Repeated on one host, the same calls were off by a third of it.
     */
    private double calibrationNanos() {
        long innerA = pair.a().function().innerCostNanos();
        long innerB = pair.b().function().innerCostNanos();
        return Math.max(Math.abs(innerA - innerB), CALIBRATION_DOUBT * Math.max(innerA, innerB));
    }

    /** Both sides resampled. */
    private final class Resampled {
        private final BlockBootstrap bootstrapA = new BlockBootstrap(pair.a(), slicesA.orElseThrow());
        private final BlockBootstrap bootstrapB = new BlockBootstrap(pair.b(), slicesB.orElseThrow());
        private final BlockBootstrap.Replicates replicatesA;
        private final BlockBootstrap.Replicates replicatesB;

        Resampled() {
            // Each side keeps its random numbers when they are swapped, so that the answer stays the same.
            boolean swapped = pair.a().wall().totalNanos() > pair.b().wall().totalNanos();
            SplittableRandom other = random.split();
            replicatesA = bootstrapA.replicates(Comparer.REPLICATES, swapped ? other : random);
            replicatesB = bootstrapB.replicates(Comparer.REPLICATES, swapped ? random : other);
        }

        Finding wall(Statistic statistic, double a, double b, double resolution) {
            return Finding.of(Metric.WALL, statistic,
                    new Difference.Side(a, replicatesA.wall().get(statistic), blocks(bootstrapA)),
                    new Difference.Side(b, replicatesB.wall().get(statistic), blocks(bootstrapB)), resolution);
        }

        Finding perCall(Metric metric, double a, double b, double resolution) {
            return Finding.of(metric, Statistic.MEAN,
                    new Difference.Side(a, perCall(replicatesA, metric), blocks(bootstrapA)),
                    new Difference.Side(b, perCall(replicatesB, metric), blocks(bootstrapB)), resolution);
        }

        private double[] perCall(BlockBootstrap.Replicates replicates, Metric metric) {
            return replicates.perCall().getOrDefault(metric, new double[Comparer.REPLICATES]);
        }

        /** Calls that cluster in time may leave less than there must be. */
        private double blocks(BlockBootstrap bootstrap) {
            return Math.max(Comparer.LEAST_BLOCKS, bootstrap.effectiveBlocks());
        }
    }
}
