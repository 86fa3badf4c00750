// SPDX-License-Identifier: EPL-2.0
package org.kview.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kview.model.Distribution;
import org.kview.model.Metric;
import org.kview.statistics.FunctionSlices;

class SliceCollectorTest {
    private static Distribution calls(int count) {
        Distribution.Builder builder = new Distribution.Builder();
        IntStream.range(0, count).forEach(i -> builder.add(1000 + i));
        return builder.build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 127, 128, 129, 255, 257, 1000, 7200})
    void aLongRecordingLosesNothing(int intervals) {
        SliceCollector collector = new SliceCollector();
        for (int i = 0; i < intervals; i++) {
            long end = (i + 1) * SliceCollector.INTERVAL_NANOS;
            collector.interval(0, Metric.WALL, end, calls(3));
            if (i % 2 == 1) {
                collector.interval(0, Metric.LOCK, end, calls(1));
                collector.interval(1, Metric.WALL, end, calls(1));
            }
        }
        long recorded = intervals * SliceCollector.INTERVAL_NANOS;
        FunctionSlices slices = collector.slices(List.of(0, 1, 2), recorded).get(0);
        assertThat(slices.count()).isLessThanOrEqualTo(SliceCollector.MOST_SLICES)
                .isGreaterThanOrEqualTo(Math.min(intervals, SliceCollector.MOST_SLICES / 2));
        assertThat(IntStream.range(0, slices.count()).mapToLong(slices::calls).sum()).isEqualTo(3L * intervals);
        FunctionSlices other = collector.slices(List.of(1), recorded).get(1);
        assertThat(other.count()).isEqualTo(slices.count());
        assertThat(IntStream.range(0, other.count()).mapToLong(other::calls).sum()).isEqualTo(intervals / 2);
        assertThat(collector.slices(List.of(2), recorded).get(2).effectiveCount()).isZero();
    }

    /** Of intervals in which nothing was called there is no word. The first is shorter, and all come a little late or early. */
    @Test
    void timeWithoutCallsIsOfTheRecording() {
        SliceCollector collector = new SliceCollector();
        collector.interval(0, Metric.WALL, 101_000_000, calls(1));
        collector.interval(0, Metric.WALL, 580_000_000, calls(2));
        collector.interval(0, Metric.WALL, 1_130_000_000, calls(3));
        collector.interval(0, Metric.WALL, 3_101_000_000L, calls(4));
        assertThat(collector.slices(List.of(0), 4_300_000_000L).get(0)).hasToString("FunctionSlices[1, 2, 3, 0, 0, 0, 4, 0, 0]");
        SliceCollector late = new SliceCollector();
        late.interval(0, Metric.WALL, 2_100_000_000, calls(5));
        assertThat(late.slices(List.of(0), 2_100_000_000).get(0)).hasToString("FunctionSlices[0, 0, 0, 5]");
    }

    /** A log that lies says of a time that no recording lasts. */
    @Test
    void ofAgesNoMoreSlicesAreMade() {
        SliceCollector collector = new SliceCollector();
        for (long end : new long[] {500_000_000, Long.MAX_VALUE - 1, 0, 7}) {
            collector.interval(0, Metric.WALL, end, calls(1));
        }
        FunctionSlices slices = collector.slices(List.of(0), Long.MAX_VALUE).get(0);
        assertThat(slices.count()).isBetween(SliceCollector.MOST_SLICES / 2, SliceCollector.MOST_SLICES);
        assertThat(IntStream.range(0, slices.count()).mapToLong(slices::calls).sum()).isEqualTo(4);
    }

    @Test
    void hostsAddUpSliceBySlice() {
        FunctionSlices one = FunctionSlices.ofWall(List.of(calls(1), calls(2), calls(3)));
        FunctionSlices longer = FunctionSlices.ofWall(List.of(calls(10), calls(20), calls(30), calls(40)));
        FunctionSlices twice = FunctionSlices.ofWall(List.of(calls(1), calls(1), calls(1), calls(1), calls(1), calls(5)));
        assertThat(one.plus(longer)).hasToString("FunctionSlices[11, 22, 73]").hasToString(longer.plus(one).toString());
        assertThat(one.plus(twice)).hasToString("FunctionSlices[3, 4, 9]");
        assertThat(one.plus(FunctionSlices.ofWall(List.of()))).hasToString("FunctionSlices[1, 2, 3]");
        assertThat(one.plus(longer).nanos(Metric.WALL)).hasSize(3);
    }

    @Test
    void slicesThatCountUnevenlyAreFewer() {
        assertThat(FunctionSlices.ofWall(List.of(calls(10), calls(10), calls(10))).effectiveCount()).isEqualTo(3);
        assertThat(FunctionSlices.ofWall(List.of(calls(100), calls(1), calls(0))).effectiveCount()).isLessThan(1.1);
    }
}
