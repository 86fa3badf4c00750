// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import org.kview.calls.Pyramid.HeatMap;
import org.kview.chart.Surface.Point;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.session.report.CsvLine;

/**
 * A heat map, drawn.
 *
 * @param scale  what it shows
 * @param map    the counts in its slots of time
 * @param group  how many neighbouring buckets of latency are one cell
 * @param pixels of the plot, row by row: 0xRRGGBB, or {@link #NOTHING} where no call is
 * @param most   calls of any cell in sight
 * @param p50    over time
 * @param p99    likewise
 */
record HeatPicture(HeatScale scale, HeatMap map, int group, int[] pixels, long most, List<List<Point>> p50, List<List<Point>> p99) {
    static final int NOTHING = -1;
    /** Of fewer p99 would be the slowest alone. */
    private static final int LEAST_CALLS = 100;

    /** The slot of time at an x; -1 if there is none. */
    int slotAt(double x) {
        long slot = Math.floorDiv(scale.timeAt(x) - map.beginNanos(), map.slotNanos());
        return slot < 0 || slot >= map.counts().length ? -1 : (int) slot;
    }

    /** The first bucket of the cell at a y. */
    int cellAt(double y) {
        return LatencyBuckets.indexOf((long) Math.max(0, scale.wallAt(y))) / group * group;
    }

    /** How many calls are in a cell. */
    long calls(int slot, int firstBucket) {
        long sum = 0;
        for (int bucket = firstBucket; bucket < Math.min(firstBucket + group, LatencyBuckets.COUNT); bucket++) {
            sum += map.counts()[slot][bucket];
        }
        return sum;
    }

    /** How long the calls of a slot took, as far as the buckets tell. */
    Distribution distribution(int slot) {
        return distribution(slot, slot + 1);
    }

    /** Likewise those of several slots. */
    private Distribution distribution(int from, int to) {
        Distribution.Builder sum = new Distribution.Builder();
        long count = 0;
        long largest = 0;
        for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
            long calls = 0;
            for (int slot = from; slot < to; slot++) {
                calls += map.counts()[slot][bucket];
            }
            if (calls > 0) {
                sum.addBucket(bucket, calls);
                count += calls;
                largest = LatencyBuckets.lowNanos(bucket) + LatencyBuckets.widthNanos(bucket) - 1;
            }
        }
        return sum.addTotals(count, 0, largest).build();
    }

    /**
     * Each bucket of latency in each slot of time that holds calls, for a spreadsheet. A spreadsheet keeps 15 digits of a number, and ns
     * since 1970 have 19: so times are told from a start on.
     *
     * @param startNanos that start, in ns since 1970
     */
    String csv(long startNanos) {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("returned_from_ns", "returned_before_ns", "wall_from_ns", "wall_below_ns",
                "calls")));
        for (int slot = 0; slot < map.counts().length; slot++) {
            for (int bucket = 0; bucket < LatencyBuckets.COUNT; bucket++) {
                if (map.counts()[slot][bucket] > 0) {
                    long low = LatencyBuckets.lowNanos(bucket);
                    csv.append(CsvLine.of(LongStream.of(slotBegin(slot) - startNanos, slotBegin(slot + 1) - startNanos, low,
                            low + LatencyBuckets.widthNanos(bucket), map.counts()[slot][bucket]).mapToObj(Long::toString).toList()));
                }
            }
        }
        return csv.toString();
    }

    long slotBegin(int slot) {
        return map.beginNanos() + slot * map.slotNanos();
    }

    /**
     * A percentile over time: of as many neighbouring slots together as have enough calls to tell it. The line is interrupted where
     * there are none; the last calls may be too few, and have none.
     */
    List<List<Point>> percentile(double percentile) {
        List<List<Point>> lines = new ArrayList<>();
        List<Point> line = new ArrayList<>();
        int from = 0;
        long calls = 0;
        for (int slot = 0; slot < map.counts().length; slot++) {
            long own = Arrays.stream(map.counts()[slot]).sum();
            if (calls == 0) {
                if (own == 0 && !line.isEmpty()) {
                    lines.add(line);
                    line = new ArrayList<>();
                }
                from = slot;
            }
            calls += own;
            if (calls >= LEAST_CALLS) {
                double y = scale.y(distribution(from, slot + 1).percentileNanos(percentile));
                // As wide as its slots: a single one is seen as well.
                line.add(new Point(scale.x(slotBegin(from)), y));
                line.add(new Point(scale.x(slotBegin(slot + 1)), y));
                calls = 0;
            }
        }
        lines.add(line);
        return lines.stream().filter(points -> !points.isEmpty()).toList();
    }
}
