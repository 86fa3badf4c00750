// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.Mechanism;
import org.kview.model.Metric;
import org.kview.model.ProbePoint;
import org.kview.model.ProbedFunction;
import org.kview.statistics.BlockBootstrap;
import org.kview.statistics.FunctionSlices;
import org.kview.statistics.Statistic;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A hundred replicates of a recording of one function: blocks as differences of sums, as it is done,
 * against adding up the blocks' slices, and against drawing call by call.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class BootstrapBenchmark {
    private static final int REPLICATES = 100;
    private static final int CALLS_EACH = 500;

    @Param({"20", "128"})
    public int slices;

    private List<Distribution> recorded;
    private FunctionLatency latency;
    private BlockBootstrap bootstrap;
    private int[] bucketOfCall;

    @Setup
    public void record() {
        Random random = new Random(1);
        recorded = new ArrayList<>();
        Distribution.Builder sum = new Distribution.Builder();
        for (int i = 0; i < slices; i++) {
            Distribution.Builder slice = new Distribution.Builder();
            for (int call = 0; call < CALLS_EACH; call++) {
                slice.add(Math.round(1e6 * Math.exp(0.7 * random.nextGaussian())));
            }
            recorded.add(slice.build());
            sum.add(recorded.getLast());
        }
        Distribution wall = sum.build();
        latency = new FunctionLatency(ProbedFunction.of(0, "f", new ProbePoint.UserFunction("b", "f", 0, 0, 0),
                Mechanism.TRAP, ProbedFunction.ALL_METRICS),
                wall.count(), 0, 0, Map.of(Metric.WALL, wall));
        bootstrap = new BlockBootstrap(latency, FunctionSlices.ofWall(recorded), recorded.size() / 2.0);
        bucketOfCall = IntStream.range(0, wall.bucketLimit())
                .flatMap(i -> IntStream.generate(() -> i).limit(wall.bucket(i))).toArray();
    }

    @Benchmark
    public Object blocksAsDifferences() {
        return bootstrap.replicates(REPLICATES, new SplittableRandom(1));
    }

    @Benchmark
    public double blocksAddedUp() {
        SplittableRandom random = new SplittableRandom(1);
        int block = Math.max(1, Math.ceilDiv(slices, 6));
        double last = 0;
        for (int i = 0; i < REPLICATES; i++) {
            Distribution.Builder replicate = new Distribution.Builder();
            for (int drawn = 0; drawn < slices; drawn += block) {
                int first = random.nextInt(slices);
                for (int k = 0; k < Math.min(block, slices - drawn); k++) {
                    replicate.add(recorded.get((first + k) % slices));
                }
            }
            last = figures(replicate.build());
        }
        return last;
    }

    @Benchmark
    public double callByCall() {
        SplittableRandom random = new SplittableRandom(1);
        double last = 0;
        for (int i = 0; i < REPLICATES; i++) {
            Distribution.Builder replicate = new Distribution.Builder().addTotals(bucketOfCall.length, 0, Long.MAX_VALUE);
            for (int call = 0; call < bucketOfCall.length; call++) {
                replicate.addBucket(bucketOfCall[random.nextInt(bucketOfCall.length)], 1);
            }
            last = figures(replicate.build());
        }
        return last;
    }

    private static double figures(Distribution replicate) {
        double sum = replicate.meanNanos();
        for (Statistic statistic : Statistic.PER_CALL) {
            sum += statistic.percentile().isPresent() ? replicate.percentileNanos(statistic.percentile().getAsInt()) : 0;
        }
        return sum;
    }
}
