// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import java.util.Optional;
import java.util.function.Function;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.jface.window.ToolTip;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Label;
import org.kview.chart.BreakdownBar;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.session.report.FunctionNotes;
import org.kview.ui.text.Counts;
import org.kview.ui.theme.Palette;

/** Says what the colours of a bar stand for: each part's time and share, in the bar's order. */
final class BreakdownToolTip extends ToolTip {
    private static final int NOTE_WIDTH = 320;

    private final Function<Point, Optional<FunctionRow>> rowAt;

    /** @param rowAt the row whose bar lies under a point of the control, if any */
    BreakdownToolTip(Control control, Function<Point, Optional<FunctionRow>> rowAt) {
        super(control, NO_RECREATE, false);
        this.rowAt = rowAt;
        setShift(new Point(12, 12));
    }

    private Optional<FunctionRow> row(Event event) {
        return rowAt.apply(new Point(event.x, event.y)).filter(row -> !row.latency().wall().isEmpty());
    }

    @Override
    protected boolean shouldCreateToolTip(Event event) {
        return row(event).isPresent();
    }

    /** One tip a row: it stays while the pointer moves along the bar. */
    @Override
    protected Object getToolTipArea(Event event) {
        return row(event).map(FunctionRow::key).orElse("");
    }

    @Override
    protected Composite createToolTipContentArea(Event event, Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(4).margins(10, 8).spacing(12, 3).applyTo(area);
        row(event).ifPresent(row -> fill(area, row.latency()));
        return area;
    }

    private static void fill(Composite area, FunctionLatency latency) {
        Label title = new Label(area, SWT.NONE);
        title.setText(SafeText.lines(latency.function().name() + ": " + LatencyFormat.exactly(latency.wall().totalNanos()) + " in "
                + Counts.format(latency.wall().count(), "call", "calls")));
        title.setFont(JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT));
        GridDataFactory.swtDefaults().span(4, 1).applyTo(title);
        BreakdownBar.of(latency).parts().forEach(part -> line(area, part));
        FunctionNotes.of(latency).forEach(note -> note(area, note));
    }

    private static void note(Composite area, String text) {
        Label label = new Label(area, SWT.WRAP);
        label.setText(SafeText.lines(text.replace("&", "&&")));
        GridDataFactory.swtDefaults().span(4, 1).hint(NOTE_WIDTH, SWT.DEFAULT).applyTo(label);
    }

    private static void line(Composite area, BreakdownBar.Part part) {
        Label swatch = new Label(area, SWT.NONE);
        swatch.setData("org.eclipse.e4.ui.css.disabled", Boolean.TRUE);
        swatch.setBackground(Palette.of(part.metric()));
        GridDataFactory.swtDefaults().hint(12, 12).applyTo(swatch);
        new Label(area, SWT.NONE).setText(SafeText.lines(part.metric().label()));
        number(area, LatencyFormat.exactly(part.nanos()));
        number(area, LatencyFormat.percent(part.share()));
    }

    private static void number(Composite area, String text) {
        Label label = new Label(area, SWT.RIGHT);
        label.setText(SafeText.lines(text));
        GridDataFactory.fillDefaults().applyTo(label);
    }
}
