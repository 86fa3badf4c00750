// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.kview.compare.Recordings.Shape;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.statistics.BlockBootstrap;
import org.kview.statistics.Difference;
import org.kview.statistics.FunctionSlices;
import org.kview.statistics.Statistic;

/**
 * How often the method is wrong, by simulation. The numbers are pseudo-random from fixed seeds, so the
 * tests always say the same; bounds are what a good method would exceed once in a
 * thousand with 200 pairs; with the fewer of {@link Simulated} it would more often, but not with these seeds.
 */
@Tag("slow")
class FalsePositivesTest {
    private static final int RUNS = Simulated.PAIRS;
    private static final int REPLICATES = 400;

    /** The share of pairs of equal recordings, or of B slower by a factor, in which a difference is found. */
    private static double found(Statistic statistic, Shape shape, double factor) {
        long found = IntStream.range(0, RUNS).parallel().filter(run -> {
            Recordings recordings = new Recordings(run * 7919L + shape.hashCode());
            SplittableRandom random = new SplittableRandom(run);
            return Difference.of(side(statistic, recordings.slices(shape), random),
                    side(statistic, recordings.slices(shape.times(factor)), random)).p() < 0.05;
        }).count();
        return (double) found / RUNS;
    }

    private static Difference.Side side(Statistic statistic, List<Distribution> slices, SplittableRandom random) {
        FunctionLatency latency = Recordings.latency(Recordings.function(0, "f", "b"), slices);
        BlockBootstrap bootstrap = new BlockBootstrap(latency, FunctionSlices.ofWall(slices), slices.size() / 2.0);
        return new Difference.Side(statistic.of(latency, slices.size() / 2.0),
                bootstrap.replicates(REPLICATES, random).wall().get(statistic), bootstrap.effectiveBlocks());
    }

    @ParameterizedTest
    @CsvSource({"6, 300", "10, 300", "20, 200", "60, 100"})
    void equalRecordingsDifferInOneOfTwenty(int slices, int calls) {
        Shape shape = new Shape(slices, calls, 1e6, 0.5, 0, 0);
        for (Statistic statistic : Statistic.PER_CALL) {
            assertThat(found(statistic, shape, 1)).as(statistic.id()).isBetween(0.0, 0.10);
        }
    }

    /** Where a load that lasts for seconds slows all calls, taking calls as independent would find a change in most. */
    @Test
    void loadThatComesAndGoesIsNoise() {
        Shape shape = new Shape(40, 100, 1e6, 0.5, 0.1, 0.5);
        for (Statistic statistic : Statistic.PER_CALL) {
            assertThat(found(statistic, shape, 1)).as(statistic.id()).isLessThan(0.12);
        }
        assertThat(foundByCallsAlone(shape)).isGreaterThan(0.4);
    }

    /** The usual bootstrap, which draws calls one by one. */
    private static double foundByCallsAlone(Shape shape) {
        long found = IntStream.range(0, RUNS).parallel().filter(run -> {
            Recordings recordings = new Recordings(run * 7919L + shape.hashCode());
            SplittableRandom random = new SplittableRandom(run);
            return Difference.of(callByCall(recordings.slices(shape), random), callByCall(recordings.slices(shape), random))
                    .p() < 0.05;
        }).count();
        return (double) found / RUNS;
    }

    private static Difference.Side callByCall(List<Distribution> slices, SplittableRandom random) {
        FunctionLatency latency = Recordings.latency(Recordings.function(0, "f", "b"), slices);
        Distribution wall = latency.wall();
        int calls = (int) wall.count();
        int[] bucketOfCall = IntStream.range(0, wall.bucketLimit())
                .flatMap(i -> IntStream.generate(() -> i).limit(wall.bucket(i))).toArray();
        double[] replicates = new double[100];
        for (int i = 0; i < replicates.length; i++) {
            Distribution.Builder drawn = new Distribution.Builder().addTotals(calls, 0, wall.maxNanos());
            for (int call = 0; call < calls; call++) {
                drawn.addBucket(bucketOfCall[random.nextInt(calls)], 1);
            }
            replicates[i] = drawn.build().percentileNanos(50);
        }
        return new Difference.Side(wall.percentileNanos(50), replicates, calls);
    }

    @ParameterizedTest
    @EnumSource(names = {"MEAN", "P50", "P90"})
    void aChangeOfATenthIsFound(Statistic statistic) {
        assertThat(found(statistic, new Shape(20, 400, 1e6, 0.5, 0, 0), 1.1)).isGreaterThan(0.9);
    }

    @Test
    void aTailThatIsHalfAsLongAgainIsFound() {
        assertThat(found(Statistic.P99, new Shape(20, 400, 1e6, 0.5, 0, 0), 1.5)).isGreaterThan(0.95);
    }

    /** Without Benjamini and Hochberg's correction nearly every one of these comparisons would find something. */
    @Test
    void manyFunctionsAtOnceFindNoMore() {
        Shape shape = new Shape(20, 200, 1e6, 0.5, 0, 0);
        long found = IntStream.range(0, 12).filter(run -> {
            Recordings recordings = new Recordings(run);
            return Comparer.compare(session("a", recordings, shape), session("b", recordings, shape)).changed() > 0;
        }).count();
        assertThat(found).isLessThanOrEqualTo(2);
    }

    private static ComparedSession session(String name, Recordings recordings, Shape shape) {
        List<List<Distribution>> functions = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            functions.add(recordings.slices(shape));
        }
        return Recordings.session(name, functions);
    }
}
