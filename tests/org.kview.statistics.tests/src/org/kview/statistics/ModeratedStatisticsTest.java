// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.kview.statistics.ModeratedStatistics.Observations;
import org.kview.testing.Measured;

class ModeratedStatisticsTest {
    private static final int TRIALS = 200;
    private static final int FUNCTIONS = 1000;
    private static final int NOISY = 2;
    private static final double RUN_TO_RUN = 0.005;
    private static final double NOISE = 0.2;

    private static Observations same(SplittableRandom random, double deviation) {
        double[] a = random.doubles(3).map(x -> deviation * random.nextGaussian()).toArray();
        double[] b = random.doubles(3).map(x -> deviation * random.nextGaussian()).toArray();
        return new Observations(a, b, 0);
    }

    /** Two functions that vary much from run to run, among many that don't, must not seem to have changed. */
    @Test
    void noisyOnesAmongSteadyOnesAreNotTakenForSteady() {
        long found = IntStream.range(0, TRIALS).parallel().mapToLong(trial -> {
            SplittableRandom random = new SplittableRandom(trial * 7919L);
            List<Observations> all = IntStream.range(0, FUNCTIONS)
                    .mapToObj(f -> same(random, f < NOISY ? NOISE : RUN_TO_RUN)).toList();
            return new ModeratedStatistics(all).results().stream().limit(NOISY).filter(r -> r.p() < 0.01).count();
        }).sum();
        double share = (double) found / TRIALS / NOISY;
        Measured.tell("found at p < 0.01", share);
        assertThat(share).isLessThan(0.08);
    }

    /** Of steady functions, as many are reported wrongly as p says. */
    @Test
    void steadyOnesAreFoundAsOftenAsChanceHasIt() {
        SplittableRandom random = new SplittableRandom(3);
        List<Observations> all = IntStream.range(0, FUNCTIONS).mapToObj(f -> same(random, RUN_TO_RUN)).toList();
        assertThat(new ModeratedStatistics(all).results().stream().filter(r -> r.p() < 0.05).count() / (double) FUNCTIONS)
                .isBetween(0.02, 0.08);
    }

    /** Three recordings of a noisy host and nine of a quiet one: the three are noisier than all twelve together. */
    @Test
    void sidesThatVaryDifferentlyDoNotDiffer() {
        long found = IntStream.range(0, TRIALS).mapToLong(trial -> {
            SplittableRandom random = new SplittableRandom(trial * 7919L);
            List<Observations> all = IntStream.range(0, 20).mapToObj(f -> new Observations(
                    random.doubles(3).map(x -> 0.1 * random.nextGaussian()).toArray(),
                    random.doubles(9).map(x -> 0.01 * random.nextGaussian()).toArray(), 0)).toList();
            return new ModeratedStatistics(all).results().stream().filter(r -> r.p() < 0.05).count();
        }).sum();
        double share = (double) found / TRIALS / 20;
        Measured.tell("found at p < 0.05", share);
        assertThat(share).isLessThan(0.08);
    }
}
