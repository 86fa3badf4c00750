// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import org.eclipse.swt.graphics.Device;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageDataProvider;
import org.eclipse.swt.graphics.PaletteData;
import org.kview.model.Metric;

/** A small square in a metric's colour, with a grey edge that shows on light and dark ground. */
public final class Swatch {
    private static final int SIZE = 14;
    private static final int EDGE_RGB = 0x808080;

    private Swatch() {
    }

    /** The caller disposes of it. */
    public static Image of(Device device, Metric metric) {
        ImageDataProvider pixels = zoom -> data(metric, SIZE * zoom / 100);
        return new Image(device, pixels);
    }

    private static ImageData data(Metric metric, int size) {
        ImageData data = new ImageData(size, size, 24, new PaletteData(0xff0000, 0xff00, 0xff));
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                boolean edge = x == 0 || y == 0 || x == size - 1 || y == size - 1;
                data.setPixel(x, y, edge ? EDGE_RGB : metric.rgb());
            }
        }
        return data;
    }
}
