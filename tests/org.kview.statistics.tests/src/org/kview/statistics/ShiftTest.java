// SPDX-License-Identifier: EPL-2.0
package org.kview.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;

class ShiftTest {
    /** The permeability of membranes, Hollander and Wolfe, table 4.1. */
    private static final double[] AT_TERM = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    private static final double[] EARLIER = {1.15, 0.88, 0.90, 0.74, 1.21};

    private static double[] around(double middle, int count, Random random) {
        return random.doubles(count).map(_ -> middle + random.nextGaussian()).toArray();
    }

    private static double[] steady(double value) {
        return DoubleStream.generate(() -> value).limit(20).toArray();
    }

    /** The exact interval, of 96 %, is −0.76 to 0.15; the approximate one is cut off at the next wider rank. */
    @Test
    void agreesWithTheTextbook() {
        Shift shift = Shift.of(AT_TERM, EARLIER).orElseThrow();
        assertThat(shift.by()).isCloseTo(-0.305, within(1e-9));
        assertThat(shift.low()).isBetween(-0.84, -0.76);
        assertThat(shift.high()).isBetween(0.15, 0.17);
    }

    @Test
    void theOtherWayRoundItIsTheOpposite() {
        Shift there = Shift.of(AT_TERM, EARLIER).orElseThrow();
        Shift back = Shift.of(EARLIER, AT_TERM).orElseThrow();
        assertThat(back.by()).isCloseTo(-there.by(), within(1e-9));
        assertThat(back.low()).isCloseTo(-there.high(), within(1e-9));
    }

    /** Of samples that differ by nothing, or by as much as they spread, 95 % of the intervals hold the difference. */
    @Test
    void nineteenOfTwentyIntervalsHoldTheTruth() {
        Random random = new Random(17);
        for (double truth : new double[] {0, 1}) {
            int held = 0;
            for (int i = 0; i < 2000; i++) {
                Shift shift = Shift.of(around(90, 20, random), around(90 + truth, 30, random)).orElseThrow();
                held += shift.low() <= truth && truth <= shift.high() ? 1 : 0;
            }
            assertThat(held / 2000.0).isBetween(0.94, 0.97);
        }
    }

    /** An interrupt, or a neighbour that came for a moment. */
    @Test
    void someValuesThatAreFarOffHardlyMoveIt() {
        Random random = new Random(5);
        double[] before = around(90, 20, random);
        double[] during = around(180, 20, random);
        Shift clean = Shift.of(before, during).orElseThrow();
        Arrays.fill(during, 0, 3, 50_000);
        Shift disturbed = Shift.of(before, during).orElseThrow();
        assertThat(disturbed.by()).isCloseTo(clean.by(), within(1.0));
        assertThat(disturbed.low()).isGreaterThan(88);
        assertThat(disturbed.high()).isLessThan(95);
    }

    @Test
    void fewValuesHaveNoInterval() {
        assertThat(Shift.of(new double[] {1, 2}, new double[] {3, 4})).isEmpty();
        assertThat(Shift.of(new double[] {}, AT_TERM)).isEmpty();
        assertThat(Shift.between(AT_TERM, new double[] {5}, AT_TERM)).isEmpty();
        assertThat(Shift.between(AT_TERM, AT_TERM, new double[] {})).isEmpty();
    }

    /** Before it took 90, after it 94: what it would have taken meanwhile is anything between. */
    @Test
    void whatDriftedHasAWiderInterval() {
        Shift shift = Shift.between(steady(90), steady(100), steady(94)).orElseThrow();
        assertThat(shift.low()).isEqualTo(6);
        assertThat(shift.high()).isEqualTo(10);
        assertThat(shift.by()).isEqualTo(8);
        Shift none = Shift.between(steady(90), steady(92), steady(94)).orElseThrow();
        assertThat(none.low()).isNegative();
        assertThat(none.high()).isPositive();
    }

    @Test
    void theMedianIsThatOfTheMiddle() {
        assertThat(Shift.median(new double[] {9, 1, 4})).isEqualTo(4);
        assertThat(Shift.median(new double[] {9, 1, 4, 6})).isEqualTo(5);
        assertThat(Shift.median(new double[] {})).isZero();
    }
}
