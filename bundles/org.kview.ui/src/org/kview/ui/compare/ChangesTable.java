// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Rectangle;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Event;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.chart.Area;
import org.kview.compare.Change;
import org.kview.compare.Comparison;
import org.kview.compare.FunctionComparison;
import org.kview.compare.report.ComparisonPictures;
import org.kview.compare.report.ComparisonText;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.statistics.Statistic;
import org.kview.ui.causes.Swatches;
import org.kview.ui.chart.ChartFonts;
import org.kview.ui.chart.GcSurface;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.TableRows;

/** The selected function's figures and causes on both sides, and what is known of their change. */
final class ChangesTable {
    private static final List<Statistic> STATISTICS = List.of(Statistic.CALLS, Statistic.TOTAL, Statistic.P50,
            Statistic.P90, Statistic.P99, Statistic.MEAN, Statistic.UNDISTURBED);
    private static final List<Heading> HEADINGS = List.of(Heading.text("Wall-clock", 150), Heading.number("A", 78),
            Heading.number("B", 78), Heading.number("Difference", 86), Heading.number("", 66),
            Heading.number("95 % interval", 190), Heading.text("", 164), Heading.text("Recordings", 0));
    private static final int SPREAD_COLUMN = 7;
    /** The dots stand beside their mean, so that both are visible even if there is no room for all columns. */
    private static final int[] ORDER = {0, 1, 2, SPREAD_COLUMN, 3, 4, 5, 6};
    private static final int SPREAD_WIDTH = 120;
    private static final int MARGIN = 3;

    private final Table table;
    private final TableRows<Line> lines;
    private final ChartFonts fonts;
    private final Swatches swatches;

    /** A line: its texts by heading, its metric, and whether it is highlighted. */
    private record Line(List<String> texts, Optional<Metric> metric, boolean notable, Optional<Change> spread) {
    }

    ChangesTable(Composite parent) {
        table = new Table(parent, SWT.VIRTUAL | SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        lines = new TableRows<>(table, this::fill);
        Heading.show(table, HEADINGS);
        table.setColumnOrder(ORDER);
        table.getColumn(SPREAD_COLUMN).setToolTipText("The figure in each recording, A over B, from the least to the most");
        swatches = new Swatches(table, lines::refill);
        fonts = new ChartFonts(table.getDisplay());
        table.addListener(SWT.PaintItem, this::paintSpread);
        table.addListener(SWT.Dispose, event -> fonts.dispose());
    }

    Table control() {
        return table;
    }

    /** If a side has several recordings, a column shows how they differ. */
    void show(Optional<Comparison> comparison, Optional<FunctionComparison> function) {
        boolean several = comparison.isPresent() && !comparison.get().isPair();
        table.getColumn(SPREAD_COLUMN).setWidth(several ? SPREAD_WIDTH : 0);
        table.getColumn(SPREAD_COLUMN).setResizable(several);
        lines.show(comparison.flatMap(c -> function.map(f -> lines(c, f))).orElse(List.of()));
    }

    private static List<Line> lines(Comparison comparison, FunctionComparison function) {
        List<Line> lines = new ArrayList<>();
        STATISTICS.stream().filter(s -> s != Statistic.UNDISTURBED || ComparisonText.isMeasured(function, s))
                .forEach(s -> lines.add(line(comparison, ComparisonText.label(s)
                        + (Statistic.RATES.contains(s) ? " a second" : ""), function.wall().get(s), Optional.empty())));
        lines.add(new Line(List.of("max", max(function.pair().a()), max(function.pair().b()), "", "", "", ""),
                Optional.empty(), false, Optional.empty()));
        function.perCall().forEach((metric, change) -> lines.add(line(comparison, metric.label() + " mean", change,
                Optional.of(metric))));
        return lines;
    }

    private static Line line(Comparison comparison, String title, Change change, Optional<Metric> metric) {
        return new Line(List.of(title, ComparisonText.value(change, true), ComparisonText.value(change, false),
                ComparisonText.difference(change), ComparisonText.relative(change), ComparisonText.interval(change),
                ComparisonText.outcome(comparison, change)), metric, change.isBeyondNoise(),
                comparison.isPair() ? Optional.empty() : Optional.of(change));
    }

    private void paintSpread(Event event) {
        if (event.index == SPREAD_COLUMN && event.item.getData() instanceof Line line && line.spread().isPresent()) {
            Rectangle cell = ((TableItem) event.item).getBounds(event.index);
            Area area = new Area(cell.x, cell.y, cell.width, cell.height).inset(MARGIN, 1, MARGIN, 1);
            if (area.width() > 4 * MARGIN && area.height() > 4) {
                ComparisonPictures.drawSpread(line.spread().get(), new GcSurface(event.gc, fonts, Palette.of(table)), area);
            }
        }
    }

    private static String max(FunctionLatency latency) {
        return latency.wall().isEmpty() ? "–" : LatencyFormat.nanos(latency.wall().maxNanos());
    }

    private void fill(TableItem item, Line line) {
        item.setText(SafeText.cells(line.texts().toArray(String[]::new)));
        item.setImage(line.metric().map(swatches::of).orElse(null));
        item.setFont(line.notable() ? JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT) : null);
    }
}
