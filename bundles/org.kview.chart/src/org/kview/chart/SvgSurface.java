// SPDX-License-Identifier: EPL-2.0
package org.kview.chart;

import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.kview.chart.Ink.Tone;

/**
 * Draws as SVG 1.1: a file of its own in one theme, or, within an HTML page, in colours that follow
 * the page's. Texts are escaped. Text widths are estimates, as the reader's font is not known.
 */
public final class SvgSurface implements Surface {
    private final StringBuilder body = new StringBuilder();
    private final double width;
    private final double height;
    private final ChartTheme theme;
    private final boolean embedded;

    private SvgSurface(double width, double height, ChartTheme theme, boolean embedded) {
        this.width = width;
        this.height = height;
        this.theme = theme;
        this.embedded = embedded;
    }

    /** For a file: {@link #text()} begins with the background. */
    public static SvgSurface file(double width, double height, ChartTheme theme) {
        SvgSurface surface = new SvgSurface(width, height, theme, false);
        surface.fillRectangle(new Area(0, 0, width, height), Tone.BACKGROUND);
        return surface;
    }

    /** For a page that defines the properties of {@link #themeCss}. */
    public static SvgSurface embedded(double width, double height) {
        return new SvgSurface(width, height, ChartTheme.LIGHT, true);
    }

    /** CSS declarations that give a page the colours of a theme: {@code --kview-text:#1f2328;…}. */
    public static String themeCss(ChartTheme theme) {
        StringBuilder css = new StringBuilder();
        for (Tone tone : Tone.values()) {
            css.append(property(tone)).append(':').append(hex(theme.rgb(tone))).append(';');
        }
        return css.toString();
    }

    /** The whole element. */
    public String text() {
        String size = "width=\"" + number(width) + "\" height=\"" + number(height) + "\" viewBox=\"0 0 "
                + number(width) + " " + number(height) + "\"";
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size
                + " font-family=\"system-ui, 'DejaVu Sans', sans-serif\" role=\"img\">\n" + body + "</svg>\n";
    }

    @Override
    public void fillRectangle(Area area, Ink ink) {
        body.append("<rect").append(box(area)).append(paint("fill", ink)).append("/>\n");
    }

    @Override
    public void drawRectangle(Area area, Stroke stroke) {
        body.append("<rect").append(box(area)).append(" fill=\"none\"").append(line(stroke)).append("/>\n");
    }

    @Override
    public void drawLine(double x1, double y1, double x2, double y2, Stroke stroke) {
        body.append("<line x1=\"").append(number(x1)).append("\" y1=\"").append(number(y1)).append("\" x2=\"")
                .append(number(x2)).append("\" y2=\"").append(number(y2)).append('"').append(line(stroke))
                .append("/>\n");
    }

    @Override
    public void drawPolyline(List<Point> points, Stroke stroke) {
        body.append("<polyline points=\"").append(list(points)).append("\" fill=\"none\" stroke-linejoin=\"round\"")
                .append(line(stroke)).append("/>\n");
    }

    @Override
    public void fillPolygon(List<Point> points, Ink ink) {
        body.append("<polygon points=\"").append(list(points)).append('"').append(paint("fill", ink)).append("/>\n");
    }

    @Override
    public void drawText(String text, double x, double baseline, TextStyle style) {
        body.append("<text x=\"").append(number(x)).append("\" y=\"").append(number(baseline))
                .append("\" font-size=\"").append(number(style.size())).append('"');
        if (style.bold()) {
            body.append(" font-weight=\"bold\"");
        }
        if (style.anchor() != TextStyle.Anchor.START) {
            body.append(" text-anchor=\"").append(style.anchor().name().toLowerCase(Locale.ROOT)).append('"');
        }
        body.append(paint("fill", style.ink())).append('>').append(Markup.escape(text)).append("</text>\n");
    }

    @Override
    public double textWidth(String text, TextStyle style) {
        return TextWidths.estimate(text, style);
    }

    @Override
    public void clipped(Area area, Runnable drawing) {
        // A nested element clips by itself, so no ids are needed, which would clash within a page.
        body.append("<svg").append(box(area)).append(" viewBox=\"").append(number(area.x())).append(' ')
                .append(number(area.y())).append(' ').append(number(area.width())).append(' ')
                .append(number(area.height())).append("\" overflow=\"hidden\">\n");
        drawing.run();
        body.append("</svg>\n");
    }

    @Override
    public void tooltip(Area area, String text) {
        body.append("<rect").append(box(area)).append(" fill=\"#000\" fill-opacity=\"0\"><title>")
                .append(Markup.escape(text)).append("</title></rect>\n");
    }

    private String paint(String attribute, Ink ink) {
        String colour = embedded && ink instanceof Tone tone ? "var(" + property(tone) + ")" : hex(theme.rgb(ink));
        // var() is allowed in style sheets only, not in a presentation attribute.
        return (embedded && ink instanceof Tone ? " style=\"" + attribute + ":" + colour + "\""
                : " " + attribute + "=\"" + colour + "\"")
                + (ink.opacity() < 1 ? " " + attribute + "-opacity=\"" + number(ink.opacity()) + "\"" : "");
    }

    private String line(Stroke stroke) {
        return paint("stroke", stroke.ink()) + " stroke-width=\"" + number(stroke.width()) + "\""
                + (stroke.dashed() ? " stroke-dasharray=\"3 3\"" : "");
    }

    private static String property(Tone tone) {
        return "--kview-" + tone.name().toLowerCase(Locale.ROOT);
    }

    private static String hex(int rgb) {
        return "#" + HexFormat.of().toHexDigits(rgb, 6);
    }

    private static String box(Area area) {
        return " x=\"" + number(area.x()) + "\" y=\"" + number(area.y()) + "\" width=\"" + number(area.width())
                + "\" height=\"" + number(area.height()) + "\"";
    }

    private static String list(List<Point> points) {
        return points.stream().map(p -> number(p.x()) + "," + number(p.y())).collect(Collectors.joining(" "));
    }

    /** Hundredths of a pixel are enough, and keep reports small and comparable. */
    private static String number(double value) {
        long hundredths = Math.round(value * 100);
        long whole = Math.abs(hundredths / 100);
        long rest = Math.abs(hundredths % 100);
        return (hundredths < 0 ? "-" : "") + (rest == 0 ? whole : rest % 10 == 0 ? whole + "." + rest / 10
                : whole + (rest < 10 ? ".0" : ".") + rest);
    }
}
