// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

import org.kview.chart.Area;
import org.kview.chart.BreakdownBar;
import org.kview.chart.ChartTheme;
import org.kview.chart.DistributionChart;
import org.kview.chart.Ink;
import org.kview.chart.Java2dSurface;
import org.kview.chart.Legend;
import org.kview.chart.Stroke;
import org.kview.chart.Surface;
import org.kview.chart.TextStyle;
import org.kview.chart.TextStyle.Anchor;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.LatencySnapshot;
import org.kview.model.Metric;
import org.kview.model.Verdict;
import org.kview.session.SessionException;

/**
 * The report as one picture, to be pasted: the table with its bars, and the distributions of the
 * functions that took most time.
 */
public final class PictureReport {
    private static final int WIDTH = 1400;
    private static final double MARGIN = 24;
    private static final double ROW_HEIGHT = 26;
    private static final double LINE_HEIGHT = 18;
    private static final double CHART_HEIGHT = 250;
    private static final double CHART_GAP = 24;
    private static final int MOST_ROWS = 30;
    private static final int MOST_CHARTS = 4;
    /** Pixels of the image for each of the drawing, for sharp screens. */
    private static final int SCALE = 2;
    private static final int WARNING_RGB = 0xD55E00;
    private static final double NAME_WIDTH = 250;
    private static final double[] NUMBER_RIGHTS = {330, 405, 480, 555, 630, 705, 780};
    private static final double BAR_LEFT = 800;
    private static final double BAR_WIDTH = 150;
    private static final double VERDICT_LEFT = 964;

    private final SessionText text;
    private final Map<Integer, String> names;
    private final List<FunctionLatency> functions;
    private final Optional<String> neverCalled;
    private final boolean hits;

    private PictureReport(LatencySnapshot snapshot) {
        text = new SessionText(snapshot);
        names = Figures.names(snapshot);
        // One line stands for all that were never called.
        functions = Stream.concat(Figures.byTime(snapshot).stream(), Hits.of(snapshot).stream()).filter(f -> !NeverCalled.is(f)).toList();
        neverCalled = NeverCalled.line(snapshot);
        hits = Hits.areIn(snapshot);
    }

    /**
     * Draws the picture.
     *
     * @return a PNG file's bytes
     * @throws SessionException if this machine can't draw text, having no fonts
     */
    public static byte[] png(LatencySnapshot snapshot, ChartTheme theme) throws SessionException {
        PictureReport report = new PictureReport(snapshot);
        BufferedImage image = new BufferedImage(WIDTH * SCALE, (int) Math.ceil(report.height()) * SCALE,
                BufferedImage.TYPE_INT_RGB);
        Graphics2D graphics = image.createGraphics();
        try (ByteArrayOutputStream out = new ByteArrayOutputStream()) {
            graphics.scale(SCALE, SCALE);
            report.draw(new Java2dSurface(graphics, theme));
            ImageIO.write(image, "png", out);
            return out.toByteArray();
        } catch (IOException e) {
            throw SessionException.of("The picture can't be drawn", e);
        } catch (LinkageError | InternalError e) {
            // So the JDK answers where fontconfig or its library is missing.
            throw new SessionException("The picture can't be drawn: this machine has no fonts"
                    + " (install fontconfig and a font)", e);
        } finally {
            graphics.dispose();
        }
    }

    private int rows() {
        return Math.min(MOST_ROWS, functions.size());
    }

    private List<FunctionLatency> charted() {
        return functions.stream().filter(f -> !f.wall().isEmpty() || !f.between().isEmpty()).limit(MOST_CHARTS).toList();
    }

    private double height() {
        int chartRows = (charted().size() + 1) / 2;
        return 2 * MARGIN + LINE_HEIGHT * (2 + text.warnings().size() + text.cost().size() + text.others().size()
                + (neverCalled.isPresent() ? 1 : 0)) + 20
                + ROW_HEIGHT + functions.subList(0, rows()).stream().mapToDouble(PictureReport::rowHeight).sum() + LINE_HEIGHT * 2 + chartRows * (CHART_HEIGHT + CHART_GAP + LINE_HEIGHT);
    }

    private void draw(Surface surface) {
        surface.fillRectangle(new Area(0, 0, WIDTH, height()), Ink.Tone.BACKGROUND);
        double y = MARGIN + 12;
        surface.drawText(clipEnd(surface, text.title(), WIDTH - 2 * MARGIN, TextStyle.BOLD.withSize(16)), MARGIN, y,
                TextStyle.BOLD.withSize(16));
        y += LINE_HEIGHT;
        surface.drawText(text.recorded(), MARGIN, y, TextStyle.SMALL);
        TextStyle warning = TextStyle.BOLD.with(Ink.of(WARNING_RGB));
        for (String sentence : text.warnings()) {
            y += LINE_HEIGHT;
            surface.drawText(clipEnd(surface, sentence, WIDTH - 2 * MARGIN, warning), MARGIN, y, warning);
        }
        y = table(surface, y + 20);
        y = legend(surface, y);
        y = charts(surface, y);
        for (String sentence : Stream.concat(text.cost().stream(), text.others().stream()).toList()) {
            surface.drawText(clipEnd(surface, sentence, WIDTH - 2 * MARGIN, TextStyle.SMALL), MARGIN, y + LINE_HEIGHT,
                    TextStyle.SMALL);
            y += LINE_HEIGHT;
        }
    }

    private double table(Surface surface, double top) {
        TextStyle header = TextStyle.BOLD.with(Ink.Tone.MUTED);
        double baseline = top + ROW_HEIGHT - 9;
        surface.drawText("Function", MARGIN, baseline, header);
        List<String> titles = List.of(hits ? "Calls or hits" : "Calls", "Total", "Wall p50", "p99", "max", "CPU p50", "p99");
        numbers(surface, titles, baseline, header);
        surface.drawText("Where the time went", BAR_LEFT, baseline, header);
        surface.drawText("Verdict", VERDICT_LEFT, baseline, header);
        double y = top + ROW_HEIGHT;
        for (FunctionLatency latency : functions.subList(0, rows())) {
            surface.drawLine(MARGIN, y, WIDTH - MARGIN, y, Stroke.solid(Ink.Tone.GRID, 1));
            row(surface, latency, y);
            y += rowHeight(latency);
        }
        if (neverCalled.isPresent()) {
            surface.drawText(clipEnd(surface, neverCalled.get(), WIDTH - 2 * MARGIN, TextStyle.SMALL), MARGIN,
                    y + LINE_HEIGHT - 4, TextStyle.SMALL);
            y += LINE_HEIGHT;
        }
        return y;
    }

    /** Beside the verdict there is no room for marks, and a picture has no other place for them. */
    private static double rowHeight(FunctionLatency latency) {
        return ROW_HEIGHT + (FunctionNotes.besideVerdict(latency).isPresent() ? LINE_HEIGHT : 0);
    }

    private void row(Surface surface, FunctionLatency latency, double top) {
        double baseline = top + ROW_HEIGHT - 9;
        surface.drawText(clip(surface, names.get(latency.function().id()), NAME_WIDTH, TextStyle.NORMAL), MARGIN,
                baseline, TextStyle.NORMAL);
        List<String> cells = new ArrayList<>(List.of(LatencyFormat.count(latency.calls()),
                Figures.totalText(latency.wall()), Figures.percentileText(latency.wall(), 50),
                Figures.percentileText(latency.wall(), 99), Figures.maxText(latency.wall()),
                latency.isMeasured(Metric.ON_CPU) ? Figures.onCpuText(latency, 50) : "",
                latency.function().countsHits() ? Figures.NONE : Figures.onCpuText(latency, 99)));
        numbers(surface, cells, baseline, TextStyle.NORMAL);
        BreakdownBar.of(latency).draw(surface, new Area(BAR_LEFT, top + 6, BAR_WIDTH, ROW_HEIGHT - 12));
        surface.drawText(clipEnd(surface, Verdict.of(latency).text(), WIDTH - MARGIN - VERDICT_LEFT, TextStyle.SMALL),
                VERDICT_LEFT, baseline, TextStyle.SMALL);
        FunctionNotes.besideVerdict(latency).ifPresent(marks -> surface.drawText(clipEnd(surface, marks, WIDTH - 2 * MARGIN, TextStyle.SMALL),
                WIDTH - MARGIN, baseline + LINE_HEIGHT, TextStyle.SMALL.with(Anchor.END)));
    }

    private static void numbers(Surface surface, List<String> cells, double baseline, TextStyle style) {
        for (int i = 0; i < cells.size(); i++) {
            surface.drawText(cells.get(i), NUMBER_RIGHTS[i], baseline, style.with(Anchor.END));
        }
    }

    private double legend(Surface surface, double top) {
        new Legend(Metric.OF_CALLS.stream().filter(m -> m != Metric.WALL)
                .map(m -> new Legend.Entry(Ink.of(m.rgb()), m.label())).toList())
                .draw(surface, new Area(MARGIN, top + 6, WIDTH - 2 * MARGIN, LINE_HEIGHT));
        if (functions.size() > rows()) {
            surface.drawText("The " + rows() + " of " + functions.size() + " functions that took most time",
                    WIDTH - MARGIN, top + LINE_HEIGHT, TextStyle.SMALL.with(Anchor.END));
        }
        return top + LINE_HEIGHT + 12;
    }

    private double charts(Surface surface, double top) {
        double width = (WIDTH - 2 * MARGIN - CHART_GAP) / 2;
        List<FunctionLatency> charted = charted();
        double y = top;
        for (int i = 0; i < charted.size(); i++) {
            FunctionLatency latency = charted.get(i);
            double x = MARGIN + i % 2 * (width + CHART_GAP);
            surface.drawText(clip(surface, names.get(latency.function().id()), width, TextStyle.BOLD), x,
                    y + LINE_HEIGHT, TextStyle.BOLD);
            DistributionChart.of(Figures.series(latency))
                    .draw(surface, new Area(x, y + LINE_HEIGHT + 8, width, CHART_HEIGHT));
            if (i % 2 == 1 || i == charted.size() - 1) {
                y += CHART_HEIGHT + CHART_GAP + LINE_HEIGHT;
            }
        }
        return y;
    }

    /** Names of C++ functions can be longer than any column: the end says more than the namespace. */
    private static String clip(Surface surface, String text, double width, TextStyle style) {
        String clipped = text;
        while (surface.textWidth(clipped, style) > width && clipped.length() > 2) {
            clipped = "…" + clipped.substring(clipped.charAt(0) == '…' ? 2 : 1);
        }
        return clipped;
    }

    private static String clipEnd(Surface surface, String text, double width, TextStyle style) {
        int length = text.length();
        String clipped = text;
        while (surface.textWidth(clipped, style) > width && length > 1) {
            clipped = text.substring(0, --length) + "…";
        }
        return clipped;
    }
}
