// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.functions;

import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Rectangle;
import org.kview.chart.Area;
import org.kview.chart.BreakdownBar;
import org.kview.model.FunctionLatency;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.chart.GcSurface;
import org.kview.ui.theme.Palette;

/** The bar in a table's cell that shows where a function's time went. */
final class BreakdownCell {
    private static final int MARGIN_X = 4;
    private static final int MARGIN_Y = 4;

    private BreakdownCell() {
    }

    static void paint(GC gc, ChartFonts fonts, Rectangle cell, FunctionLatency latency, Palette palette) {
        Area bar = new Area(cell.x, cell.y, cell.width, cell.height).inset(MARGIN_X, MARGIN_Y, MARGIN_X, MARGIN_Y);
        boolean known = !latency.wall().isEmpty() && latency.function().measuresAll();
        if (bar.width() > 2 && bar.height() > 2 && known) {
            BreakdownBar.of(latency).draw(new GcSurface(gc, fonts, palette), bar);
        }
    }
}
