// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.kview.model.LatencyFormat;
import org.kview.model.SafeText;
import org.kview.recording.ScopeSpec;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.HostInfo;
import org.kview.targets.values.ProcessInfo;
import org.kview.targets.values.TargetException;
import org.kview.ui.UiThread;
import org.kview.ui.widgets.Column;
import org.kview.ui.widgets.SearchField;
import org.kview.ui.widgets.TableRows;

/** Asks which process to record: one that runs, or a command that is started. */
final class ProcessPage extends WizardPage {
    private static final String ASK = "Choose the process whose functions are to be measured.";
    private static final String REFRESH = "Re&fresh";
    private static final String CONNECT = "Conn&ect";

    private final AgentQueries.Line processQueries;
    private final ProcessRows rows = new ProcessRows();
    private final AgentQueries queries;
    private final List<TargetConnection> targets;
    /** Chosen as soon as it is listed. */
    private OptionalLong wanted;
    private boolean wantsService;
    private TargetChoice target;
    private Button attach;
    private Button launch;
    private Text filter;
    private Button refresh;
    private Label count;
    private Table table;
    private TableRows<ProcessInfo> lines;
    private Button service;
    private LaunchFields launchFields;
    private boolean able;
    private boolean isUnserved;
    private boolean hasCgroups;
    private Optional<String> cantLaunch = Optional.empty();

    /** The message at first. The host may not be able to record at all; its processes are listed nevertheless. */
    private record Answer(HostInfo host, boolean canLaunch, List<ProcessInfo> processes) {
    }

    ProcessPage(AgentQueries queries, List<TargetConnection> targets, OptionalLong wanted, boolean wantsService) {
        super("process", "Process", null);
        this.queries = queries;
        this.targets = targets;
        this.wanted = wanted;
        this.wantsService = wantsService;
        processQueries = queries.new Line();
        setMessage(ASK);
        setPageComplete(false);
    }

    @Override
    public void createControl(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.swtDefaults().numColumns(3).applyTo(area);
        target = new TargetChoice(area, targets, queries.target(), this::chooseTarget);
        attach = radio(area, "A process that r&uns:");
        attach.setSelection(true);
        filter = SearchField.create(area, "Filter by number, name, user or command",
                () -> change(() -> rows.setFilter(filter.getText())), () -> table.setFocus());
        GridDataFactory.fillDefaults().grab(true, false).indent(18, 0).applyTo(filter);
        count = new Label(area, SWT.RIGHT);
        GridDataFactory.swtDefaults().hint(110, SWT.DEFAULT).applyTo(count);
        refresh = new Button(area, SWT.PUSH);
        refresh.setText(REFRESH);
        refresh.addListener(SWT.Selection, event -> list());
        createTable(area);
        service = new Button(area, SWT.CHECK);
        service.setSelection(wantsService);
        service.addListener(SWT.Selection, _ -> {
            wantsService = service.getSelection();
            update();
        });
        GridDataFactory.fillDefaults().span(3, 1).indent(18, 0).applyTo(service);
        launch = radio(area, "A &command that is started, with its probes in place before its first instruction:");
        launchFields = new LaunchFields(area, this::update);
        launchFields.setRemote(isRemote());
        setControl(area);
        update();
        list();
    }

    private Button radio(Composite area, String text) {
        Button button = new Button(area, SWT.RADIO);
        button.setText(SafeText.lines(text));
        button.addListener(SWT.Selection, event -> update());
        GridDataFactory.swtDefaults().span(3, 1).applyTo(button);
        return button;
    }

    private void createTable(Composite area) {
        table = new Table(area, SWT.BORDER | SWT.VIRTUAL | SWT.SINGLE | SWT.FULL_SELECTION);
        lines = new TableRows<>(table, ProcessPage::fill).searchedBy(ProcessInfo::name);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, true).indent(18, 0).hint(900, 260).applyTo(table);
        Column.create(table, List.of(ProcessRows.Column.values()), column -> {
            change(() -> rows.sortBy(column));
            rows.sorting().show(table);
        });
        rows.sorting().show(table);
        table.addListener(SWT.Selection, event -> update());
        // A double click and Enter go to the next page. Enter would also press the dialog's button, "Next", which would lead from there
        // one page further: the key ends at this table, which has to keep the focus until that is so.
        table.addListener(SWT.DefaultSelection, event -> UiThread.later(table.getDisplay(), this::goOn));
        table.addListener(SWT.Traverse, event -> {
            if (event.detail == SWT.TRAVERSE_RETURN) {
                event.detail = SWT.TRAVERSE_NONE;
                event.doit = true;
            }
        });
    }

    private void goOn() {
        if (!table.isDisposed() && isCurrentPage() && canFlipToNextPage()) {
            getContainer().showPage(getNextPage());
        }
    }

    private static void fill(TableItem item, ProcessInfo process) {
        item.setText(SafeText.cells(Column.texts(ProcessRows.Column.values(), process)));
    }

    /** Changes what is listed; the chosen process stays chosen while it is in sight. */
    private void change(Runnable change) {
        Optional<Long> chosen = process().map(ProcessInfo::pid);
        change.run();
        lines.show(rows.shown());
        table.deselectAll();
        for (int i = 0; i < rows.shown().size(); i++) {
            if (chosen.isPresent() && rows.shown().get(i).pid() == chosen.get()) {
                table.select(i);
            }
        }
        count.setText(SafeText.lines(rows.shown().size() == rows.total() ? LatencyFormat.count(rows.total()) + " processes"
                : LatencyFormat.count(rows.shown().size()) + " of " + LatencyFormat.count(rows.total())));
        update();
    }

    private void chooseTarget(TargetConnection other) {
        queries.setTarget(other);
        wanted = OptionalLong.empty();
        able = false;
        cantLaunch = Optional.empty();
        launchFields.setRemote(isRemote());
        change(() -> rows.setProcesses(List.of()));
        if (isRemote() && other.agent().isEmpty()) {
            // Moving through the list of targets by keys must not log in to each of them.
            refresh.setText(CONNECT);
            refresh.setEnabled(true);
            refresh.getParent().layout(true);
            count.setText("not connected");
            setErrorMessage(null);
            update();
        } else {
            list();
        }
    }

    private boolean isConnectOffered() {
        return refresh.getText().equals(CONNECT);
    }

    private boolean isRemote() {
        return queries.target().origin() != TargetConnection.Origin.LOCAL;
    }

    private void list() {
        refresh.setText(REFRESH);
        refresh.setEnabled(false);
        count.setText(SafeText.lines(queries.target().agent().isPresent() ? "asking…" : "connecting…"));
        setErrorMessage(null);
        processQueries.ask(agent -> new Answer(agent.host(), agent.canLaunch(), agent.processes()), this::listed,
                this::failed);
    }

    private void listed(Answer answer) {
        refresh.setEnabled(true);
        able = answer.host().canRecord();
        hasCgroups = answer.host().hasCgroups();
        setErrorMessage(able ? null : SafeText.lines("This host can't record: " + answer.host().capabilities().stream()
                .filter(c -> c.required() && !c.available()).map(HostInfo.Capability::detail)
                .collect(Collectors.joining(" "))));
        cantLaunch = answer.canLaunch() ? Optional.empty() : Optional.of("The agent on " + queries.target().name()
                + " was started through sudo, and would start the command as root: start it yourself, and choose it above.");
        change(() -> rows.setProcesses(answer.processes()));
        wanted.ifPresent(this::choose);
        boolean chosen = wanted.isPresent() && isPageComplete();
        wanted = OptionalLong.empty();
        if (chosen && isCurrentPage()) {
            // If the wizard was opened on a process, there is nothing to ask here; Back leads to this page.
            getContainer().showPage(getNextPage());
        }
    }

    private void choose(long pid) {
        for (int i = 0; i < rows.shown().size(); i++) {
            if (rows.shown().get(i).pid() == pid) {
                table.setSelection(i);
                table.showSelection();
                update();
                return;
            }
        }
        setErrorMessage(SafeText.lines("Process " + pid + " is not there any more; choose another one."));
    }

    private void failed(TargetException e) {
        refresh.setEnabled(true);
        count.setText("");
        able = false;
        setErrorMessage(SafeText.lines(e.getMessage()));
        update();
    }

    private void update() {
        boolean attaching = attach.getSelection();
        for (var control : List.of(filter, table)) {
            control.setEnabled(attaching);
        }
        Optional<ScopeSpec.Cgroup> of = service();
        Optional<String> unserved = attaching && wantsService && able && process().isPresent() && of.isEmpty()
                ? Optional.of(whyNoService() + ": choose another process, or record this one alone.") : Optional.empty();
        service.setEnabled(of.isPresent() || unserved.isPresent());
        service.setSelection(wantsService && service.getEnabled());
        showUnserved(unserved);
        service.setText(SafeText.lines("All processes of its &service, now and later"
                + of.map(cgroup -> ": " + cgroup.name().replace("&", "&&")).orElse("")));
        service.setToolTipText(SafeText.line(of.isPresent() || process().isEmpty() ? "" : whyNoService()));
        launchFields.setEnabled(!attaching);
        Optional<String> problem = attaching ? Optional.empty() : cantLaunch.or(launchFields::problem);
        setMessage(SafeText.lines(problem.orElse(isConnectOffered() ? name() + " is not connected. Choose Connect to see its"
                + " processes." : ASK)), problem.isPresent() ? WARNING : NONE);
        setPageComplete(able && problem.isEmpty() && unserved.isEmpty() && scope().isPresent());
    }

    private String whyNoService() {
        return hasCgroups ? "The process is in no cgroup below the root" : "The agent on " + name() + " measures single processes, no services";
    }

    /** Whoever wants a service is not given a process of it instead. What else is wrong stays in sight. */
    private void showUnserved(Optional<String> sentence) {
        if (sentence.isPresent()) {
            setErrorMessage(SafeText.lines(sentence.get()));
        } else if (isUnserved) {
            setErrorMessage(null);
        }
        isUnserved = sentence.isPresent();
    }

    private Optional<ProcessInfo> process() {
        int index = table.getSelectionIndex();
        return index >= 0 && index < rows.shown().size() ? Optional.of(rows.shown().get(index)) : Optional.empty();
    }

    /** What was chosen; empty while nothing is. */
    Optional<ScopeSpec> scope() {
        if (!attach.getSelection()) {
            return launchFields.spec().map(ScopeSpec.Launch::new);
        }
        return service().filter(_ -> wantsService).map(ScopeSpec.class::cast).or(() -> process().map(p -> new ScopeSpec.Attach(p.pid())));
    }

    boolean isOfService() {
        return scope().filter(ScopeSpec.Cgroup.class::isInstance).isPresent();
    }

    /** Of the process that is chosen, where it can be recorded. */
    private Optional<ScopeSpec.Cgroup> service() {
        return process().filter(_ -> attach.getSelection() && hasCgroups).flatMap(p -> ScopeSpec.Cgroup.ofService(p.cgroup()));
    }

    /** The process in which functions are looked up; 0: a program that is to be started. */
    long pid() {
        return attach.getSelection() ? process().map(ProcessInfo::pid).orElse(0L) : 0;
    }

    /** The path of the program that was chosen; empty where it is not known. */
    String executable() {
        return attach.getSelection() ? process().map(process -> process.program().executable()).orElse("")
                : launchFields.executable();
    }

    /** A page's title that tells of whom it is. */
    String titled(String page) {
        return scope().map(_ -> page + (attach.getSelection()
                ? scope().get() instanceof ScopeSpec.Cgroup(String service) ? " of " + service
                        : process().map(p -> " of " + p.name() + " (" + p.pid() + ")").orElse("")
                : " of " + executable().substring(executable().lastIndexOf('/') + 1)) + " on " + name()).orElse(page);
    }

    TargetConnection target() {
        return queries.target();
    }

    private String name() {
        return queries.target().name();
    }

    /** Where typing narrows what is listed: the list of targets is not what a key should change unasked. */
    @Override
    public void setVisible(boolean visible) {
        super.setVisible(visible);
        if (visible && attach.getSelection()) {
            filter.setFocus();
        }
    }

    Button refreshButton() {
        return refresh;
    }

    TargetChoice targetChoice() {
        return target;
    }

    Table table() {
        return table;
    }

    Button serviceButton() {
        return service;
    }

    boolean wantsService() {
        return wantsService;
    }

    Text filterField() {
        return filter;
    }

    /** Chooses the command instead of a process. */
    LaunchFields chooseLaunch() {
        attach.setSelection(false);
        launch.setSelection(true);
        update();
        return launchFields;
    }
}
