// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.StackLayout;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.swt.widgets.Tree;
import org.eclipse.swt.widgets.TreeColumn;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.recording.flow.FlowLine;
import org.kview.recording.flow.FlowTree;
import org.kview.targets.values.Flow;
import org.kview.ui.causes.Swatches;
import org.kview.ui.widgets.RowsTree;

/** The calls that were found, one at a time: as a tree or as a flame chart, with what is not told of it. */
final class FlowPage {
    /** GTK takes some 0.1 ms for each line. */
    static final int LINES_AT_MOST = 5_000;
    private static final int SENTENCES_HEIGHT = 92;

    private final Composite page;
    private final Label summary;
    private final Combo calls;
    private final Composite pictures;
    private final StackLayout layout = new StackLayout();
    private final RowsTree<FlowRow, FlowColumn> tree;
    private final FlameChart chart;
    private final Text sentences;
    private Optional<FollowedFlow> shown = Optional.empty();
    private boolean all;
    private boolean asChart;

    FlowPage(Composite parent) {
        page = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().margins(6, 6).spacing(0, 6).applyTo(page);
        summary = new Label(page, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(summary);
        calls = new Combo(page, SWT.READ_ONLY);
        calls.setToolTipText("The calls that took longest");
        calls.addListener(SWT.Selection, _ -> {
            forget();
            refresh();
        });
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(calls);
        pictures = new Composite(page, SWT.NONE);
        pictures.setLayout(layout);
        GridDataFactory.fillDefaults().grab(true, true).hint(200, 100).applyTo(pictures);
        // In the order of time, which no click on a head changes.
        tree = new RowsTree<>(pictures, List.of(FlowColumn.values()), LINES_AT_MOST, _ -> { }, () -> { });
        Swatches swatches = new Swatches(tree.control(), () -> shown.ifPresent(flow -> listed(flow.flow().calls().get(call()), flow.trees().get(call()))));
        tree.withImages(row -> row.line().cause().map(swatches::of));
        giveNamesTheRest(tree.control());
        chart = new FlameChart(pictures);
        layout.topControl = tree.control();
        sentences = new Text(page, SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SENTENCES_HEIGHT).applyTo(sentences);
    }

    /** Names get what the times leave, as long as the user gives them no width of his own. */
    private static void giveNamesTheRest(Tree tree) {
        TreeColumn names = tree.getColumn(FlowColumn.FUNCTION.ordinal());
        int[] given = {names.getWidth()};
        tree.addListener(SWT.Resize, _ -> {
            if (names.getWidth() == given[0]) {
                given[0] = Math.max(FlowColumn.FUNCTION.width(), tree.getClientArea().width - 3 * FlowColumn.TIME_WIDTH);
                names.setWidth(given[0]);
            }
        });
    }

    Composite control() {
        return page;
    }

    RowsTree<FlowRow, FlowColumn> tree() {
        return tree;
    }

    FlameChart chart() {
        return chart;
    }

    Combo calls() {
        return calls;
    }

    Text sentences() {
        return sentences;
    }

    String summaryText() {
        return summary.getText();
    }

    /** What is shown; empty at first. */
    Optional<FollowedFlow> shown() {
        return shown;
    }

    /** The index of the call that is shown. */
    int call() {
        return Math.max(0, calls.getSelectionIndex());
    }

    /** Whether each function has a line of its own. */
    boolean isAll() {
        return all;
    }

    boolean isChart() {
        return asChart;
    }

    /** Shows the slowest of its calls, of which there is one at least. */
    void show(FollowedFlow flow) {
        shown = Optional.of(flow);
        summary.setText(SafeText.line(flow.summary()).replace("&", "&&"));
        calls.setItems(SafeText.cells(flow.calls().toArray(String[]::new)));
        calls.select(0);
        forget();
        refresh();
    }

    void setAll(boolean wanted) {
        all = wanted;
        forget();
        refresh();
    }

    /** What is chosen and closed in the tree is of other lines from now on. */
    private void forget() {
        tree.forget();
    }

    void setChart(boolean wanted) {
        asChart = wanted;
        refresh();
        layout.topControl = wanted ? chart.control() : tree.control();
        pictures.layout();
    }

    private void refresh() {
        if (shown.isEmpty()) {
            return;
        }
        FollowedFlow flow = shown.get();
        Flow.Call call = flow.flow().calls().get(call());
        FlowTree way = flow.trees().get(call());
        List<String> told = new ArrayList<>(asChart ? drawn(call, way) : listed(call, way));
        told.addAll(flow.caveats(call()));
        sentences.setText(SafeText.lines(String.join("\n", told)));
    }

    /** @return what is not listed, in a sentence */
    private List<String> listed(Flow.Call call, FlowTree way) {
        FlowRow.Rows rows = FlowRow.of(FlowLine.of(call, way, all), LINES_AT_MOST);
        tree.show(rows.rows());
        return rows.whole() ? List.of() : List.of("These are the first " + LatencyFormat.count(LINES_AT_MOST)
                + " lines of this call: what is copied as text or CSV has all of them.");
    }

    /** @return what is not drawn, likewise */
    private List<String> drawn(Flow.Call call, FlowTree way) {
        long least = chart.show(call, way);
        return least == 0 ? List.of() : List.of("What took less than " + LatencyFormat.nanos(least)
                + " is not drawn: what is copied as CSV has it.");
    }

    void setFocus() {
        if (asChart) {
            chart.viewer().setFocus();
        } else {
            tree.control().setFocus();
        }
    }
}
