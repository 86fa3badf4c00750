// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.kview.chart.Area;
import org.kview.chart.Ink;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.chart.TextStyle;
import org.kview.model.Distribution;
import org.kview.model.LatencyBuckets;
import org.kview.model.LatencyFormat;

/** Tells what lies under the pointer, in exact numbers. */
final class LatencyHover {
    private static final int LINE = 17;
    private static final int PADDING = 7;
    private static final int NANOS_DECIMALS = 9;
    private static final long SECOND = 1_000_000_000L;
    private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

    private LatencyHover() {
    }

    /** Empty where no cells are. */
    static List<String> lines(LatencyScene scene, int x, int y) {
        if (scene.picture().isEmpty() || !scene.picture().get().scale().plot().contains(x, y)) {
            return List.of();
        }
        HeatPicture picture = scene.picture().get();
        int slot = picture.slotAt(x + 0.5);
        if (slot < 0) {
            return List.of();
        }
        int cell = picture.cellAt(y + 0.5);
        int last = Math.min(cell + picture.group(), LatencyBuckets.COUNT) - 1;
        long begin = picture.slotBegin(slot);
        List<String> lines = new ArrayList<>();
        lines.add(LatencyFormat.range(LatencyBuckets.lowNanos(cell),
                LatencyBuckets.lowNanos(last) + LatencyBuckets.widthNanos(last)) + ": " + calls(picture.calls(slot, cell)));
        Distribution all = picture.distribution(slot);
        lines.add("All latencies: " + calls(all.count()) + (all.isEmpty() ? "" : " · p50 " + LatencyFormat.nanos(all.percentileNanos(50))
                + " · p99 " + LatencyFormat.nanos(all.percentileNanos(99))));
        long since = begin - picture.scale().startNanos();
        lines.add(seconds(since) + "–" + seconds(since + picture.map().slotNanos()) + " s since the start · "
                + CLOCK.format(Instant.ofEpochSecond(Math.floorDiv(begin, SECOND), Math.floorMod(begin, SECOND))) + " UTC");
        return lines;
    }

    private static String calls(long count) {
        return LatencyFormat.count(count) + (count == 1 ? " call" : " calls");
    }

    private static String seconds(long nanos) {
        return BigDecimal.valueOf(nanos, NANOS_DECIMALS).toPlainString();
    }

    static void draw(Surface surface, LatencyScene scene, int x, int y) {
        List<String> lines = lines(scene, x, y);
        if (lines.isEmpty()) {
            return;
        }
        Area plot = scene.picture().orElseThrow().scale().plot();
        double width = lines.stream().mapToDouble(line -> surface.textWidth(line, TextStyle.NORMAL)).max().orElse(0) + 2 * PADDING;
        double height = lines.size() * LINE + 2 * PADDING - 3;
        // Beside the pointer, where there is room.
        double left = x + 16 + width < plot.right() ? x + 16 : Math.max(0, x - 16 - width);
        double top = y + 16 + height < plot.bottom() ? y + 16 : Math.max(0, y - 16 - height);
        Area box = new Area(left, top, width, height);
        surface.fillRectangle(box, Ink.Tone.BACKGROUND);
        surface.drawRectangle(box, Stroke.solid(Ink.Tone.AXIS, 1));
        double baseline = box.y() + PADDING + 11;
        for (String line : lines) {
            surface.drawText(line, left + PADDING, baseline, TextStyle.NORMAL);
            baseline += LINE;
        }
    }
}
