// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;
import java.util.function.Supplier;

import org.kview.calls.CallBox;
import org.kview.chart.LogAxis;
import org.kview.model.Bookmark.Range;
import org.kview.ui.selection.SelectionService;
import org.kview.ui.widgets.ZoomHistory;

/** Which part of all calls the picture shows. The time is that of all views. */
final class LatencyZoom {
    private static final long LEAST_NANOS = 1_000;
    /** Further than any latency. */
    private static final LogAxis ALL_WALL = new LogAxis(LogAxis.LEAST_NANOS, 1e14);

    private final SelectionService selection;
    private final Supplier<Optional<HeatPicture>> picture;
    private final Supplier<Optional<CallBox.Range>> whole;
    private final Runnable changed;
    private final ZoomHistory<Part> history = new ZoomHistory<>(Part.ALL, this::show);
    private Optional<LogAxis> wall = Optional.empty();

    /** What is shown of all calls; what is empty is all of it. */
    private record Part(Optional<Range> time, Optional<LogAxis> wall) {
        private static final Part ALL = new Part(Optional.empty(), Optional.empty());
    }

    /**
     * @param picture what is shown at present
     * @param whole   the time of all calls, in ns since 1970
     * @param changed runs when other latencies are to be shown
     */
    LatencyZoom(SelectionService selection, Supplier<Optional<HeatPicture>> picture, Supplier<Optional<CallBox.Range>> whole,
            Runnable changed) {
        this.selection = selection;
        this.picture = picture;
        this.whole = whole;
        this.changed = changed;
    }

    /** Empty for all latencies that occur. */
    Optional<LogAxis> wall() {
        return wall;
    }

    boolean isZoomed() {
        return wall.isPresent() || selection.shown().isPresent();
    }

    void showAll() {
        wall = Optional.empty();
        selection.show(Optional.empty());
        changed.run();
    }

    /** Another session begins with all latencies. */
    void forget() {
        wall = Optional.empty();
        history.forget();
    }

    /** What was shown before, to go back to. */
    ZoomHistory<?> history() {
        return history;
    }

    /** Keeps what is shown now, which other views may have chosen. */
    void note() {
        history.note(new Part(selection.shown(), wall));
    }

    private void show(Part part) {
        wall = part.wall();
        selection.show(part.time());
        changed.run();
    }

    /**
     * Less or more time, where that at a position stays where it is.
     *
     * @param factor below 1 for less
     */
    void zoomTime(double position, double factor) {
        picture.get().ifPresent(shown -> {
            Range range = shown.scale().range();
            double span = Math.max(LEAST_NANOS, (double) (range.endNanos() - range.beginNanos()) * factor);
            double fixed = range.beginNanos() + position * (range.endNanos() - range.beginNanos());
            showTime(Math.round(fixed - position * span), Math.round(fixed + (1 - position) * span));
        });
    }

    /** The neighbouring time, by a fraction of what is shown; less than 0 is earlier. */
    void moveTime(double fraction) {
        picture.get().filter(_ -> selection.shown().isPresent()).ifPresent(shown -> {
            Range range = shown.scale().range();
            long by = Math.round(fraction * (range.endNanos() - range.beginNanos()));
            whole.get().ifPresent(all -> {
                long within = Math.clamp(by, Math.min(0, all.least() - range.beginNanos()), Math.max(0, all.most() - range.endNanos()));
                showTime(range.beginNanos() + within, range.endNanos() + within);
            });
        });
    }

    private void showTime(long begin, long end) {
        whole.get().ifPresent(all -> {
            long from = Math.clamp(begin, all.least(), Math.max(all.least(), all.most() - 1));
            long to = Math.clamp(end, from + 1, Math.max(from + 1, all.most()));
            selection.show(from <= all.least() && to >= all.most() ? Optional.empty() : Optional.of(new Range(from, to)));
        });
    }

    void zoomWall(double position, double factor) {
        picture.get().ifPresent(shown -> showWall(shown.scale().wall().zoomed(position, factor, ALL_WALL)));
    }

    /** Longer latencies, by a fraction of the picture; less than 0 for shorter ones. */
    void moveWall(double fraction) {
        picture.get().filter(_ -> wall.isPresent()).ifPresent(shown -> showWall(shown.scale().wall().moved(fraction, ALL_WALL)));
    }

    private void showWall(LogAxis axis) {
        wall = Optional.of(axis);
        changed.run();
    }

    /** These alone; what is empty stays as it is. */
    void show(Optional<Range> time, Optional<CallBox.Range> latencies) {
        latencies.ifPresent(range -> showWall(ALL_WALL.part(Math.max(1, range.least()), Math.max(2, range.most()))));
        time.ifPresent(range -> showTime(range.beginNanos(), range.endNanos()));
    }
}
