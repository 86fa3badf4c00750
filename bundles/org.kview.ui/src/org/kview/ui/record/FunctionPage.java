/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.ui.record;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Combo;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.Text;
import org.kview.model.LatencyFormat;
import org.kview.recording.Subject;
import org.kview.target.FunctionInfo;
import org.kview.target.FunctionMatches;
import org.kview.target.FunctionQuery;
import org.kview.target.TargetException;
import org.kview.ui.text.Counts;

/** Which functions: searched as one types, ticked across searches, each with what its probes will cost. */
final class FunctionPage extends WizardPage {
    private static final int LIMIT = 1000;
    private static final int TYPING_PAUSE_MILLIS = 250;
    private static final String ASK = "Tick the functions to be measured.";

    private final AgentQueries.Line searches;
    private final ProcessPage processPage;
    private final FunctionChoice choice = new FunctionChoice();
    private final Runnable search = this::search;
    private Optional<Subject> subject = Optional.empty();
    private Combo binary;
    private Text pattern;
    private Button chosenOnly;
    private Label status;
    private Label summary;
    private FunctionChecks checks;
    private List<FunctionInfo> found = List.of();

    FunctionPage(AgentQueries queries, ProcessPage processPage) {
        super("functions", "Functions", null);
        this.searches = queries.new Line();
        this.processPage = processPage;
        setMessage(ASK);
        setPageComplete(false);
    }

    @Override
    public void createControl(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.swtDefaults().numColumns(3).applyTo(area);
        new Label(area, SWT.NONE).setText("&Binary:");
        binary = new Combo(area, SWT.DROP_DOWN);
        binary.setVisibleItemCount(20);
        binary.setToolTipText("The executable, a library that the process maps, or the path of one");
        GridDataFactory.fillDefaults().span(2, 1).grab(true, false).applyTo(binary);
        new Label(area, SWT.NONE).setText("&Function:");
        pattern = new Text(area, SWT.SEARCH | SWT.ICON_SEARCH | SWT.ICON_CANCEL);
        pattern.setMessage("Part of a name, or a glob: *_basket, std::*");
        GridDataFactory.fillDefaults().grab(true, false).applyTo(pattern);
        chosenOnly = new Button(area, SWT.CHECK);
        chosenOnly.setText("&Chosen only");
        chosenOnly.addListener(SWT.Selection, event -> showFunctions());
        checks = new FunctionChecks(area, choice, this::update);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, true).hint(820, 300).applyTo(checks.control());
        status = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, false).applyTo(status);
        summary = new Label(area, SWT.NONE);
        GridDataFactory.fillDefaults().span(3, 1).grab(true, false).applyTo(summary);
        binary.addListener(SWT.Modify, event -> searchSoon());
        pattern.addListener(SWT.Modify, event -> searchSoon());
        setControl(area);
        update();
    }

    @Override
    public void setVisible(boolean visible) {
        super.setVisible(visible);
        if (visible && !subject.equals(processPage.subject())) {
            subject = processPage.subject();
            choice.clear();
            chosenOnly.setSelection(false);
            proposeBinaries();
            update();
        }
        if (visible) {
            pattern.setFocus();
        }
    }

    private void proposeBinaries() {
        List<String> paths = new ArrayList<>();
        if (!processPage.executable().isEmpty()) {
            paths.add(processPage.executable());
        }
        if (subject.orElse(null) instanceof Subject.Attach(long pid)) {
            MappedFiles.of(pid).stream().filter(path -> !paths.contains(path)).forEach(paths::add);
        }
        binary.setItems(paths.toArray(String[]::new));
        binary.setText(paths.isEmpty() ? "" : paths.getFirst());
        searchSoon();
    }

    private void searchSoon() {
        getControl().getDisplay().timerExec(TYPING_PAUSE_MILLIS, search);
    }

    private void search() {
        if (getControl().isDisposed() || subject.isEmpty()) {
            return;
        }
        long pid = subject.get() instanceof Subject.Attach(long number) ? number : 0;
        FunctionQuery query = new FunctionQuery(pid, binary.getText().strip(), glob(pattern.getText()), LIMIT);
        status.setText("Searching…");
        searches.ask(agent -> agent.findFunctions(query), this::found, this::failed);
    }

    /** What was typed is part of a name unless it has a glob's characters. */
    static String glob(String text) {
        String typed = text.strip();
        return typed.isEmpty() ? "*" : typed.matches(".*[*?\\[].*") ? typed : "*" + typed + "*";
    }

    private void found(FunctionMatches matches) {
        found = matches.functions();
        setErrorMessage(null);
        status.setText(found.isEmpty() ? "No function matches." : found.size() < matches.total()
                ? "The first " + LatencyFormat.count(found.size()) + " of " + LatencyFormat.count(matches.total())
                        + " functions that match; type more of the name to see others."
                : Counts.format(found.size(), "function matches.", "functions match."));
        showFunctions();
    }

    private void failed(TargetException e) {
        found = List.of();
        boolean nothing = e.kind() == TargetException.Kind.NO_SUCH_FUNCTION;
        setErrorMessage(nothing ? null : e.getMessage());
        List<String> near = e.suggestions();
        status.setText(!nothing ? "" : "No function matches." + (near.isEmpty() ? ""
                : " Near names: " + String.join(", ", near.subList(0, Math.min(5, near.size())))));
        showFunctions();
    }

    private void showFunctions() {
        checks.show(chosenOnly.getSelection() ? choice.functions() : found);
        update();
    }

    private void update() {
        String warning = choice.warning();
        summary.setText(choice.summary().replace("&", "&&"));
        setMessage(warning.isEmpty() ? ASK : warning, warning.isEmpty() ? NONE : WARNING);
        setPageComplete(!choice.functions().isEmpty());
    }

    List<FunctionInfo> functions() {
        return choice.functions();
    }

    Text patternField() {
        return pattern;
    }

    Combo binaryField() {
        return binary;
    }

    FunctionChecks checks() {
        return checks;
    }

    String statusText() {
        return status.getText();
    }
}
