// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

import org.kview.model.Metric;
import org.kview.statistics.BlockBootstrap;
import org.kview.statistics.Difference;
import org.kview.statistics.FunctionSlices;
import org.kview.statistics.Statistic;

/**
 * Compares one function of one recording with that of another. What varies within a recording is all
 * that can be seen; how recordings of the same program differ is not.
 */
final class PairJudge extends FunctionJudge {
    private final RecordingGroup.Part a;
    private final RecordingGroup.Part b;
    private final SplittableRandom random;

    PairJudge(FunctionPair pair, double leastShare, RecordingGroup.Part a, RecordingGroup.Part b,
            SplittableRandom random) {
        super(pair, leastShare);
        this.a = a;
        this.b = b;
        this.random = random;
    }

    /** Does the work; once. */
    void resample() {
        Optional<Resampled> both = a.slices().isPresent() && b.slices().isPresent()
                ? Optional.of(new Resampled(a.slices().get(), b.slices().get())) : Optional.empty();
        boolean exact = both.isPresent() && a.slices().get().isExact() && b.slices().get().isExact();
        for (Statistic statistic : Statistic.values()) {
            double inA = statistic.of(pair().a(), a.seconds());
            double inB = statistic.of(pair().b(), b.seconds());
            Finding.Figure figure = figure(statistic, inA, inB, List.of(inA), List.of(inB), exact);
            Optional<Significance> reason = tooFew(statistic).or(() -> untold(statistic));
            wall().add(reason.isPresent() ? Finding.untold(figure, reason.get())
                    : both.orElseThrow().finding(figure));
        }
        for (Metric metric : Metric.values()) {
            double inA = meanOverCalls(pair().a(), metric);
            double inB = meanOverCalls(pair().b(), metric);
            if (metric == Metric.WALL || inA == 0 && inB == 0) {
                continue;
            }
            Finding.Figure figure = figure(metric, inA, inB, List.of(inA), List.of(inB), exact);
            Optional<Significance> reason = tooFew(Statistic.MEAN).or(() -> untold(Statistic.MEAN));
            perCall().add(reason.isPresent() ? Finding.untold(figure, reason.get())
                    : both.orElseThrow().cause(figure));
        }
    }

    private Optional<Significance> untold(Statistic statistic) {
        if (lost() || a.slices().isEmpty() || b.slices().isEmpty()) {
            return Optional.of(Significance.UNKNOWN);
        }
        if (Statistic.RATES.contains(statistic)) {
            // That there were no calls at some time is known as well.
            return slices(a).count() < Comparer.LEAST_SLICES || slices(b).count() < Comparer.LEAST_SLICES
                    ? Optional.of(Significance.TOO_SHORT) : Optional.empty();
        }
        if (pair().a().wall().isEmpty() || pair().b().wall().isEmpty()) {
            return Optional.of(Significance.TOO_FEW_CALLS);
        }
        if (Double.isNaN(statistic.of(pair().a(), a.seconds()) + statistic.of(pair().b(), b.seconds()))) {
            return Optional.of(Significance.UNKNOWN);
        }
        return Math.min(slices(a).effectiveCount(), slices(b).effectiveCount()) < Comparer.LEAST_SLICES
                ? Optional.of(Significance.TOO_SHORT) : Optional.empty();
    }

    private static FunctionSlices slices(RecordingGroup.Part part) {
        return part.slices().orElseThrow();
    }

    /** Both sides resampled. */
    private final class Resampled {
        private final BlockBootstrap bootstrapA;
        private final BlockBootstrap bootstrapB;
        private final BlockBootstrap.Replicates replicatesA;
        private final BlockBootstrap.Replicates replicatesB;

        Resampled(FunctionSlices slicesA, FunctionSlices slicesB) {
            bootstrapA = new BlockBootstrap(pair().a(), slicesA, a.seconds());
            bootstrapB = new BlockBootstrap(pair().b(), slicesB, b.seconds());
            // Each side keeps its random numbers when they are swapped, so that the answer stays the same.
            boolean swapped = pair().a().wall().totalNanos() > pair().b().wall().totalNanos();
            SplittableRandom other = random.split();
            replicatesA = bootstrapA.replicates(Comparer.REPLICATES, swapped ? other : random);
            replicatesB = bootstrapB.replicates(Comparer.REPLICATES, swapped ? random : other);
        }

        Finding finding(Finding.Figure figure) {
            Statistic statistic = figure.statistic();
            return Finding.of(figure, Difference.of(
                    new Difference.Side(figure.a(), replicatesA.wall().get(statistic), blocks(bootstrapA, statistic)),
                    new Difference.Side(figure.b(), replicatesB.wall().get(statistic), blocks(bootstrapB, statistic))));
        }

        Finding cause(Finding.Figure figure) {
            return Finding.of(figure, Difference.of(
                    new Difference.Side(figure.a(), perCall(replicatesA, figure.metric()), blocks(bootstrapA, Statistic.MEAN)),
                    new Difference.Side(figure.b(), perCall(replicatesB, figure.metric()), blocks(bootstrapB, Statistic.MEAN))));
        }

        private double[] perCall(BlockBootstrap.Replicates replicates, Metric metric) {
            return replicates.perCall().getOrDefault(metric, new double[Comparer.REPLICATES]);
        }

        /** If calls cluster in time, fewer blocks may be left than are needed. */
        private double blocks(BlockBootstrap bootstrap, Statistic statistic) {
            return Math.max(Comparer.LEAST_BLOCKS,
                    Statistic.RATES.contains(statistic) ? bootstrap.blocks() : bootstrap.effectiveBlocks());
        }
    }
}
