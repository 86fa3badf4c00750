// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.processes;

import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.eclipse.ui.IWorkbenchPage;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.ProcessList;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;
import org.kview.ui.flow.FlowView;
import org.kview.ui.record.RecordWizard;
import org.kview.ui.record.Recordings;
import org.kview.ui.targets.part.TargetPart;
import org.kview.ui.widgets.RowsTree;
import org.kview.ui.widgets.SearchField;

/** The processes of the target that is chosen in the Targets view, renewed while one looks. */
public final class ProcessesView extends TargetPart<ProcessList> {
    public static final String ID = KviewUi.VIEW_PROCESSES;

    private static final int FILTER_WIDTH = 420;
    /** If there are more, the user is asked to filter them. */
    private static final int LINES_AT_MOST = 5_000;
    private static final int INTERVAL_MILLIS = 2000;

    private final ProcessModel model = new ProcessModel();
    private Text filter;
    private Label count;
    private RowsTree<ProcessRow, ProcessColumn> tree;

    public ProcessesView() {
        super(new Words("Processes", "processes", "its processes"), Agent::processList, INTERVAL_MILLIS);
    }

    /** Shows the processes of a target. */
    public static void show(IWorkbenchPage page, TargetConnection target) {
        show(page, ID, target);
    }

    @Override
    protected Control createList(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 0).applyTo(area);
        Composite bar = new Composite(area, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(2).margins(6, 4).spacing(8, 0).applyTo(bar);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(bar);
        filter = SearchField.create(bar, "Filter by name, number, user, container or command", () -> {
            model.setFilter(filter.getText());
            showRows();
        }, () -> tree.control().setFocus());
        GridDataFactory.swtDefaults().hint(FILTER_WIDTH, SWT.DEFAULT).applyTo(filter);
        count = new Label(bar, SWT.NONE);
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(count);
        tree = new RowsTree<>(area, List.of(ProcessColumn.values()), LINES_AT_MOST, this::sortBy, this::record);
        GridDataFactory.fillDefaults().grab(true, true).applyTo(tree.control());
        new ProcessActions(this, model, poll(), tree).install();
        return area;
    }

    @Override
    protected void update(ProcessList processes) {
        model.update(processes);
        showRows();
    }

    @Override
    protected void clear() {
        model.clear();
        showRows();
    }

    @Override
    protected boolean staysAfter(TargetException why) {
        count.setText("not answering");
        count.setToolTipText(SafeText.lines(why.getMessage()));
        return true;
    }

    void sortBy(ProcessColumn column) {
        model.sortBy(column);
        showRows();
    }

    void showRows() {
        List<ProcessRow> rows = model.rows();
        boolean all = tree.show(rows);
        model.sorting().show(tree.control());
        count.setToolTipText("");
        count.setText(SafeText.lines(!all ? "the first " + LatencyFormat.count(LINES_AT_MOST) + "; filter to see others"
                : model.shown() == model.total() ? LatencyFormat.count(model.total()) + " processes"
                        : LatencyFormat.count(model.shown()) + " of " + LatencyFormat.count(model.total())));
    }

    /** Opens the wizard on the chosen process. */
    void record() {
        selection().ifPresent(process -> target().ifPresent(
                t -> Recordings.openWizard(getSite().getShell(), RecordWizard.Preset.of(t, process.pid()))));
    }

    /** Opens the wizard on all processes of the service that the chosen one is of. */
    void recordService() {
        selection().ifPresent(process -> target().ifPresent(
                t -> Recordings.openWizard(getSite().getShell(), RecordWizard.Preset.ofService(t, process.pid()))));
    }

    /** Asks which system call of the chosen process to follow. */
    void follow() {
        selection().ifPresent(process -> target().ifPresent(t -> FlowView.ask(getSite().getPage(), t, process)));
    }

    /** The chosen process, while it is in the list. */
    Optional<ProcessInfo> selection() {
        return tree.selection().map(ProcessRow::process);
    }

    @Override
    protected RowsTree<ProcessRow, ProcessColumn> tree() {
        return tree;
    }

    Text filterField() {
        return filter;
    }

    String countText() {
        return count.getText();
    }
}
