// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Composite;
import org.kview.chart.Area;
import org.kview.chart.Ink;
import org.kview.chart.WaysChart;
import org.kview.model.ComparedWays;
import org.kview.model.SafeText;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.chart.GcSurface;
import org.kview.ui.theme.Palette;

/** Draws what ways to record cost; the figures of what lies under the pointer are its tool tip. */
final class WaysCanvas extends Canvas {
    private static final int MARGIN = 8;

    private final ChartFonts fonts;
    private Optional<WaysChart> chart = Optional.empty();
    /** What the tool tip says. */
    private Optional<String> told = Optional.empty();

    WaysCanvas(Composite parent) {
        super(parent, SWT.DOUBLE_BUFFERED);
        fonts = new ChartFonts(getDisplay());
        addListener(SWT.Paint, event -> paint(event.gc));
        addListener(SWT.Resize, event -> redraw());
        addListener(SWT.Dispose, event -> fonts.dispose());
        addListener(SWT.MouseMove, event -> {
            Optional<String> text = hover(event.x, event.y);
            if (!text.equals(told)) {
                told = text;
                setToolTipText(text.map(SafeText::line).orElse(null));
            }
        });
    }

    void show(ComparedWays ways) {
        chart = Optional.of(WaysChart.of(ways));
        redraw();
    }

    /** What it needs, with its margins. */
    int leastHeight() {
        return chart.map(c -> (int) Math.ceil(c.leastHeight())).orElse(0) + 2 * MARGIN;
    }

    /** What lies under a point of this widget. */
    Optional<String> hover(int x, int y) {
        Area area = area();
        return chart.flatMap(c -> c.hover(x, y, area));
    }

    private Area area() {
        Rectangle bounds = getClientArea();
        return new Area(0, 0, bounds.width, bounds.height).inset(MARGIN, MARGIN, MARGIN, MARGIN);
    }

    private void paint(GC gc) {
        Rectangle bounds = getClientArea();
        GcSurface surface = new GcSurface(gc, fonts, Palette.of(this));
        surface.fillRectangle(new Area(0, 0, bounds.width, bounds.height), Ink.Tone.BACKGROUND);
        chart.ifPresent(c -> c.draw(surface, area()));
    }
}
