// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.DirectoryDialog;
import org.eclipse.swt.widgets.Group;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Spinner;
import org.eclipse.swt.widgets.Text;
import org.kview.model.Budget;
import org.kview.model.CallConditions;
import org.kview.model.Filter;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.SafeText;
import org.kview.model.SyntaxException;
import org.kview.recording.RecordingOptions;
import org.kview.recording.template.RecordingTemplate;
import org.kview.ui.preferences.RecordingPreferences;

/** Asks how long to record, what to keep, and where to write it. */
final class OptionsPage extends WizardPage {
    private static final int LONGEST_SECONDS = 24 * 3600;

    private static final String ASK = "Say how long to record, and where to keep the session.";
    private static final String FORCED = "A program that throws through a measured frame, or switches stacks in it, can end by"
            + " that. The session is marked.";
    private static final String JUMPS = "Kview writes code into this process, and takes it out at the end: all its threads stand for"
            + " moments meanwhile. With events a call costs twice as much.";

    private static final String OF_MANY = "Of a whole service, and of children, it is not told what calls waited for, and they are recorded neither by jumps nor with"
            + " return probes that nothing proves harmless.";
    private static final String CHILDREN = "The probes on functions are in all processes that run the same program or library then: those that are not recorded pay"
            + " for them, which is counted.";

    private static final String COST_TO_OTHERS = "Harmless operations of a process of the agent's own are timed before, during and after the recording:"
            + " 0.5 % of a CPU at most, and some second more at its start and end.";
    private static final String WAITS = "Of functions that are measured by traps. Each context switch and wake-up of the host takes a little longer meanwhile.";

    private static final String CONDITIONS = "Of functions of programs, measured by traps: arg0 to arg5, retval, comm (the thread's name) and tid,"
            + " compared with == != < <= > >=, joined with && || !; other calls are counted. For one function its name and a colon come"
            + " before it; a semicolon stands between conditions.";

    private final Supplier<String> program;
    private final UnaryOperator<String> titled;
    private final BooleanSupplier ofService;
    private final Supplier<List<ProbePoint>> points;
    private Button open;
    private Button limited;
    private Spinner seconds;
    private Button events;
    private Button waits;
    private Button children;
    private Button costToOthers;
    private Text conditions;
    private SplitsField splits;
    private MeasuresField measures;
    private FilterField filter;
    private BudgetField budget;
    private Button forced;
    private Button jumps;
    private Text folder;
    private Text name;
    private String proposed = "";

    /**
     * @param program what is recorded, after which the session is named; a path or a name, may be empty
     * @param titled  makes of a page's name its title, which tells of whom it is
     */
    OptionsPage(Supplier<String> program, UnaryOperator<String> titled) {
        this(program, titled, () -> false, List::of);
    }

    /**
     * @param ofService  whether a whole service is recorded
     * @param points     what is measured
     */
    OptionsPage(Supplier<String> program, UnaryOperator<String> titled, BooleanSupplier ofService, Supplier<List<ProbePoint>> points) {
        super("options", "Recording", null);
        this.program = program;
        this.titled = titled;
        this.ofService = ofService;
        this.points = points;
        setMessage(ASK);
    }

    @Override
    public void createControl(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.swtDefaults().spacing(5, 10).applyTo(area);
        createDuration(group(area, "Duration", 3));
        createData(group(area, "Data", 2));
        createPlace(group(area, "Session", 3));
        propose(RecordingPreferences.ofWorkspace());
        setControl(area);
        check();
    }

    private void propose(RecordingPreferences preferences) {
        preferences.seconds().ifPresent(this::setDuration);
        events.setSelection(preferences.events());
        setWaits(preferences.waits());
        setBudget(preferences.budget());
    }

    private static Group group(Composite area, String title, int columns) {
        Group group = new Group(area, SWT.NONE);
        group.setText(SafeText.lines(title));
        GridLayoutFactory.swtDefaults().numColumns(columns).applyTo(group);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(group);
        return group;
    }

    private void createDuration(Group group) {
        open = new Button(group, SWT.RADIO);
        open.setText("&Until it is stopped, or the process ends");
        open.setSelection(true);
        GridDataFactory.swtDefaults().span(3, 1).applyTo(open);
        limited = new Button(group, SWT.RADIO);
        limited.setText("&For");
        seconds = new Spinner(group, SWT.BORDER);
        seconds.setValues(10, 1, LONGEST_SECONDS, 0, 1, 10);
        seconds.setEnabled(false);
        new Label(group, SWT.NONE).setText("seconds");
        limited.addListener(SWT.Selection, event -> seconds.setEnabled(limited.getSelection()));
    }

    private void createData(Group group) {
        events = new Button(group, SWT.CHECK);
        events.setText("&Events: keep each call and each context switch of the process as a trace, too");
        GridDataFactory.swtDefaults().span(2, 1).applyTo(events);
        waits = new Button(group, SWT.CHECK);
        waits.setText("Wai&ts: tell where calls waited, for which locks, files and sockets, and who woke them");
        waits.setToolTipText(WAITS);
        GridDataFactory.swtDefaults().span(2, 1).applyTo(waits);
        costToOthers = new Button(group, SWT.CHECK);
        costToOthers.setText("&Cost to others: a process beside it sees what the recording costs those that are not recorded");
        costToOthers.setToolTipText(COST_TO_OTHERS);
        GridDataFactory.swtDefaults().span(2, 1).applyTo(costToOthers);
        children = new Button(group, SWT.CHECK);
        children.setText("Chil&dren: also the processes that it forks, those that it has forked before, and theirs");
        children.setToolTipText(CHILDREN);
        children.addListener(SWT.Selection, _ -> check());
        GridDataFactory.swtDefaults().span(2, 1).applyTo(children);
        new Label(group, SWT.NONE).setText("Onl&y calls where:");
        conditions = new Text(group, SWT.BORDER);
        conditions.setMessage("all, or such as arg0 > 4096");
        conditions.setToolTipText(CONDITIONS);
        conditions.addListener(SWT.Modify, _ -> check());
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(conditions);
        splits = new SplitsField(group, this::check);
        measures = new MeasuresField(group, this::check);
        filter = new FilterField(group, this::check);
        budget = new BudgetField(group);
        forced = new Button(group, SWT.CHECK);
        forced.setText("Return &probes also where nothing proves them harmless");
        forced.setToolTipText("Cheaper where functions end by returns alone. " + FORCED);
        forced.addListener(SWT.Selection, _ -> check());
        GridDataFactory.swtDefaults().span(2, 1).applyTo(forced);
        jumps = new Button(group, SWT.CHECK);
        jumps.setText("By &jumps: a call costs some 50 ns instead of a microsecond and more");
        jumps.setToolTipText(JUMPS);
        jumps.addListener(SWT.Selection, _ -> check());
        events.addListener(SWT.Selection, _ -> check());
        GridDataFactory.swtDefaults().span(2, 1).applyTo(jumps);
    }

    private void createPlace(Group group) {
        new Label(group, SWT.NONE).setText("F&older:");
        folder = new Text(group, SWT.BORDER);
        folder.setText(RecordingPreferences.ofWorkspace().folder());
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(folder);
        Button browse = new Button(group, SWT.PUSH);
        browse.setText("Bro&wse…");
        browse.addListener(SWT.Selection, event -> Optional.ofNullable(new DirectoryDialog(getShell()).open())
                .ifPresent(folder::setText));
        new Label(group, SWT.NONE).setText("N&ame:");
        name = new Text(group, SWT.BORDER);
        GridDataFactory.fillDefaults().grab(true, false).applyTo(name);
        new Label(group, SWT.NONE).setText(".kview");
        folder.addListener(SWT.Modify, event -> check());
        name.addListener(SWT.Modify, event -> check());
    }

    @Override
    public void setVisible(boolean visible) {
        if (visible) {
            propose();
            check();
            setTitle(SafeText.line(titled.apply("Recording")));
        }
        super.setVisible(visible);
    }

    /** A name that the user typed stays. */
    private void propose() {
        if (name.getText().equals(proposed)) {
            proposed = SessionNames.propose(program.get(), LocalDateTime.now());
            name.setText(proposed);
        }
    }

    private void check() {
        boolean service = ofService.getAsBoolean();
        Optional<String> unclear = conditionsProblem().or(this::viewProblem).or(this::eventsProblem).or(() -> splits.problem(way() == ProbeWay.JUMP))
                .or(() -> measures.problem(way() == ProbeWay.JUMP));
        Optional<String> problem = unclear.or(() -> SessionNames.problem(folder.getText().strip(), name.getText().strip()));
        boolean untouched = name.getText().isEmpty() && proposed.isEmpty();
        boolean many = service || children();
        children.setEnabled(!service);
        waits.setEnabled(!many && !jumps.getSelection());
        Stream.of(jumps, forced).forEach(button -> button.setEnabled(!many));
        String warning = Stream.of(forcesReturnProbes() ? FORCED : "", way() == ProbeWay.JUMP ? JUMPS : "",
                many && Stream.of(waits, jumps, forced).anyMatch(Button::getSelection) ? OF_MANY : "")
                .filter(text -> !text.isEmpty()).collect(Collectors.joining(" "));
        setMessage(SafeText.lines(warning.isEmpty() ? ASK : warning), warning.isEmpty() ? NONE : WARNING);
        setErrorMessage(untouched && unclear.isEmpty() ? null : problem.map(SafeText::lines).orElse(null));
        setPageComplete(problem.isEmpty());
    }

    private Optional<String> viewProblem() {
        return ofMany() && filter() == Filter.VIEW && points.get().stream().anyMatch(ProbePoint.UserFunction.class::isInstance) ? Optional.of("Of a whole service, and of children, a kernel view is of system calls"
                + " and of functions of the kernel alone: choose another filter.") : Optional.empty();
    }

    private Optional<String> eventsProblem() {
        boolean can = points.get().stream().map(ProbePoint::kind).distinct().count() < 2 && points.get().stream().noneMatch(ProbePoint.Tracepoint.class::isInstance);
        return can || !events() ? Optional.empty() : Optional.of("Events are kept of one kind of points, and not of tracepoints: record without, or choose others.");
    }

    /** Whether more than one process is recorded. */
    private boolean ofMany() {
        return ofService.getAsBoolean() || children();
    }

    private boolean children() {
        return children.getSelection() && !ofService.getAsBoolean();
    }

    void setChildren(boolean wanted) {
        children.setSelection(wanted);
        check();
    }

    /** Why the conditions can't be understood, or not be had with what else is chosen. */
    private Optional<String> conditionsProblem() {
        try {
            CallConditions chosen = CallConditions.parse(conditions.getText());
            if (chosen.isEmpty()) {
                return Optional.empty();
            }
            return way() == ProbeWay.JUMP ? Optional.of("Jumps count every call: conditions need traps.")
                    : events() && chosen.areDecidedAtEnd()
                            ? Optional.of("Conditions on retval are recorded without events: these begin before it is known.") : Optional.empty();
        } catch (SyntaxException e) {
            return Optional.of("Only calls where, character " + e.column() + ": " + e.getMessage() + ".");
        }
    }

    /** Those that can't be understood are none; the page is not complete then. */
    private CallConditions conditions() {
        try {
            return CallConditions.parse(conditions.getText());
        } catch (SyntaxException e) {
            return CallConditions.NONE;
        }
    }

    void setConditions(String text) {
        conditions.setText(text);
    }

    Optional<Duration> duration() {
        return limited.getSelection() ? Optional.of(Duration.ofSeconds(seconds.getSelection())) : Optional.empty();
    }

    boolean events() {
        return events.getSelection();
    }

    void setEvents(boolean kept) {
        events.setSelection(kept);
        check();
    }

    /** How functions are measured. */
    ProbeWay way() {
        return jumps.getSelection() && !ofMany() ? ProbeWay.JUMP : ProbeWay.AUTO;
    }

    void setByJumps(boolean wanted) {
        jumps.setSelection(wanted);
        check();
    }

    Filter filter() {
        return filter.filter();
    }

    /** How much of the process's CPU time the probes may take. */
    Budget budget() {
        return budget.budget();
    }

    void setBudget(Budget allowed) {
        budget.set(allowed);
    }

    /** What was chosen on this page; no trial is made when the recording begins. */
    RecordingOptions options() {
        return new RecordingOptions.Builder().events(events()).filter(filter()).duration(duration()).budget(budget())
                .forceReturnProbes(forcesReturnProbes()).way(way()).waits(waits())
                .costToOthers(costToOthers.getSelection()).conditions(conditions()).splits(splits.splits())
                .children(children()).measures(measures.measures()).build();
    }

    private boolean waits() {
        return waits.getSelection() && way() != ProbeWay.JUMP && !ofMany();
    }

    void setWaits(boolean told) {
        waits.setSelection(told);
    }

    /** Whether return addresses are replaced also where nothing proves it harmless. */
    boolean forcesReturnProbes() {
        return forced.getSelection() && !ofMany();
    }

    void setForcesReturnProbes(boolean wanted) {
        forced.setSelection(wanted);
        check();
    }

    /** Pages are created one by one. */
    boolean isCreated() {
        return budget != null;
    }

    /** The session's folder; the folder above is proposed again next time. */
    Path session() {
        RecordingPreferences.ofWorkspace().setLastFolder(folder.getText().strip());
        return SessionNames.folder(folder.getText().strip(), name.getText().strip());
    }

    void setPlace(String parent, String sessionName) {
        folder.setText(parent);
        name.setText(sessionName);
    }

    /** Takes over a template's options; a part of a second counts as a whole one. */
    void apply(RecordingTemplate template) {
        limited.setSelection(template.duration().isPresent());
        open.setSelection(template.duration().isEmpty());
        seconds.setEnabled(limited.getSelection());
        template.duration().ifPresent(duration -> seconds.setSelection(
                (int) Math.min(duration.plusMillis(999).toSeconds(), LONGEST_SECONDS)));
        events.setSelection(template.events());
        setWaits(template.waits());
        setConditions(template.conditions().toString());
        splits.set(template.splits());
        measures.set(template.measures());
        setBudget(template.budget());
        setChildren(template.children());
        setByJumps(template.way() == ProbeWay.JUMP);
        filter.set(template.filter());
    }

    void setDuration(int limit) {
        limited.setSelection(true);
        open.setSelection(false);
        seconds.setEnabled(true);
        seconds.setSelection(limit);
    }
}
