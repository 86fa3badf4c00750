// SPDX-License-Identifier: EPL-2.0
package org.kview.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class LatencyBucketsTest {
    private static final long REACH = 1L << 43;

    @Test
    void bucketsFollowEachOtherWithoutGaps() {
        for (int i = 0; i + 1 < LatencyBuckets.COUNT; i++) {
            assertThat(LatencyBuckets.lowNanos(i) + LatencyBuckets.widthNanos(i))
                    .isEqualTo(LatencyBuckets.lowNanos(i + 1));
        }
        int last = LatencyBuckets.COUNT - 1;
        assertThat(LatencyBuckets.lowNanos(0)).isZero();
        assertThat(LatencyBuckets.lowNanos(last) + LatencyBuckets.widthNanos(last)).isEqualTo(REACH);
    }

    @Test
    void aValueLiesInItsBucket() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            long nanos = random.nextLong(REACH) >> random.nextInt(43);
            int index = LatencyBuckets.indexOf(nanos);
            assertThat(nanos - LatencyBuckets.lowNanos(index)).isBetween(0L, LatencyBuckets.widthNanos(index) - 1);
        }
    }

    @Test
    void edgesOfEveryBucketAreThoseOfHdrHistogram() {
        Histogram hdr = new Histogram(1, REACH - 1, 1);
        for (int i = 0; i < LatencyBuckets.COUNT; i++) {
            long low = LatencyBuckets.lowNanos(i);
            long high = low + LatencyBuckets.widthNanos(i) - 1;
            assertThat(hdr.lowestEquivalentValue(high)).isEqualTo(low);
            assertThat(hdr.highestEquivalentValue(low)).isEqualTo(high);
            assertThat(LatencyBuckets.indexOf(low)).isEqualTo(i);
            assertThat(LatencyBuckets.indexOf(high)).isEqualTo(i);
        }
    }

    @Test
    void widthIsASixteenthOfTheValueAtMost() {
        for (int i = 16; i < LatencyBuckets.COUNT; i++) {
            assertThat(LatencyBuckets.widthNanos(i) * 16).isLessThanOrEqualTo(LatencyBuckets.lowNanos(i));
        }
    }

    @Test
    void whatReachesBeyondCountsInTheLast() {
        assertThat(LatencyBuckets.indexOf(REACH)).isEqualTo(LatencyBuckets.COUNT - 1);
        assertThat(LatencyBuckets.indexOf(Long.MAX_VALUE)).isEqualTo(LatencyBuckets.COUNT - 1);
    }

    @Test
    void timeDoesNotRunBackwards() {
        assertThatThrownBy(() -> LatencyBuckets.indexOf(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
