// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.custom.SashForm;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.IWorkbenchPage;
import org.kview.model.ByteFormat;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.KernelViews;
import org.kview.ui.KviewUi;
import org.kview.ui.targets.part.TargetPart;
import org.kview.ui.widgets.RowsTree;

/** The kernel views of the target that is chosen in the Targets view, renewed while one looks. */
public final class KernelViewsView extends TargetPart<ViewsReading> {
    /** An agent tells more, of a host where views come and go without end. */
    private static final int LINES_AT_MOST = 2_000;
    private static final int INTERVAL_MILLIS = 1000;
    /** Each is asked for by itself, each second. */
    private static final int SETS_AT_MOST = 16;

    private final ViewsModel model = new ViewsModel();
    private final ViewsQuestion question;
    private Label summary;
    private RowsTree<ViewRow, ViewColumn> tree;
    private ViewsActions actions;
    private SitesPane sites;
    private String sitesNote = "";

    public KernelViewsView() {
        this(new ViewsQuestion());
    }

    private KernelViewsView(ViewsQuestion question) {
        super(new Words("Kernel Views", "kernel views", "who is traced in a view of its kernel"), question, INTERVAL_MILLIS);
        this.question = question;
    }

    /** Shows the kernel views of a target. */
    public static void show(IWorkbenchPage page, TargetConnection target) {
        show(page, KviewUi.VIEW_KERNEL_VIEWS, target);
    }

    @Override
    protected Control createList(Composite parent) {
        SashForm sash = new SashForm(parent, SWT.VERTICAL);
        Composite area = new Composite(sash, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(area);
        summary = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).grab(true, false).applyTo(summary);
        tree = new RowsTree<>(area, List.of(ViewColumn.values()), LINES_AT_MOST, this::sortBy, () -> { });
        GridDataFactory.fillDefaults().indent(0, 6).grab(true, true).applyTo(tree.control());
        tree.control().addListener(SWT.Selection, _ -> lookAtSites());
        actions = new ViewsActions(model, poll(), tree, this::target);
        actions.install(getViewSite());
        sites = new SitesPane(sash);
        sash.setWeights(45, 55);
        return sash;
    }

    /** Of the set that is chosen, or of the view's sets. */
    private void lookAtSites() {
        List<Long> sets = tree.selection().map(row -> model.sets(row.id())).orElse(List.of());
        List<Long> some = sets.stream().limit(SETS_AT_MOST).toList();
        sitesNote = some.size() == sets.size() ? "" : "Of its " + LatencyFormat.count(sets.size()) + " sets these are the first "
                + SETS_AT_MOST + "; choose another one to see its sites.";
        if (!some.equals(question.wanted())) {
            question.want(some);
            sites.clear();
            poll().now();
        }
    }

    @Override
    protected void update(ViewsReading reading) {
        model.update(reading.views());
        showRows();
        lookAtSites();
        List<Long> wanted = question.wanted();
        if (reading.sites().stream().allMatch(told -> wanted.contains(told.set().id()))) {
            sites.update(reading.sites(), sitesNote);
        }
    }

    @Override
    protected void clear() {
        model.clear();
        // Numbers of sets are one host's; of those that are still chosen it is asked again once they are listed.
        question.want(List.of());
        sites.clear();
        showRows();
    }

    @Override
    protected Optional<String> insteadOfList() {
        return model.latest().filter(views -> views.views().isEmpty()).map(_ -> "Nobody is traced in a view of its kernel now. A"
                + " recording of functions of the kernel makes one, and so do kviewctl and New Kernel View here; it is shown here as long as it lasts.");
    }

    void sortBy(ViewColumn column) {
        model.sortBy(column);
        showRows();
    }

    private void showRows() {
        List<ViewRow> rows = model.rows();
        boolean all = tree.show(rows) && model.latest().filter(views -> views.items() < views.totalItems()).isEmpty();
        model.sorting().show(tree.control());
        long bytes = rows.stream().mapToLong(ViewRow::memoryBytes).reduce(0, KernelViews::plus);
        summary.setText(SafeText.lines((rows.size() == 1 ? "1 view, " : LatencyFormat.count(rows.size()) + " views, ")
                + ByteFormat.bytes(bytes) + (all ? "" : "; there are more than are shown")));
    }

    @Override
    protected RowsTree<ViewRow, ViewColumn> tree() {
        return tree;
    }

    ViewsActions actions() {
        return actions;
    }

    ViewsModel model() {
        return model;
    }

    String summaryText() {
        return summary.getText();
    }

    SitesPane sites() {
        return sites;
    }
}
