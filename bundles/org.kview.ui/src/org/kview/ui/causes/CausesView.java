// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.causes;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.action.IAction;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.ui.actions.ActionFactory;
import org.eclipse.ui.part.ViewPart;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.session.report.CsvLine;
import org.kview.session.report.FunctionNotes;
import org.kview.ui.KviewUi;
import org.kview.ui.text.TableTimes;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.NumberCells;

/** What the colours stand for, and how much of the selected function's time each took. */
public final class CausesView extends ViewPart {
    public static final String ID = KviewUi.VIEW_CAUSES;

    private static final List<Metric> METRICS = Metric.OF_CALLS.stream().filter(m -> m != Metric.WALL).toList();
    private static final List<Heading> HEADINGS = List.of(Heading.text("Cause", 118), Heading.number("Share", 56),
            Heading.time("Time", 72), Heading.number("Calls", 66), Heading.time("p50", 72),
            Heading.time("p99", 72), Heading.text("The call's thread …", 340));
    private static final int TIME = 2;
    private static final int CALLS = 3;
    private static final int P50 = 4;
    private static final int P99 = 5;

    private SelectedFunction selected;
    private Label title;
    private Table table;
    private Swatches swatches;
    private NumberCells cells;

    @Override
    public void createPartControl(Composite parent) {
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(parent);
        title = new Label(parent, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).grab(true, false).applyTo(title);
        table = new Table(parent, SWT.SINGLE | SWT.FULL_SELECTION | SWT.V_SCROLL | SWT.H_SCROLL);
        Heading.show(table, HEADINGS);
        GridDataFactory.fillDefaults().indent(0, 6).grab(true, true).applyTo(table);
        swatches = new Swatches(table, this::refill);
        IAction copy = Actions.of("&Copy as CSV", () -> Actions.copy(table.getDisplay(), csv()));
        Actions.global(getViewSite().getActionBars(), ActionFactory.COPY, copy);
        getViewSite().getActionBars().getMenuManager().add(copy);
        for (Metric metric : METRICS) {
            new TableItem(table, SWT.NONE).setImage(swatches.of(metric));
        }
        selected = new SelectedFunction(getSite().getPage(), this::refresh);
        cells = new NumberCells(table, table.getColumns(), HEADINGS.stream()
                .map(heading -> new NumberCells.Head(heading.title(), heading.width(), heading.time())).toList(), this::refresh);
        selected.follow(this);
    }

    /** The causes of the function that is shown, in whole ns; what was not measured is empty, as are percentiles of none. */
    String csv() {
        StringBuilder csv = new StringBuilder(CsvLine.of(List.of("function", "cause", "share", "total_ns", "calls", "p50_ns", "p99_ns")));
        selected.figures().ifPresent(f -> {
            for (Metric metric : METRICS) {
                Distribution values = f.distribution(metric);
                boolean told = f.isMeasured(metric);
                csv.append(CsvLine.of(List.of(f.function().name(), metric.id(),
                        told ? Double.toString(values.isEmpty() ? 0 : Math.round(f.share(metric) * 1e4) / 1e4) : "",
                        told ? Long.toString(values.totalNanos()) : "", told ? Long.toString(values.count()) : "",
                        told && !values.isEmpty() && values.hasBuckets() ? Long.toString(Math.round(values.percentileNanos(50))) : "",
                        told && !values.isEmpty() && values.hasBuckets() ? Long.toString(Math.round(values.percentileNanos(99))) : "")));
            }
        });
        return csv.toString();
    }

    private void refill() {
        for (int i = 0; i < METRICS.size(); i++) {
            table.getItem(i).setImage(swatches.of(METRICS.get(i)));
        }
    }

    private void refresh() {
        if (table.isDisposed()) {
            return;
        }
        Optional<FunctionLatency> function = selected.figures();
        title.setText(SafeText.lines(function.map(f -> f.function().name() + ": " + (f.function().countsHits() ? "hits take no time" : LatencyFormat.nanos(f.wall().totalNanos())
                + " in the sum over its calls, of all threads")
                + FunctionNotes.marks(f).map(marks -> " · " + marks).orElse("")).orElse("What the colours stand for").replace("&", "&&")));
        for (int i = 0; i < METRICS.size(); i++) {
            fill(table.getItem(i), METRICS.get(i), function);
        }
    }

    private void fill(TableItem item, Metric metric, Optional<FunctionLatency> function) {
        Distribution values = function.map(f -> f.distribution(metric)).orElse(Distribution.EMPTY);
        boolean measured = function.map(f -> f.isMeasured(metric)).orElse(true);
        String meaning = measured ? CauseText.meaning(metric) : "(not measured)";
        String none = measured ? "" : "–";
        item.setText(SafeText.cells(values.isEmpty() ? new String[] {metric.label(), none, none, none, none, none, meaning} : new String[] {
            metric.label(), LatencyFormat.percent(function.get().share(metric)),
            time(TIME, values.totalNanos()), cells.fit(CALLS, LatencyFormat.count(values.count()), () -> ""), percentile(P50, values, 50),
            percentile(P99, values, 99), meaning}));
    }

    private String time(int column, double nanos) {
        return cells.fit(column, TableTimes.text(nanos), () -> LatencyFormat.nanos(nanos));
    }

    private String percentile(int column, Distribution values, double percentile) {
        return values.hasBuckets() ? time(column, values.percentileNanos(percentile)) : "–";
    }

    Table table() {
        return table;
    }

    @Override
    public void setFocus() {
        table.setFocus();
    }

    @Override
    public void dispose() {
        if (selected != null) {
            selected.dispose();
        }
        super.dispose();
    }
}
