// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.latency;

import java.util.List;
import java.util.Optional;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.PaletteData;
import org.eclipse.swt.graphics.Point;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Composite;
import org.kview.chart.Area;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.chart.GcSurface;
import org.kview.ui.theme.Palette;

/** Shows a heat map that was drawn elsewhere, with its axes, what is selected, and what lies under the pointer. */
final class LatencyCanvas extends Canvas {
    private static final int LEFT = 66;
    private static final int TOP = 46;
    private static final int RIGHT = 14;
    private static final int BOTTOM = 34;
    private static final int LEAST = 60;

    private final ChartFonts fonts;
    private LatencyScene scene = LatencyScene.EMPTY;
    private Optional<Image> image = Optional.empty();
    private Optional<Point> pointer = Optional.empty();

    LatencyCanvas(Composite parent) {
        super(parent, SWT.DOUBLE_BUFFERED);
        fonts = new ChartFonts(getDisplay());
        addListener(SWT.Paint, event -> paint(event.gc));
        addListener(SWT.MouseMove, event -> point(Optional.of(new Point(event.x, event.y))));
        addListener(SWT.MouseExit, _ -> point(Optional.empty()));
        addListener(SWT.Dispose, _ -> {
            fonts.dispose();
            image.ifPresent(Image::dispose);
        });
    }

    private void point(Optional<Point> where) {
        pointer = where;
        redraw();
    }

    /** Where cells are drawn; of no height if there is no room. */
    Area plot() {
        Rectangle bounds = getClientArea();
        Area plot = new Area(LEFT, TOP, bounds.width - LEFT - RIGHT, bounds.height - TOP - BOTTOM);
        return plot.width() < LEAST || plot.height() < LEAST / 2.0 ? new Area(0, 0, 0, 0) : plot;
    }

    boolean isDark() {
        return Palette.of(this).dark();
    }

    void show(LatencyScene next) {
        boolean same = next.picture().equals(scene.picture());
        scene = next;
        if (!same) {
            image.ifPresent(Image::dispose);
            image = next.picture().map(picture -> new Image(getDisplay(), data(picture)));
        }
        redraw();
    }

    LatencyScene scene() {
        return scene;
    }

    /** What lies under a point, line by line; empty where no cells are. */
    List<String> hoverLines(int x, int y) {
        return LatencyHover.lines(scene, x, y);
    }

    private static ImageData data(HeatPicture picture) {
        Area plot = picture.scale().plot();
        int width = (int) plot.width();
        ImageData data = new ImageData(width, (int) plot.height(), 24, new PaletteData(0xff0000, 0xff00, 0xff));
        byte[] alpha = new byte[width];
        for (int y = 0; y < data.height; y++) {
            data.setPixels(0, y, width, picture.pixels(), y * width);
            for (int x = 0; x < width; x++) {
                alpha[x] = (byte) (picture.pixels()[y * width + x] == HeatPicture.NOTHING ? 0 : 255);
            }
            data.setAlphas(0, y, width, alpha, 0);
        }
        return data;
    }

    private void paint(GC gc) {
        Rectangle bounds = getClientArea();
        GcSurface surface = new GcSurface(gc, fonts, Palette.of(this));
        draw(gc, surface, bounds);
        pointer.filter(_ -> scene.drag().isEmpty()).ifPresent(at -> LatencyHover.draw(surface, scene, at.x, at.y));
    }

    private void draw(GC gc, GcSurface surface, Rectangle bounds) {
        LatencyDrawing drawing = new LatencyDrawing(surface, scene, new Area(0, 0, bounds.width, bounds.height));
        drawing.ground();
        image.ifPresent(cells -> {
            Area plot = scene.picture().orElseThrow().scale().plot();
            gc.drawImage(cells, (int) plot.x(), (int) plot.y());
        });
        drawing.above(isDark());
    }

    /** The picture of a scene as it would stand here, without what the pointer shows. */
    ImageData image(LatencyScene other) {
        LatencyScene before = scene;
        scene = other;
        try {
            return image();
        } finally {
            scene = before;
        }
    }

    private ImageData image() {
        Rectangle bounds = getClientArea();
        Image copy = new Image(getDisplay(), Math.max(1, bounds.width), Math.max(1, bounds.height));
        GC gc = new GC(copy);
        draw(gc, new GcSurface(gc, fonts, Palette.of(this)), bounds);
        gc.dispose();
        ImageData data = copy.getImageData();
        copy.dispose();
        return data;
    }
}
