/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.eclipse.jface.resource.JFaceResources;
import org.eclipse.swt.SWT;
import org.eclipse.swt.graphics.Image;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.compare.Change;
import org.kview.compare.FunctionComparison;
import org.kview.compare.Statistic;
import org.kview.compare.report.ComparisonText;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.ui.causes.Swatch;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.TableRows;

/** The selected function's figures and causes in both sessions, and what is known of their change. */
final class ChangesTable {
    private static final List<Statistic> STATISTICS = List.of(Statistic.P50, Statistic.P90, Statistic.P99,
            Statistic.MEAN);
    private static final List<Heading> HEADINGS = List.of(Heading.text("Wall-clock", 154), Heading.number("A", 72),
            Heading.number("B", 72), Heading.number("Change", 80), Heading.number("", 60),
            Heading.number("95 % interval", 174), Heading.text("", 126));

    private final Table table;
    private final Map<Metric, Image> swatches = new EnumMap<>(Metric.class);

    /** A line: texts by heading, the metric that it is of, and whether it stands out. */
    private record Line(List<String> texts, Optional<Metric> metric, boolean notable) {
    }

    ChangesTable(Composite parent) {
        table = new Table(parent, SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        Heading.show(table, HEADINGS);
        Arrays.stream(Metric.values()).forEach(m -> swatches.put(m, Swatch.of(table.getDisplay(), m)));
        table.addListener(SWT.Dispose, event -> swatches.values().forEach(Image::dispose));
    }

    Table control() {
        return table;
    }

    void show(Optional<FunctionComparison> function) {
        TableRows.show(table, function.map(ChangesTable::lines).orElse(List.of()), this::fill);
    }

    private static List<Line> lines(FunctionComparison function) {
        List<Line> lines = new ArrayList<>();
        STATISTICS.forEach(s -> lines.add(line(s.id(), function.wall().get(s), Optional.empty())));
        lines.add(new Line(List.of("max", max(function.pair().a()), max(function.pair().b()), "", "", "", ""),
                Optional.empty(), false));
        function.perCall().forEach((metric, change) -> lines.add(line(metric.label() + " mean", change,
                Optional.of(metric))));
        return lines;
    }

    private static Line line(String title, Change change, Optional<Metric> metric) {
        return new Line(List.of(title, ComparisonText.value(change, true), ComparisonText.value(change, false),
                ComparisonText.difference(change), ComparisonText.relative(change), ComparisonText.interval(change),
                change.significance().label()), metric, change.isBeyondNoise());
    }

    private static String max(FunctionLatency latency) {
        return latency.wall().isEmpty() ? "–" : LatencyFormat.nanos(latency.wall().maxNanos());
    }

    private void fill(TableItem item, Line line) {
        item.setText(line.texts().toArray(String[]::new));
        item.setImage(line.metric().map(swatches::get).orElse(null));
        item.setFont(line.notable() ? JFaceResources.getFontRegistry().getBold(JFaceResources.DEFAULT_FONT) : null);
    }
}
