// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionTest {

    @ParameterizedTest
    @ValueSource(longs = {30, 900, 40_000, 2_000_000, 900_000_000})
    void percentilesAreWithinABucketOfTheTrueOnes(long medianNanos) {
        Random random = new Random(medianNanos);
        long[] values = new long[10_001];
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < values.length; i++) {
            values[i] = Math.round(medianNanos * Math.exp(0.8 * random.nextGaussian()));
            builder.add(values[i]);
        }
        Arrays.sort(values);
        Distribution distribution = builder.build();

        assertThat(distribution.count()).isEqualTo(values.length);
        assertThat(distribution.totalNanos()).isEqualTo(Arrays.stream(values).sum());
        assertThat(distribution.maxNanos()).isEqualTo(values[values.length - 1]);
        double before = 0;
        for (double percentile : new double[] {0, 1, 10, 50, 90, 99, 99.9, 100}) {
            double exact = values[(int) Math.round(percentile / 100 * (values.length - 1))];
            double found = distribution.percentileNanos(percentile);
            assertThat(found).isCloseTo(exact, within(exact / 16 + 1)).isGreaterThanOrEqualTo(before);
            before = found;
        }
        assertThat(distribution.percentileNanos(100)).isEqualTo(distribution.maxNanos());
    }

    @Test
    void percentilesOfFewNanosecondsAreExact() {
        Distribution.Builder builder = new Distribution.Builder();
        for (int i = 0; i < 100; i++) {
            builder.add(i < 60 ? 5 : 31);
        }
        Distribution distribution = builder.build();
        assertThat(distribution.percentileNanos(50)).isEqualTo(5);
        assertThat(distribution.percentileNanos(61)).isEqualTo(31);
        assertThat(distribution.percentileNanos(99)).isEqualTo(31);
    }

    @Test
    void everyPercentileOfASingleCallIsItsTime() {
        for (long nanos : new long[] {7, 1_234_567, 400_000_000_000_000L}) {
            Distribution one = new Distribution.Builder().add(nanos).build();
            for (double percentile : new double[] {0, 1, 50, 99, 100}) {
                assertThat(one.percentileNanos(percentile)).isEqualTo(nanos);
            }
        }
        // As for others, they are not known without its bucket.
        assertThat(new Distribution.Builder().addTotals(1, 900, 900).build().percentileNanos(50)).isZero();
    }

    @Test
    void callsLongerThanTheLastBucketKeepAnHonestMaximum() {
        long days = 3L * 24 * 3600 * 1_000_000_000;
        Distribution distribution = new Distribution.Builder().add(days).add(days).build();
        assertThat(distribution.maxNanos()).isEqualTo(days);
        assertThat(distribution.meanNanos()).isEqualTo(days);
        assertThat(distribution.percentileNanos(100)).isEqualTo(days);
    }

    @Test
    void sumsOfDistributionsAreDistributionsOfSums() {
        Random random = new Random(3);
        Distribution.Builder all = new Distribution.Builder();
        Distribution.Builder merged = new Distribution.Builder();
        for (int part = 0; part < 10; part++) {
            Distribution.Builder one = new Distribution.Builder();
            for (int i = 0; i < 100; i++) {
                long nanos = random.nextLong(1_000_000);
                one.add(nanos);
                all.add(nanos);
            }
            merged.add(one.build());
        }
        assertThat(merged.build()).isEqualTo(all.build());
    }

    @Test
    void nothingMeasuredIsZeroAndWhole() {
        assertThat(new Distribution.Builder().build()).isEqualTo(Distribution.EMPTY);
        assertThat(Distribution.EMPTY.percentileNanos(99)).isZero();
        assertThat(Distribution.EMPTY.meanNanos()).isZero();
        assertThat(Distribution.EMPTY.hasBuckets()).isTrue();
    }

    @Test
    void totalsWithoutBucketsSayThatTheyLackThem() {
        Distribution distribution = new Distribution.Builder().addTotals(3, 300, 150).build();
        assertThat(distribution.hasBuckets()).isFalse();
        assertThat(distribution.isEmpty()).isFalse();
        assertThat(distribution.meanNanos()).isEqualTo(100);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.1, 100.1})
    void percentilesLieBetween0And100(double percentile) {
        assertThatThrownBy(() -> Distribution.EMPTY.percentileNanos(percentile))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
