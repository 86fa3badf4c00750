// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.kernelviews;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.ui.IWorkbenchPage;
import org.kview.model.ByteFormat;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.targets.KernelViewList;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.KernelViews;
import org.kview.ui.KviewUi;
import org.kview.ui.targets.part.TargetPart;
import org.kview.ui.widgets.RowsTree;

/** The kernel views of the target that is chosen in the Targets view, renewed while one looks. */
public final class KernelViewsView extends TargetPart<KernelViews> {
    /** An agent tells more, of a host where views come and go without end. */
    private static final int LINES_AT_MOST = 2_000;
    private static final int INTERVAL_MILLIS = 1000;

    private final ViewsModel model = new ViewsModel();
    private Label summary;
    private RowsTree<ViewRow, ViewColumn> tree;

    public KernelViewsView() {
        super(new Words("Kernel Views", "kernel views", "who is traced in a view of its kernel"), KernelViewList::of, INTERVAL_MILLIS);
    }

    /** Shows the kernel views of a target. */
    public static void show(IWorkbenchPage page, TargetConnection target) {
        show(page, KviewUi.VIEW_KERNEL_VIEWS, target);
    }

    @Override
    protected Control createList(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(area);
        summary = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().indent(8, 6).grab(true, false).applyTo(summary);
        tree = new RowsTree<>(area, List.of(ViewColumn.values()), LINES_AT_MOST, this::sortBy, () -> { });
        GridDataFactory.fillDefaults().indent(0, 6).grab(true, true).applyTo(tree.control());
        new ViewsActions(model, poll(), tree).install(getViewSite());
        return area;
    }

    @Override
    protected void update(KernelViews views) {
        model.update(views);
        showRows();
    }

    @Override
    protected void clear() {
        model.clear();
        showRows();
    }

    @Override
    protected Optional<String> insteadOfList() {
        return model.latest().filter(views -> views.views().isEmpty()).map(_ -> "Nobody is traced in a view of its kernel now. A"
                + " recording of functions of the kernel makes one, and so does kviewctl; it is shown here as long as it lasts.");
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

    ViewsModel model() {
        return model;
    }

    String summaryText() {
        return summary.getText();
    }
}
