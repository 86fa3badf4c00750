// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kview.statistics.ModeratedStatistics.Observations;
import org.kview.statistics.ModeratedStatistics.Result;
import org.kview.testing.Measured;

/** Simulates eight functions in three recordings a side, with fixed seeds. */
class RunWideFactorTest {
    private static final int TRIALS = 400;
    private static final int FUNCTIONS = 8;
    private static final int RECORDINGS = 3;
    private static final double FOUND = 0.01;

    /**
     * A program whose times vary from run to run.
     *
     * @param together the standard deviation that all functions have in common
     * @param own      the standard deviation of each function
     * @param changed  how many functions changed: the last ones
     * @param by       how much they changed, as a logarithm
     */
    private record Program(double together, double own, int changed, double by) {
        List<Observations> runs(int seed) {
            SplittableRandom random = new SplittableRandom(seed * 7919L);
            double[] common = random.doubles(2 * RECORDINGS).map(x -> together * random.nextGaussian()).toArray();
            return IntStream.range(0, FUNCTIONS).mapToObj(function -> {
                double[] logs = Arrays.stream(common).map(c -> c + own * random.nextGaussian()).toArray();
                double[] b = Arrays.stream(logs, RECORDINGS, 2 * RECORDINGS)
                        .map(x -> x + (function >= FUNCTIONS - changed ? by : 0)).toArray();
                return new Observations(Arrays.copyOf(logs, RECORDINGS), b, own * own / 4);
            }).toList();
        }

        /** How often one of the functions is found. */
        double found(int function) {
            return IntStream.range(0, TRIALS).filter(seed -> new RunWideFactor(runs(seed)).results().get(function).p() < FOUND)
                    .count() / (double) TRIALS;
        }
    }

    /** A factor that all functions of a recording share does not hide that one of them became slower. */
    @ParameterizedTest
    @CsvSource({"0.02, 0.005, 0.95", "0.014, 0.014, 0.95", "0, 0.02, 0.95"})
    void oneThatIsSlowerIsFound(double together, double own, double least) {
        double found = new Program(together, own, 2, Math.log(1.1)).found(FUNCTIONS - 1);
        Measured.tell("found", found);
        assertThat(found).isGreaterThan(least);
    }

    @ParameterizedTest
    @CsvSource({"0.02, 0.005", "0.014, 0.014", "0, 0.02", "0.1, 0.01"})
    void ofTheSameProgramAsManyAreFoundAsChanceHasIt(double together, double own) {
        double found = new Program(together, own, 0, 0).found(0);
        Measured.tell("found", found);
        assertThat(found).isLessThan(2.5 * FOUND);
    }

    /** Two functions that changed don't make others seem changed, and seven don't make the eighth one seem so. */
    @ParameterizedTest
    @CsvSource({"2", "3", "4", "5", "7"})
    void thoseThatDidNotChangeAreNotFoundBesideThoseThatDid(int changed) {
        double found = new Program(0.02, 0.005, changed, Math.log(1.1)).found(0);
        Measured.tell("found", found);
        assertThat(found).isLessThan(2.5 * FOUND);
    }

    /** Most functions changed, and where the host by chance undid that, the others seem to have changed. */
    @Test
    void whereThePremiseFailsNoMoreAreFoundThanByChance() {
        double found = new Program(0.1, 0.02, 5, Math.log(1.1)).found(0);
        Measured.tell("found", found);
        assertThat(found).isLessThan(0.05);
    }

    /** Reports that all functions became slower together, and by how much; nothing where too few agree. */
    @Test
    void whatAllDidIsTold() {
        assertThat(new RunWideFactor(new Program(0, 0.01, FUNCTIONS, 0.1).runs(1)).moved().orElseThrow())
                .isCloseTo(0.1, within(0.02));
        assertThat(new RunWideFactor(new Program(0, 0.01, 2, 0.1).runs(1)).moved().orElseThrow()).isCloseTo(0, within(0.02));
        assertThat(new RunWideFactor(new Program(0, 0.01, 4, 0.1).runs(1)).moved()).isEmpty();
        assertThat(new RunWideFactor(new Program(0, 0.01, 0, 0).runs(1).subList(0, 4)).moved()).isEmpty();
    }

    @Test
    void fewFunctionsAreTestedByThemselves() {
        List<Observations> few = new Program(0.02, 0.005, 1, 0.1).runs(1).subList(4, 8);
        assertThat(new RunWideFactor(few).results()).isEqualTo(new ModeratedStatistics(few).results());
    }

    @Test
    void swappedItSaysTheOpposite() {
        List<Observations> there = new Program(0.02, 0.005, 2, 0.1).runs(1);
        List<Result> results = new RunWideFactor(there).results();
        List<Result> back = new RunWideFactor(there.stream().map(o -> new Observations(o.b(), o.a(), o.sampling())).toList())
                .results();
        for (int i = 0; i < FUNCTIONS; i++) {
            assertThat(back.get(i).p()).isCloseTo(results.get(i).p(), within(1e-9));
            assertThat(back.get(i).low()).isCloseTo(-results.get(i).high(), within(1e-9));
        }
    }
}
