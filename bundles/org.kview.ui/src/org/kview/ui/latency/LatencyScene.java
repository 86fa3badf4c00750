// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;

import org.kview.calls.CallBox;
import org.kview.chart.Area;
import org.kview.model.Bookmark.Range;

/**
 * All that the view shows at a time. Immutable.
 *
 * @param picture     empty if there are no calls to show
 * @param summary     its exact figures, as soon as they are known
 * @param title       whose calls it shows
 * @param message     what stands there instead, if there is no picture
 * @param time        that is selected
 * @param wall        that is selected
 * @param focus       the time of the single call that is looked at
 * @param drag        what the user is drawing just now
 * @param percentiles whether p50 and p99 are drawn over it
 */
record LatencyScene(Optional<HeatPicture> picture, Optional<HeatSummary> summary, String title, String message, Optional<Range> time,
        Optional<CallBox.Range> wall, Optional<Range> focus, Optional<Area> drag, boolean percentiles) {
    static final LatencyScene EMPTY = new LatencyScene(Optional.empty(), Optional.empty(), "", "", Optional.empty(), Optional.empty(),
            Optional.empty(), Optional.empty(), true);

    LatencyScene with(Optional<HeatPicture> drawn, Optional<HeatSummary> figures, String instead) {
        return new LatencyScene(drawn, figures, title, instead, time, wall, focus, drag, percentiles);
    }

    LatencyScene withTitle(String text) {
        return new LatencyScene(picture, summary, text, message, time, wall, focus, drag, percentiles);
    }

    LatencyScene withSelection(Optional<Range> when, Optional<CallBox.Range> howLong, Optional<Range> call) {
        return new LatencyScene(picture, summary, title, message, when, howLong, call, drag, percentiles);
    }

    LatencyScene withDrag(Optional<Area> area) {
        return new LatencyScene(picture, summary, title, message, time, wall, focus, area, percentiles);
    }

    LatencyScene withPercentiles(boolean shown) {
        return new LatencyScene(picture, summary, title, message, time, wall, focus, drag, shown);
    }

    /** Where the selection is in the picture; empty if nothing of it is in sight. */
    Optional<Area> brush() {
        if (picture.isEmpty() || time.isEmpty() && wall.isEmpty()) {
            return Optional.empty();
        }
        HeatScale scale = picture.get().scale();
        Area plot = scale.plot();
        double left = time.map(range -> scale.x(range.beginNanos())).orElse(plot.x());
        double right = time.map(range -> scale.x(range.endNanos())).orElse(plot.right());
        double top = wall.map(range -> scale.y(range.most())).orElse(plot.y());
        double bottom = wall.map(range -> scale.y(range.least())).orElse(plot.bottom());
        if (left > plot.right() || right < plot.x() || top > plot.bottom() || bottom < plot.y()) {
            return Optional.empty();
        }
        double x = Math.max(left, plot.x());
        double y = Math.max(top, plot.y());
        return Optional.of(new Area(x, y, Math.max(1, Math.min(right, plot.right()) - x),
                Math.max(1, Math.min(bottom, plot.bottom()) - y)));
    }
}
