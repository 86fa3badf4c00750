// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.distribution;

import java.util.List;
import java.util.OptionalInt;

import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.GC;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.graphics.ImageData;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.graphics.Transform;
import org.eclipse.swt.widgets.Canvas;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.kview.chart.Area;
import org.kview.chart.ChartTheme;
import org.kview.chart.DistributionChart;
import org.kview.chart.DistributionSeries;
import org.kview.chart.Hover;
import org.kview.chart.Ink;
import org.kview.chart.ShareScale;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.chart.SvgSurface;
import org.kview.chart.TextStyle;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.chart.GcSurface;
import org.kview.ui.theme.Palette;

/** Shows distributions, and what lies under the pointer. */
public final class DistributionCanvas extends Canvas {
    private static final int MARGIN = 8;
    private static final int TITLE_HEIGHT = 22;
    private static final int LEAST_AREA = 90;
    /** With a smaller height there is no room for curves. */
    static final int LEAST_HEIGHT = LEAST_AREA + 2 * MARGIN;
    private static final int LEAST_WIDTH = 240;
    private static final int HOVER_LINE_HEIGHT = 17;
    private static final int HOVER_PADDING = 7;
    private static final String ZOOMED = " · Esc shows all times";

    private final ChartFonts fonts;
    private DistributionInput input = DistributionInput.EMPTY;
    private String title = "";
    private String emptyText = "Once a session is open: how long the calls of its functions took";
    private List<DistributionSeries> series = List.of();
    private List<String> subject = List.of();
    private ShareScale heights = ShareScale.LINEAR;
    private final TimeZoom zoom;
    /** The picture, as it is drawn now. */
    private DistributionChart chart = DistributionChart.of(List.of());
    private OptionalInt pointerX = OptionalInt.empty();

    public DistributionCanvas(Composite parent) {
        super(parent, SWT.DOUBLE_BUFFERED);
        fonts = new ChartFonts(getDisplay());
        addListener(SWT.Paint, event -> paint(event.gc));
        addListener(SWT.MouseMove, this::point);
        addListener(SWT.MouseExit, event -> {
            pointerX = OptionalInt.empty();
            redraw();
        });
        addListener(SWT.Resize, event -> redraw());
        addListener(SWT.Dispose, event -> fonts.dispose());
        zoom = new TimeZoom(this, () -> chart, () -> chartArea(getClientArea().width, getClientArea().height), this::refresh);
    }

    void show(DistributionInput next) {
        input = next;
        show(next.functions().stream().map(f -> f.function().name()).toList(), next.title(), next.series());
    }

    /** @param heading over the curves; empty if there are none */
    public void show(String heading, List<DistributionSeries> curves) {
        show(List.of(heading), heading, curves);
    }

    /**
     * If other functions are shown, the picture begins with all their times; if only calls are added, the shown part stays.
     */
    private void show(List<String> functions, String heading, List<DistributionSeries> curves) {
        boolean same = functions.equals(subject);
        subject = functions;
        title = heading;
        series = curves;
        if (same) {
            refresh();
        } else {
            zoom.begin();
        }
    }

    /** Others are selected. */
    void refresh() {
        chart = zoom.of(DistributionChart.of(series).withShares(heights));
        redraw();
    }

    void setHeights(ShareScale scale) {
        heights = scale;
        refresh();
    }

    ShareScale heights() {
        return heights;
    }

    TimeZoom zoom() {
        return zoom;
    }

    /** The time at an x of this widget. */
    double nanosAt(int x) {
        Rectangle bounds = getClientArea();
        return chart.nanosAt(x, chartArea(bounds.width, bounds.height));
    }

    List<DistributionSeries> series() {
        return series;
    }

    DistributionChart chart() {
        return chart;
    }

    /** The text that is shown while there is nothing to draw. */
    public void setEmptyText(String text) {
        emptyText = text;
    }

    private void point(Event event) {
        pointerX = OptionalInt.of(event.x);
        redraw();
    }

    private void paint(GC gc) {
        Rectangle bounds = getClientArea();
        GcSurface surface = new GcSurface(gc, fonts, Palette.of(this));
        draw(surface, bounds.width, bounds.height, zoom.isZoomed() ? hint() + ZOOMED : hint());
        if (pointerX.isPresent() && !zoom.isDragging()) {
            drawHover(surface, pointerX.getAsInt(), chartArea(bounds.width, bounds.height));
        }
    }

    private String hint() {
        return switch (heights) {
            case LINEAR, LOGARITHMIC -> "height: share of calls by 1 % of time";
            case CUMULATIVE -> "height: share of calls that took no longer";
            case PERCENTILES -> "height: percentiles, by powers of ten of what is above";
        };
    }

    private static Area chartArea(int width, int height) {
        return new Area(0, 0, width, height).inset(MARGIN, MARGIN + (hasTitle(height) ? TITLE_HEIGHT : 0), MARGIN, MARGIN);
    }

    /** If there is little room, the curves get it before all else. */
    private static boolean hasTitle(int height) {
        return height >= LEAST_HEIGHT + TITLE_HEIGHT;
    }

    private void draw(Surface surface, int width, int height, String hint) {
        surface.fillRectangle(new Area(0, 0, width, height), Ink.Tone.BACKGROUND);
        Area area = chartArea(width, height);
        if (area.width() < 80 || area.height() < LEAST_AREA) {
            surface.drawText("There is no room for the distribution.", MARGIN, MARGIN + 14, TextStyle.SMALL);
            return;
        }
        if (title.isEmpty()) {
            surface.drawText(emptyText, width / 2.0,
                    height / 2.0, TextStyle.NORMAL.with(Ink.Tone.MUTED).with(TextStyle.Anchor.MIDDLE));
            return;
        }
        if (hasTitle(height)) {
            TextStyle bold = TextStyle.BOLD.withSize(13);
            surface.drawText(title, area.x() + 14, MARGIN + 14, bold);
            if (surface.textWidth(title, bold) + surface.textWidth(hint, TextStyle.SMALL) + 50 < area.width()) {
                surface.drawText(hint, area.right() - 14, MARGIN + 14, TextStyle.SMALL.with(TextStyle.Anchor.END));
            }
        }
        chart.draw(surface, area);
    }

    /** What lies under an x of this widget, one line a curve; empty where no calls are. */
    public List<String> hoverLines(int x) {
        Rectangle bounds = getClientArea();
        return chart.hover(x, chartArea(bounds.width, bounds.height)).stream().map(DistributionCanvas::line).toList();
    }

    private static String line(Hover hover) {
        return hover.series().label() + ":  " + hover.text();
    }

    private void drawHover(Surface surface, int x, Area area) {
        List<Hover> hovers = chart.hover(x, area);
        if (hovers.isEmpty() || area.width() < 80) {
            return;
        }
        surface.drawLine(x, area.y() + 50, x, area.bottom() - 24, Stroke.solid(Ink.Tone.AXIS, 1));
        double widest = hovers.stream().mapToDouble(h -> surface.textWidth(line(h), TextStyle.NORMAL)).max().orElse(0);
        double width = widest + 2 * HOVER_PADDING + 18;
        double height = hovers.size() * HOVER_LINE_HEIGHT + 2 * HOVER_PADDING - 3;
        // On the side of the pointer where there is room, never under it.
        double left = x + 14 + width < area.right() ? x + 14 : Math.max(area.x(), x - 14 - width);
        Area box = new Area(left, area.y() + 56, width, height);
        surface.fillRectangle(box, Ink.Tone.BACKGROUND);
        surface.drawRectangle(box, Stroke.solid(Ink.Tone.AXIS, 1));
        double baseline = box.y() + HOVER_PADDING + 11;
        for (Hover hover : hovers) {
            surface.fillRectangle(new Area(left + HOVER_PADDING, baseline - 9, 10, 10), Ink.of(hover.series().rgb()));
            surface.drawText(line(hover), left + HOVER_PADDING + 18, baseline, TextStyle.NORMAL);
            baseline += HOVER_LINE_HEIGHT;
        }
    }

    /** The size as shown, but higher if the title has no room: outside of this window, a picture must say what it belongs to. */
    private Rectangle copied() {
        Rectangle bounds = getClientArea();
        return new Rectangle(0, 0, Math.max(LEAST_WIDTH, bounds.width), Math.max(LEAST_HEIGHT + TITLE_HEIGHT, bounds.height));
    }

    /** The picture as it is shown, but without what belongs to the pointer, at twice the size in pixels: for print. */
    public ImageData image() {
        Rectangle bounds = copied();
        Image image = new Image(getDisplay(), bounds.width * 2, bounds.height * 2);
        GC gc = new GC(image);
        Transform twice = new Transform(getDisplay());
        twice.scale(2, 2);
        gc.setTransform(twice);
        draw(new GcSurface(gc, fonts, Palette.of(this)), bounds.width, bounds.height, hint());
        gc.dispose();
        twice.dispose();
        ImageData data = image.getImageData();
        image.dispose();
        return data;
    }

    /** The picture as an SVG file's text. */
    public String svg() {
        Rectangle bounds = copied();
        SvgSurface surface = SvgSurface.file(bounds.width, bounds.height,
                Palette.of(this).dark() ? ChartTheme.DARK : ChartTheme.LIGHT);
        draw(surface, bounds.width, bounds.height, hint());
        return surface.text();
    }

    DistributionInput input() {
        return input;
    }
}
