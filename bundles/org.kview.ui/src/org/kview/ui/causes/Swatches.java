// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.ImageDataProvider;
import org.eclipse.swt.graphics.PaletteData;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.kview.model.Metric;
import org.kview.ui.theme.MetricColours;

/** Small squares in the metrics' colours, with a grey edge that shows on light and dark ground. They go with the control that they are for. */
public final class Swatches {
    private static final int SIZE = 14;
    private static final int EDGE_RGB = 0x808080;

    private final Map<Metric, Image> images = new EnumMap<>(Metric.class);

    /** @param refill puts them where they are shown, anew: others are there where other colours are chosen */
    public Swatches(Control control, Runnable refill) {
        draw(control.getDisplay());
        MetricColours.follow(control, () -> {
            List<Image> before = List.copyOf(images.values());
            draw(control.getDisplay());
            refill.run();
            before.forEach(Image::dispose);
        });
        control.addDisposeListener(_ -> images.values().forEach(Image::dispose));
    }

    private void draw(Display display) {
        for (Metric metric : Metric.values()) {
            int rgb = MetricColours.rgb(metric);
            ImageDataProvider pixels = zoom -> data(rgb, SIZE * zoom / 100);
            images.put(metric, new Image(display, pixels));
        }
    }

    public Image of(Metric metric) {
        return images.get(metric);
    }

    private static ImageData data(int rgb, int size) {
        ImageData data = new ImageData(size, size, 24, new PaletteData(0xff0000, 0xff00, 0xff));
        for (int y = 0; y < size; y++) {
            for (int x = 0; x < size; x++) {
                boolean edge = x == 0 || y == 0 || x == size - 1 || y == size - 1;
                data.setPixel(x, y, edge ? EDGE_RGB : rgb);
            }
        }
        return data;
    }
}
