// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Event;
import org.kview.calls.CallBox;
import org.kview.chart.Area;
import org.kview.model.Bookmark.Range;
import org.kview.ui.selection.CallSelection;
import org.kview.ui.selection.SelectionService;

/** What mouse and keys do in the picture: a drag selects calls, with Ctrl it shows them larger; the wheel zooms. */
final class LatencyInput {
    private static final double STEP = 1.3;
    private static final double MOVE = 0.15;
    /** A drag over fewer pixels than this counts as a click. */
    private static final int LEAST_DRAG = 4;
    /** Of the picture, by a key. */
    private static final double GROW = 0.02;

    private final LatencyCanvas canvas;
    private final LatencyZoom zoom;
    private final SelectionService selection;
    private Optional<Point> from = Optional.empty();
    /** What a click took away: the first of two clicks takes nothing. */
    private Optional<Taken> taken = Optional.empty();

    private record Taken(CallSelection selection, Optional<Range> focus) {
    }

    LatencyInput(LatencyCanvas canvas, LatencyZoom zoom, SelectionService selection) {
        this.canvas = canvas;
        this.zoom = zoom;
        this.selection = selection;
        canvas.addListener(SWT.MouseDown, this::press);
        canvas.addListener(SWT.MouseMove, this::drag);
        canvas.addListener(SWT.MouseUp, this::release);
        canvas.addListener(SWT.MouseDoubleClick, _ -> doubleClick());
        canvas.addListener(SWT.MouseVerticalWheel, this::turn);
        canvas.addListener(SWT.KeyDown, this::key);
        // Otherwise Tab would end here, as the canvas has keys of its own.
        canvas.addListener(SWT.Traverse, event -> event.doit = event.detail != SWT.TRAVERSE_RETURN);
    }

    private Optional<HeatScale> scale() {
        return canvas.scene().picture().map(HeatPicture::scale);
    }

    private void press(Event event) {
        canvas.setFocus();
        if (event.button == 1 && scale().filter(scale -> scale.plot().contains(event.x, event.y)).isPresent()) {
            from = Optional.of(new Point(event.x, event.y));
        } else {
            // No double click begins with what was clicked before.
            taken = Optional.empty();
        }
    }

    private void drag(Event event) {
        from.filter(_ -> scale().isPresent()).ifPresent(start -> canvas.show(canvas.scene().withDrag(Optional.of(area(start, event)))));
    }

    private Area area(Point start, Event event) {
        Area plot = scale().orElseThrow().plot();
        double x = Math.clamp(event.x, plot.x(), plot.right());
        double y = Math.clamp(event.y, plot.y(), plot.bottom());
        return new Area(Math.min(start.x, x), Math.min(start.y, y), Math.abs(start.x - x), Math.abs(start.y - y));
    }

    private void release(Event event) {
        if (from.isEmpty() || event.button != 1) {
            return;
        }
        Point start = from.get();
        from = Optional.empty();
        taken = Optional.empty();
        canvas.show(canvas.scene().withDrag(Optional.empty()));
        if (scale().isEmpty()) {
            return;
        }
        if (Math.abs(event.x - start.x) < LEAST_DRAG && Math.abs(event.y - start.y) < LEAST_DRAG) {
            taken = Optional.of(new Taken(selection.selection(), selection.focus()));
            clear();
            return;
        }
        Area area = area(start, event);
        HeatScale scale = scale().get();
        Range time = new Range(scale.timeAt(area.x()), scale.timeAt(area.right()));
        CallBox.Range wall = new CallBox.Range((long) Math.ceil(scale.wallAt(area.bottom())), (long) scale.wallAt(area.y()));
        if ((event.stateMask & SWT.MOD1) != 0) {
            zoom.show(Optional.of(time), Optional.of(wall));
        } else {
            selection.select(selection.selection().withBox(Optional.of(time), Optional.of(wall)));
        }
    }

    private void doubleClick() {
        from = Optional.empty();
        taken.ifPresent(before -> {
            selection.select(before.selection());
            selection.focus(before.focus());
        });
        taken = Optional.empty();
        zoom.showAll();
    }

    void clear() {
        selection.select(selection.selection().withBox(Optional.empty(), Optional.empty()));
        selection.focus(Optional.empty());
    }

    void zoomToSelection() {
        CallSelection selected = selection.selection();
        zoom.show(selected.time(), selected.wall());
    }

    private void turn(Event event) {
        if (event.count == 0 || scale().isEmpty()) {
            return;
        }
        Area plot = scale().get().plot();
        double factor = event.count > 0 ? 1 / STEP : STEP;
        if ((event.stateMask & SWT.MOD2) != 0) {
            zoom.moveTime(event.count > 0 ? -MOVE : MOVE);
        } else if ((event.stateMask & SWT.MOD1) != 0) {
            zoom.zoomWall(Math.clamp((plot.bottom() - event.y) / plot.height(), 0, 1), factor);
        } else {
            zoom.zoomTime(Math.clamp((event.x - plot.x()) / plot.width(), 0, 1), factor);
        }
    }

    private void key(Event event) {
        boolean grows = (event.stateMask & SWT.MOD2) != 0;
        switch (event.keyCode) {
            case SWT.ARROW_LEFT -> sideways(-1, grows);
            case SWT.ARROW_RIGHT -> sideways(1, grows);
            case SWT.ARROW_UP -> upwards(1, grows);
            case SWT.ARROW_DOWN -> upwards(-1, grows);
            case SWT.HOME -> zoom.showAll();
            case SWT.CR, SWT.KEYPAD_CR -> zoomToSelection();
            case SWT.ESC -> escape();
            default -> {
                switch (event.character) {
                    case '+', '=' -> zoom.zoomTime(0.5, 1 / STEP);
                    case '-' -> zoom.zoomTime(0.5, STEP);
                    case '0' -> zoom.showAll();
                    default -> { }
                }
            }
        }
    }

    /** First what is selected goes, then the zoom. */
    private void escape() {
        if (selection.selection().hasBox() || selection.focus().isPresent()) {
            clear();
        } else {
            zoom.showAll();
        }
    }

    private void sideways(int direction, boolean grows) {
        if (!grows) {
            zoom.moveTime(direction * MOVE);
            return;
        }
        scale().ifPresent(scale -> {
            Range shown = scale.range();
            long by = Math.round(direction * GROW * (shown.endNanos() - shown.beginNanos()));
            long middle = shown.beginNanos() + (shown.endNanos() - shown.beginNanos()) / 2;
            Range old = selection.selection().time().orElse(new Range(middle, middle));
            selection.selectTime(Optional.of(new Range(old.beginNanos(), Math.max(old.beginNanos(), old.endNanos() + by))));
        });
    }

    private void upwards(int direction, boolean grows) {
        if (!grows) {
            zoom.moveWall(direction * MOVE);
            return;
        }
        // The slow ones are looked for: a selection by keys has no upper end.
        scale().ifPresent(scale -> {
            double low = selection.selection().wall().map(range -> (double) range.least()).orElse(scale.wall().nanosAt(0.5));
            double next = scale.wall().nanosAt(Math.clamp(scale.wall().position(low) + direction * GROW, 0, 1));
            selection.select(selection.selection().withBox(selection.selection().time(),
                    Optional.of(new CallBox.Range(Math.round(next), Long.MAX_VALUE))));
        });
    }
}
