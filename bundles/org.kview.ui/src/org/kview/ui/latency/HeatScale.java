// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import org.kview.chart.Area;
import org.kview.chart.LogAxis;
import org.kview.chart.TimeAxis;
import org.kview.model.Bookmark.Range;

/**
 * Which time and which latencies a picture shows, and where.
 *
 * @param startNanos the recording's start, in ns since 1970
 * @param time       since then
 * @param wall       upwards
 * @param plot       where its cells are, in pixels
 */
record HeatScale(long startNanos, TimeAxis time, LogAxis wall, Area plot) {

    double x(long epochNanos) {
        return plot.x() + time.position(epochNanos - startNanos) * plot.width();
    }

    double y(double wallNanos) {
        return plot.bottom() - wall.position(wallNanos) * plot.height();
    }

    /** In ns since 1970. */
    long timeAt(double x) {
        return startNanos + Math.round(time.nanosAt((x - plot.x()) / plot.width()));
    }

    double wallAt(double y) {
        return wall.nanosAt((plot.bottom() - y) / plot.height());
    }

    /** All of the time that is shown, in ns since 1970. */
    Range range() {
        return new Range(startNanos + time.minNanos(), startNanos + time.maxNanos());
    }
}
