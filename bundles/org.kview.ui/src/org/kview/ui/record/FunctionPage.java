// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Text;
import org.kview.model.Budget;
import org.kview.model.LatencyFormat;
import org.kview.model.ProbePoint;
import org.kview.model.ProbeWay;
import org.kview.model.SafeText;
import org.kview.model.SurveyFindings;
import org.kview.recording.KernelSearch;
import org.kview.recording.ScopeSpec;
import org.kview.recording.SurveyChooser;
import org.kview.recording.template.RecordingTemplate;
import org.kview.recording.template.TemplateLookup;
import org.kview.targets.Agent;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.FunctionMatches;
import org.kview.targets.values.FunctionQuery;
import org.kview.targets.values.TargetException;
import org.kview.ui.text.Counts;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.SearchField;

/**
 * Asks which functions to measure. They are searched as one types, stay ticked from one search to the next, and are shown
 * with what their probes will cost.
 */
final class FunctionPage extends WizardPage {
    private static final int LIMIT = 1000;
    private static final int TYPING_PAUSE_MILLIS = 250;
    private static final String ASK = "Tick the functions to be measured.";
    /** It may have been ticked by a template. */
    private static final String JUMPS = "By jumps is ticked on the last page: Kview writes code into this process.";
    private static final String TICK_ALL = "Tick &All";
    private static final String UNTICK_ALL = "Untick &All";

    private final AgentQueries.Line searches;
    private final AgentQueries.Line maps;
    private final AgentQueries.Line costs;
    private final AgentQueries.Line templateLookups;
    private final ProcessPage processPage;
    private final OptionsPage optionsPage;
    private final TemplateMenu templates;
    /** Applied as soon as a process is chosen. */
    private Optional<RecordingTemplate> wanted;
    private final FunctionChoice choice = new FunctionChoice();
    private final Runnable search = this::search;
    private Optional<ScopeSpec> scope = Optional.empty();
    private Optional<TargetConnection> target = Optional.empty();
    private Combo binary;
    private Text pattern;
    private Button chosenOnly;
    private Button all;
    private Label status;
    private Label summary;
    private Link lacking;
    private List<TemplateLookup.Missing> missing = List.of();
    private FunctionChecks checks;
    private SurveyBar survey;
    private List<FunctionInfo> found = List.of();
    /** Whether this target's agent was asked to measure what probes cost. */
    private boolean measured;

    FunctionPage(AgentQueries queries, ProcessPage processPage, OptionsPage optionsPage, TemplateMenu templates,
            Optional<RecordingTemplate> wanted) {
        super("functions", "Functions", null);
        this.searches = queries.new Line();
        this.maps = queries.new Line();
        this.costs = queries.new Line();
        this.templateLookups = queries.new Line();
        this.optionsPage = optionsPage;
        this.templates = templates;
        this.wanted = wanted;
        this.processPage = processPage;
        setMessage(ASK);
        setPageComplete(false);
    }

    @Override
    public void createControl(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.swtDefaults().numColumns(3).applyTo(area);
        survey = new SurveyBar(area, this::surveyQuestion, this::suggested);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, false).applyTo(survey.control());
        new Label(area, SWT.NONE).setText("&In:");
        binary = new Combo(area, SWT.DROP_DOWN);
        binary.setVisibleItemCount(20);
        binary.setToolTipText("The executable, a library that the process maps, or the path of one; or what of the kernel is measured");
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).applyTo(binary);
        new Label(area, SWT.NONE).setText("&Function:");
        pattern = SearchField.create(area, "Part of a name, or a glob: *_basket, std::*", this::searchSoon,
                () -> checks.control().setFocus());
        GridDataFactory.fillDefaults().grab(true, false).applyTo(pattern);
        chosenOnly = new Button(area, SWT.CHECK);
        chosenOnly.setText("&Chosen only");
        chosenOnly.addListener(SWT.Selection, event -> showFunctions());
        checks = new FunctionChecks(area, choice, this::update);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, true).hint(900, 300).applyTo(checks.control());
        status = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(status);
        all = new Button(area, SWT.PUSH);
        all.setText(UNTICK_ALL);
        all.addListener(SWT.Selection, _ -> checks.setAllChecked(!checks.isAllChecked()));
        GridDataFactory.fillDefaults().align(SWT.END, SWT.CENTER).applyTo(all);
        summary = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(summary);
        GridDataFactory.swtDefaults().align(SWT.END, SWT.CENTER).applyTo(templates.createButton(area, this));
        lacking = new Link(area, SWT.WRAP);
        lacking.addListener(SWT.Selection, _ -> templates.showMissing(getShell(), missing));
        GridDataFactory.fillDefaults().span(3, 1).grab(true, false).hint(400, SWT.DEFAULT).applyTo(lacking);
        binary.addListener(SWT.Modify, event -> searchSoon());
        setControl(area);
        update();
    }

    @Override
    public void setVisible(boolean visible) {
        super.setVisible(visible);
        if (visible && !(scope.equals(processPage.scope()) && target.equals(Optional.of(processPage.target())))) {
            measured &= target.equals(Optional.of(processPage.target()));
            scope = processPage.scope();
            target = Optional.of(processPage.target());
            choice.clear();
            showMissing(List.of());
            chosenOnly.setSelection(false);
            survey.reset();
            checks.suggest(survey.suggestions());
            proposeBinaries();
            wanted.ifPresent(this::apply);
            wanted = Optional.empty();
        }
        if (visible) {
            setTitle(SafeText.line(processPage.titled("Functions")));
            update();
            pattern.setFocus();
        } else {
            // What is recorded must not change behind the pages that follow.
            survey.cancel();
        }
    }

    private Optional<SurveyJob.Question> surveyQuestion() {
        return pid() == 0 ? Optional.empty() : Optional.of(new SurveyJob.Question(processPage.target(), pid(),
                new SurveyChooser.Purpose(!optionsPage.isCreated() || optionsPage.way() != ProbeWay.JUMP,
                        optionsPage.isCreated() ? optionsPage.budget() : Budget.DEFAULT,
                        optionsPage.isCreated() && optionsPage.forcesReturnProbes())));
    }

    /** Ticks what a survey suggests; what else is ticked stays so. */
    private void suggested(Suggestions latest) {
        latest.choice().functions().forEach(function -> choice.set(function, true));
        checks.suggest(Optional.of(latest));
        showFunctions();
        checks.control().setTopIndex(0);
        // The trial has measured what calls cost longer, if that was not known.
        search();
    }

    /** What the survey found that helped to choose. */
    Optional<SurveyFindings> surveyed() {
        return survey.suggestions().map(latest -> latest.choice().survey());
    }

    private void proposeBinaries() {
        String executable = processPage.executable();
        binary.setItems(Stream.concat(Stream.of(executable).filter(path -> !path.isEmpty()), Stream.of(KernelSearch.values()).map(KernelSearch::label))
                .toArray(String[]::new));
        binary.setText(executable);
        searchSoon();
        long pid = pid();
        if (pid != 0) {
            // It may be another user's process, or have ended: the name of a library can still be typed.
            maps.ask(agent -> agent.mappedFiles(pid), this::propose, _ -> propose(List.of()));
        }
    }

    private void propose(List<String> mapped) {
        Set<String> paths = new LinkedHashSet<>(List.of(binary.getItems()));
        paths.addAll(mapped);
        String typed = binary.getText();
        binary.setItems(paths.toArray(String[]::new));
        binary.setText(typed);
    }

    /** Ticks a template's functions, takes over its options, and says which of its functions are not there. */
    void apply(RecordingTemplate template) {
        status.setText(SafeText.lines("Looking for the functions of " + template.name() + "…"));
        long pid = pid();
        String program = processPage.executable();
        templateLookups.ask(agent -> new TemplateLookup(agent, pid, program).find(template),
                found -> applied(template, found), this::failed);
    }

    private void applied(RecordingTemplate template, TemplateLookup.Result result) {
        result.functions().forEach(function -> choice.set(function, true));
        optionsPage.apply(template);
        chosenOnly.setSelection(true);
        showMissing(result.missing());
        status.setText(SafeText.lines(Counts.format(result.functions().size(), "function", "functions") + " of the template "
                + template.name() + (result.functions().size() == 1 ? " was" : " were") + " found and ticked."));
        showFunctions();
    }

    private void showMissing(List<TemplateLookup.Missing> lacks) {
        missing = lacks;
        lacking.setText(SafeText.lines(lacks.isEmpty() ? "" : Counts.format(lacks.size(), "function", "functions")
                + " of the template can't be probed here: " + TemplateMenu.names(lacks) + " <a>Why…</a>"));
        lacking.setForeground(Palette.of(lacking.getParent()).warning());
        lacking.getParent().layout(true);
    }

    /** What is ticked, with the options so far. */
    RecordingTemplate template(String name) {
        return RecordingTemplate.of(name, choice.functions(), processPage.executable(), optionsPage.options());
    }

    private long pid() {
        return scope.isPresent() ? processPage.pid() : 0;
    }

    private void searchSoon() {
        getControl().getDisplay().timerExec(TYPING_PAUSE_MILLIS, search);
    }

    private void search() {
        if (getControl().isDisposed() || scope.isEmpty()) {
            return;
        }
        String glob = glob(pattern.getText());
        FunctionQuery query = new FunctionQuery(pid(), binary.getText().strip(), glob, LIMIT);
        Optional<KernelSearch> kernel = KernelSearch.of(query.binary());
        status.setText("Searching…");
        searches.ask(agent -> kernel.isPresent() ? kernel.get().find(agent, glob, LIMIT) : agent.findFunctions(query), this::found, this::failed);
    }

    /** What was typed is part of a name unless it has a glob's characters. */
    static String glob(String text) {
        String typed = text.strip();
        return typed.isEmpty() ? "*" : typed.matches(".*[*?\\[].*") ? typed : "*" + typed + "*";
    }

    private void found(FunctionMatches matches) {
        found = matches.functions();
        choice.refresh(found);
        setErrorMessage(null);
        status.setText(SafeText.lines(found.isEmpty() ? "No function matches." : found.size() < matches.total()
                ? "The first " + LatencyFormat.count(found.size()) + " of " + LatencyFormat.count(matches.total())
                        + " functions that match; type more of the name to see others."
                : Counts.format(found.size(), "function matches.", "functions match.")));
        showFunctions();
        measureCosts();
    }

    /** Done once for each target. A failure is not reported, because the recording measures the costs in any case. */
    private void measureCosts() {
        if (!measured && found.stream().anyMatch(f -> f.point() instanceof ProbePoint.UserFunction && f.probeable() && f.price().nanos() == 0)) {
            measured = true;
            costs.ask(agent -> agent.calibrate(false), _ -> search(), _ -> { });
        }
    }

    private void failed(TargetException e) {
        found = List.of();
        boolean nothing = e.kind() == TargetException.Kind.NO_SUCH_FUNCTION;
        setErrorMessage(nothing ? null : SafeText.lines(e.getMessage()));
        status.setText(SafeText.lines(nothing ? "No function matches." + e.similarNames() : ""));
        showFunctions();
    }

    private void showFunctions() {
        List<FunctionInfo> shown = chosenOnly.getSelection() ? choice.functions() : found;
        // They may be in other files; who looks for a name wants what has it.
        boolean withAll = !chosenOnly.getSelection() && pattern.getText().isBlank();
        checks.show(survey.suggestions().map(latest -> latest.first(shown, withAll)).orElse(shown));
        update();
    }

    private void update() {
        String warning = Stream.of(choice.warning(), optionsPage.isCreated() && optionsPage.way() == ProbeWay.JUMP ? JUMPS : "")
                .filter(text -> !text.isEmpty()).collect(Collectors.joining(" "));
        summary.setText(SafeText.lines(choice.summary().replace("&", "&&")));
        setMessage(SafeText.lines(warning.isEmpty() ? ASK : warning), warning.isEmpty() ? NONE : WARNING);
        if (checks.isAllChecked()) {
            all.setText(UNTICK_ALL);
        } else {
            all.setText(TICK_ALL);
        }
        all.setEnabled(checks.isAnyProbeable());
        setPageComplete(!choice.functions().isEmpty());
    }

    List<FunctionInfo> functions() {
        return choice.functions();
    }

    SurveyBar survey() {
        return survey;
    }

    /** Ends the survey, if one is running, and runs work after its end, on the UI thread. */
    void whenQuiet(Runnable work) {
        survey.whenQuiet(work);
    }

    Text patternField() {
        return pattern;
    }

    /** Ticks all that are shown, or takes their ticks away. */
    Button allButton() {
        return all;
    }

    Combo binaryField() {
        return binary;
    }

    FunctionChecks checks() {
        return checks;
    }

    String lackingText() {
        return lacking.getText();
    }

    String summaryText() {
        return summary.getText();
    }

    String statusText() {
        return status.getText();
    }
}
