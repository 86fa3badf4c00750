// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

import org.kview.calls.CallBox.Range;
import org.kview.calls.Pyramid.HeatMap;
import org.kview.chart.Area;
import org.kview.chart.LogAxis;
import org.kview.chart.TimeAxis;
import org.kview.model.LatencyBuckets;
import org.kview.session.calls.StoredSession;

/** Draws heat maps out of a store's counts; needs no widget, so any thread may. */
final class HeatPainter {
    /** A slot of time has three pixels at least. */
    private static final int PIXELS_A_SLOT = 3;
    private static final int LEAST_CELL_PIXELS = 4;

    private HeatPainter() {
    }

    /** Empty if no calls returned in the time that is to be shown, or there is no room. */
    static Optional<HeatPicture> paint(StoredSession calls, HeatRequest request, BooleanSupplier wanted) {
        Area plot = request.plot();
        Optional<Range> all = calls.time(request.calls().target());
        if (all.isEmpty() || plot.width() < 1 || plot.height() < 1) {
            return Optional.empty();
        }
        Range time = request.shown().map(range -> new Range(range.beginNanos(), Math.max(range.endNanos(), range.beginNanos() + 1)))
                .orElse(new Range(all.get().least(), Math.max(all.get().most(), all.get().least() + 1)));
        HeatMap map = calls.heatMap(request.calls().withEnds(time), Math.max(1, (int) plot.width() / PIXELS_A_SLOT), wanted);
        Optional<LogAxis> occurring = wall(map);
        if (occurring.isEmpty()) {
            return Optional.empty();
        }
        HeatScale scale = new HeatScale(request.startNanos(), new TimeAxis(time.least() - request.startNanos(),
                time.most() - request.startNanos()), request.wall().orElse(occurring.get()), plot);
        return Optional.of(paint(scale, map, request.dark()));
    }

    /** All latencies that occur. */
    private static Optional<LogAxis> wall(HeatMap map) {
        int least = LatencyBuckets.COUNT;
        int most = -1;
        for (long[] slot : map.counts()) {
            for (int bucket = 0; bucket < slot.length; bucket++) {
                if (slot[bucket] > 0) {
                    least = Math.min(least, bucket);
                    most = Math.max(most, bucket);
                }
            }
        }
        return most < 0 ? Optional.empty() : Optional.of(LogAxis.around(Math.max(LogAxis.LEAST_NANOS, LatencyBuckets.lowNanos(least)),
                LatencyBuckets.lowNanos(most) + LatencyBuckets.widthNanos(most)));
    }

    private static HeatPicture paint(HeatScale scale, HeatMap map, boolean dark) {
        int width = (int) scale.plot().width();
        int height = (int) scale.plot().height();
        int group = group(scale, height);
        int[] cells = new int[height];
        HeatPicture blank = new HeatPicture(scale, map, group, new int[0], 0, List.of(), List.of());
        for (int y = 0; y < height; y++) {
            cells[y] = blank.cellAt(scale.plot().y() + y + 0.5);
        }
        int[] slots = new int[width];
        for (int x = 0; x < width; x++) {
            slots[x] = blank.slotAt(scale.plot().x() + x + 0.5);
        }
        long[] counts = new long[width * height];
        long most = 0;
        for (int x = 0; x < width; x++) {
            if (slots[x] < 0) {
                continue;
            }
            boolean same = x > 0 && slots[x] == slots[x - 1];
            for (int y = 0; y < height; y++) {
                long calls = same ? counts[y * width + x - 1] : y > 0 && cells[y] == cells[y - 1] ? counts[(y - 1) * width + x]
                        : blank.calls(slots[x], cells[y]);
                counts[y * width + x] = calls;
                most = Math.max(most, calls);
            }
        }
        int[] pixels = new int[width * height];
        Arrays.fill(pixels, HeatPicture.NOTHING);
        for (int i = 0; i < pixels.length; i++) {
            if (counts[i] > 0) {
                pixels[i] = i > 0 && counts[i] == counts[i - 1] ? pixels[i - 1] : HeatColours.of(counts[i], most, dark);
            }
        }
        return new HeatPicture(scale, map, group, pixels, most, blank.percentile(50), blank.percentile(99));
    }

    /** So many buckets of 1/16 octave that a cell can be seen. */
    private static int group(HeatScale scale, int height) {
        double octaves = Math.log(scale.wall().maxNanos() / scale.wall().minNanos()) / Math.log(2);
        double bucketPixels = height / Math.max(1, octaves * 16);
        int group = 1;
        while (group < 16 && bucketPixels * group < LEAST_CELL_PIXELS) {
            group *= 2;
        }
        return group;
    }
}
