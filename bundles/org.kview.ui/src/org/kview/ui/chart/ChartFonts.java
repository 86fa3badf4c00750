// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.chart;

import java.util.HashMap;
import java.util.Map;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Device;
import org.eclipse.swt.graphics.Font;
import org.eclipse.swt.graphics.FontData;
import org.kview.chart.TextStyle;

/** The fonts of charts, in the family that the user's desktop uses. To be disposed of with its widget. */
public final class ChartFonts {
    private static final double POINTS_AN_INCH = 72;

    private final Device device;
    private final FontData system;
    private final Map<Size, Font> fonts = new HashMap<>();

    private record Size(float points, boolean bold) {
    }

    public ChartFonts(Device device) {
        this.device = device;
        this.system = device.getSystemFont().getFontData()[0];
    }

    Font of(TextStyle style) {
        float points = (float) (style.size() * POINTS_AN_INCH / device.getDPI().y);
        return fonts.computeIfAbsent(new Size(points, style.bold()), size -> {
            FontData data = new FontData(system.getName(), Math.max(1, Math.round(size.points())),
                    size.bold() ? SWT.BOLD : SWT.NORMAL);
            data.height = size.points();
            return new Font(device, data);
        });
    }

    public void dispose() {
        fonts.values().forEach(Font::dispose);
        fonts.clear();
    }
}
