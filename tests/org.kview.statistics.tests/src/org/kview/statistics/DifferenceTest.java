// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

class DifferenceTest {
    private static Difference.Side normal(double value, double deviation, double blocks, long seed) {
        Random random = new Random(seed);
        // The bootstrap's own deviation is too small by this factor, for which the interval compensates.
        double shrunk = deviation * Math.sqrt((blocks - 1) / blocks);
        return new Difference.Side(value, random.doubles(40_000).map(d -> value + shrunk * random.nextGaussian())
                .toArray(), blocks);
    }

    /** For normally distributed replicates, the interval is Welch's. */
    @Test
    void agreesWithWelch() {
        Difference difference = Difference.of(normal(100, 3, 6, 1), normal(110, 4, 6, 2));
        // t = 10 / 5, (9 + 16)^2 / (81 / 5 + 256 / 5) = 9.27 degrees of freedom.
        assertThat(difference.nanos()).isEqualTo(10);
        assertThat(difference.p()).isCloseTo(0.0756, within(0.005));
        assertThat(difference.lowNanos()).isCloseTo(10 - 2.252 * 5, within(0.4));
        assertThat(difference.highNanos()).isCloseTo(10 + 2.252 * 5, within(0.4));
    }

    /** Beyond all replicates p comes from the normal distribution, so that it can be small enough for many tests. */
    @Test
    void largeDifferencesAreGraded() {
        double near = Difference.of(normal(100, 1, 20, 1), normal(110, 1, 20, 2)).p();
        double far = Difference.of(normal(100, 1, 20, 1), normal(120, 1, 20, 2)).p();
        assertThat(near).isLessThan(1e-6);
        assertThat(far).isLessThan(near / 1000);
    }

    @Test
    void theOtherWayRoundItIsTheOpposite() {
        Difference there = Difference.of(normal(100, 3, 6, 1), normal(105, 4, 9, 2));
        Difference back = Difference.of(normal(105, 4, 9, 2), normal(100, 3, 6, 1));
        assertThat(back.nanos()).isEqualTo(-there.nanos());
        assertThat(back.lowNanos()).isCloseTo(-there.highNanos(), within(1e-6));
        assertThat(back.p()).isCloseTo(there.p(), within(1e-6));
    }

    @Test
    void whatCantVaryIsCertain() {
        Difference same = Difference.of(new Difference.Side(5, new double[] {5, 5}, 5),
                new Difference.Side(5, new double[] {5, 5}, 5));
        assertThat(same.p()).isEqualTo(1);
    }

    /** The fifteen hypotheses of Benjamini and Hochberg's own example: the first four are rejected. */
    @Test
    void controlsTheFalseDiscoveryRateAsItsAuthorsDo() {
        double[] adjusted = FalseDiscovery.adjust(new double[] {0.7590, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278,
                0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 1.0000});
        assertThat(adjusted).hasSize(15);
        for (int i = 0; i < adjusted.length; i++) {
            assertThat(adjusted[i] < 0.05).as("hypothesis %d", i).isEqualTo(i >= 1 && i <= 4);
        }
        assertThat(adjusted[1]).isCloseTo(0.0015, within(1e-9));
        assertThat(FalseDiscovery.adjust(new double[0])).isEmpty();
    }

    /**
     * The same hypotheses: after the first step, at 0.05 / 1.05, eleven are left that may be true. So the second finds
     * those below 0.05 / 1.05 * k / 11, and no more of fewer.
     */
    @Test
    void twoStepsFindMoreWhereMuchChangedAndLessWhereNothingDid() {
        double[] p = {0.7590, 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
            0.5719, 0.6528, 1.0000};
        double[] once = FalseDiscovery.adjust(p);
        double[] twice = FalseDiscovery.adjustInTwoSteps(p, 0.05);
        assertThat(twice[4]).isCloseTo(once[4] * 1.05 * 11 / 15, within(1e-9));
        assertThat(java.util.Arrays.stream(twice).filter(value -> value < 0.05).count())
                .isGreaterThan(java.util.Arrays.stream(once).filter(value -> value < 0.05).count());
        assertThat(FalseDiscovery.adjustInTwoSteps(new double[] {0.0124, 0.5, 0.6, 0.7}, 0.05)[0])
                .as("found by one step").isGreaterThan(0.05);
        assertThat(java.util.Arrays.stream(FalseDiscovery.adjustInTwoSteps(new double[] {0.01, 0.02}, 0.05)).max().getAsDouble())
                .as("both").isLessThan(0.05);
        assertThat(FalseDiscovery.adjustInTwoSteps(new double[0], 0.05)).isEmpty();
    }

    /** Figures of one function that changed open no door for those of another. */
    @Test
    void findsFunctionsBeforeTheirFigures() {
        double[] changed = {1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 0.5};
        double[] unchanged = {0.03, 0.4, 0.6, 0.7, 0.8, 0.9};
        List<double[]> adjusted = FalseDiscovery.adjust(List.of(changed, unchanged), 0.05, false);
        assertThat(adjusted.get(0)[0]).isLessThan(1e-6);
        assertThat(adjusted.get(0)[5]).isGreaterThan(0.05);
        assertThat(adjusted.get(1)[0]).isCloseTo(0.36, within(1e-9));
        double[] one = FalseDiscovery.adjust(new double[] {1e-9, 1e-9, 1e-9, 1e-9, 1e-9, 0.5, 0.03, 0.4, 0.6, 0.7, 0.8, 0.9});
        assertThat(one[6]).as("were they one family").isLessThan(0.07);
        assertThat(FalseDiscovery.adjust(List.of(), 0.05, false)).isEmpty();
    }
}
