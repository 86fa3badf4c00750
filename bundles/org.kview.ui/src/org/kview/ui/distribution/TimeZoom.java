// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Supplier;

import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Event;
import org.kview.calls.CallBox;
import org.kview.chart.Area;
import org.kview.chart.DistributionChart;
import org.kview.chart.LogAxis;
import org.kview.model.LatencyFormat;
import org.kview.ui.widgets.ZoomHistory;

/**
 * Which times a picture shows: all, or those that were chosen by dragging over them, with the wheel, or with keys. Where there are calls
 * to select, dragging selects those that took so long, and zooms with Ctrl.
 */
final class TimeZoom {
    private static final double STEP = 1.3;
    private static final double MOVE = 0.15;
    /** A drag over fewer pixels than this counts as a click. */
    private static final int LEAST_DRAG = 4;

    private final Canvas canvas;
    private final Supplier<DistributionChart> chart;
    private final Supplier<Area> area;
    private final Runnable changed;
    private Optional<LogAxis> times = Optional.empty();
    private final ZoomHistory<Optional<LogAxis>> history = new ZoomHistory<>(Optional.empty(), this::set);
    private OptionalInt dragFrom = OptionalInt.empty();
    private int dragTo;
    private boolean selecting;
    private Brush brush = Brush.NONE;
    /** What a click took away: the first of two clicks takes nothing. */
    private Optional<CallBox.Range> taken = Optional.empty();

    /**
     * @param chart   what is shown at present
     * @param area    where
     * @param changed to be told of each change
     */
    TimeZoom(Canvas canvas, Supplier<DistributionChart> chart, Supplier<Area> area, Runnable changed) {
        this.canvas = canvas;
        this.chart = chart;
        this.area = area;
        this.changed = changed;
        canvas.addListener(SWT.MouseDown, this::press);
        canvas.addListener(SWT.MouseMove, this::drag);
        canvas.addListener(SWT.MouseUp, this::release);
        canvas.addListener(SWT.MouseDoubleClick, _ -> doubleClick());
        canvas.addListener(SWT.MouseVerticalWheel, this::turn);
        canvas.addListener(SWT.KeyDown, this::key);
        // Otherwise Tab would end here, as the canvas has keys of its own.
        canvas.addListener(SWT.Traverse, event -> event.doit = true);
    }

    void setBrush(Brush next) {
        brush = next;
    }

    /** The chart as it is to be drawn. */
    DistributionChart of(DistributionChart all) {
        DistributionChart part = times.map(all::withTimes).orElse(all);
        if (dragFrom.isEmpty()) {
            return brush.selected().map(its -> band(part, its.least(), its.most())).orElse(part);
        }
        double one = part.nanosAt(dragFrom.getAsInt(), area.get());
        double other = part.nanosAt(dragTo, area.get());
        return band(part, Math.min(one, other), Math.max(one, other));
    }

    private static DistributionChart band(DistributionChart chart, double least, double most) {
        return chart.withBand(new DistributionChart.Band(least, most, LatencyFormat.range(least, most)));
    }

    boolean isZoomed() {
        return times.isPresent();
    }

    boolean isDragging() {
        return dragFrom.isPresent();
    }

    void showAll() {
        set(Optional.empty());
    }

    /** Another picture begins with all times. */
    void begin() {
        history.forget();
        showAll();
    }

    ZoomHistory<Optional<LogAxis>> history() {
        return history;
    }

    /** Fewer times by the factor, around the middle. */
    void zoomIn() {
        zoom(0.5, 1 / STEP);
    }

    void zoomOut() {
        zoom(0.5, STEP);
    }

    private void zoom(double position, double factor) {
        LogAxis whole = chart.get().wholeAxis();
        LogAxis next = chart.get().axis().zoomed(position, factor, whole);
        set(next.minNanos() <= whole.minNanos() * 1.001 && next.maxNanos() >= whole.maxNanos() * 0.999 ? Optional.empty()
                : Optional.of(next));
    }

    private void set(Optional<LogAxis> next) {
        times = next;
        history.note(next);
        dragFrom = OptionalInt.empty();
        changed.run();
    }

    private void press(Event event) {
        canvas.setFocus();
        if (event.button == 1) {
            dragFrom = OptionalInt.of(event.x);
            dragTo = event.x;
            selecting = brush.isPossible() && (event.stateMask & SWT.MOD1) == 0;
        }
    }

    private void drag(Event event) {
        if (dragFrom.isPresent()) {
            dragTo = event.x;
            changed.run();
        }
    }

    private void release(Event event) {
        if (dragFrom.isEmpty() || event.button != 1) {
            return;
        }
        int from = dragFrom.getAsInt();
        dragFrom = OptionalInt.empty();
        // The calls may have gone since it began.
        boolean selects = selecting && brush.isPossible();
        if (Math.abs(event.x - from) < LEAST_DRAG) {
            taken = selects ? brush.selected() : Optional.empty();
            if (selects) {
                brush.select(Optional.empty());
            }
            changed.run();
            return;
        }
        double one = chart.get().nanosAt(from, area.get());
        double other = chart.get().nanosAt(event.x, area.get());
        if (selects) {
            brush.select(Optional.of(new CallBox.Range(Math.round(Math.min(one, other)), Math.round(Math.max(one, other)))));
            changed.run();
            return;
        }
        set(Optional.of(chart.get().wholeAxis().part(Math.min(one, other), Math.max(one, other))));
    }

    private void doubleClick() {
        if (taken.isPresent() && brush.isPossible()) {
            brush.select(taken);
        }
        taken = Optional.empty();
        showAll();
    }

    private void turn(Event event) {
        if (event.count != 0) {
            zoom(chart.get().positionAt(event.x, area.get()), event.count > 0 ? 1 / STEP : STEP);
        }
    }

    private void key(Event event) {
        switch (event.keyCode) {
            case SWT.ARROW_LEFT -> move(-MOVE);
            case SWT.ARROW_RIGHT -> move(MOVE);
            case SWT.HOME -> showAll();
            case SWT.ESC -> {
                if (brush.isPossible() && brush.selected().isPresent()) {
                    brush.select(Optional.empty());
                } else {
                    showAll();
                }
            }
            default -> {
                switch (event.character) {
                    case '+', '=' -> zoomIn();
                    case '-' -> zoomOut();
                    case '0' -> showAll();
                    default -> { }
                }
            }
        }
    }

    private void move(double fraction) {
        if (isZoomed()) {
            set(Optional.of(chart.get().axis().moved(fraction, chart.get().wholeAxis())));
        }
    }
}
