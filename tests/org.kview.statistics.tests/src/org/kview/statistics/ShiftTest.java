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
        assertThat(Shift.between(AT_TERM, new double[7], AT_TERM)).as("a quarter of one or two").isEmpty();
        assertThat(Shift.between(AT_TERM, new double[8], AT_TERM)).isPresent();
        assertThat(Shift.between(AT_TERM, AT_TERM, new double[] {})).isEmpty();
    }

    /** Before it took 90, after it 94: what it would have taken meanwhile is anything between, and it may wander as far again. */
    @Test
    void whatDriftedHasAWiderRange() {
        Shift shift = Shift.between(steady(90), steady(100), steady(94)).orElseThrow();
        assertThat(shift.low()).isEqualTo(2);
        assertThat(shift.high()).isEqualTo(14);
        assertThat(shift.by()).isEqualTo(8);
        Shift none = Shift.between(steady(90), steady(92), steady(94)).orElseThrow();
        assertThat(none.low()).isNegative();
        assertThat(none.high()).isPositive();
    }

    /** Nothing but that it wandered meanwhile: by 20, between its quarters. */
    @Test
    void whatWandersMeanwhileHasAWiderRange() {
        double[] during = DoubleStream.concat(Arrays.stream(steady(95)), Arrays.stream(steady(115))).toArray();
        Shift shift = Shift.between(steady(90), during, steady(90)).orElseThrow();
        assertThat(shift.low()).isEqualTo(-15);
        assertThat(shift.high()).isEqualTo(45);
    }

    /** Each value depends on the one before it, as rounds on a busy machine do: by the rank test alone, 65 of these are told apart. */
    @Test
    void nothingIsSeldomToldApartWhereValuesDependOnEachOther() {
        Random random = new Random(23);
        int toldApart = 0;
        for (int i = 0; i < 1000; i++) {
            double[] all = dependent(100, 0.6, random);
            Shift shift = Shift.between(Arrays.copyOfRange(all, 0, 20), Arrays.copyOfRange(all, 20, 80), Arrays.copyOfRange(all, 80, 100))
                    .orElseThrow();
            toldApart += shift.low() > 0 || shift.high() < 0 ? 1 : 0;
        }
        assertThat(toldApart).isLessThan(20);
    }

    @Test
    void muchIsToldApartWhereValuesDependOnEachOther() {
        Random random = new Random(29);
        double[] during = Arrays.stream(dependent(60, 0.6, random)).map(value -> value + 8).toArray();
        Shift shift = Shift.between(dependent(20, 0.6, random), during, dependent(20, 0.6, random)).orElseThrow();
        assertThat(shift.low()).isPositive();
        assertThat(shift.by()).isCloseTo(8, within(1.5));
    }

    private static double[] dependent(int count, double share, Random random) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = (i == 0 ? 0 : share * values[i - 1]) + random.nextGaussian();
        }
        return values;
    }

    @Test
    void theMedianIsThatOfTheMiddle() {
        assertThat(Shift.median(new double[] {9, 1, 4})).isEqualTo(4);
        assertThat(Shift.median(new double[] {9, 1, 4, 6})).isEqualTo(5);
        assertThat(Shift.median(new double[] {})).isZero();
    }
}
