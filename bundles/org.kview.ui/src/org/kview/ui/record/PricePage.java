// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.jface.wizard.WizardPage;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.ProgressBar;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.kview.model.Budget;
import org.kview.model.LatencyFormat;
import org.kview.model.ProbeWay;
import org.kview.model.SafeText;
import org.kview.recording.CostForecast;
import org.kview.recording.CostTrial;
import org.kview.recording.ScopeSpec;
import org.kview.targets.values.FunctionInfo;
import org.kview.ui.UiThread;
import org.kview.ui.theme.Palette;
import org.kview.ui.widgets.Heading;
import org.kview.ui.widgets.TableRows;

/** Shows what the recording will cost the process, found by a trial of one second that begins when the page is shown. */
final class PricePage extends WizardPage {
    private static final String ASK = "See what the probes will cost the process, before it is recorded.";
    private static final String UNTRIED = "Points of the kernel are not tried, as without the kview module other processes would pay for it: what"
            + " they cost is shown while they are recorded.";
    private static final List<Heading> HEADINGS = List.of(Heading.text("Function", 290), Heading.number("Calls/s", 100),
            Heading.number("Passed/s", 100), Heading.number("Cost/s", 90), Heading.number("CPU time", 80),
            Heading.text("Budget", 180));

    private final ProcessPage processPage;
    private final FunctionPage functionPage;
    private final OptionsPage optionsPage;
    private Table table;
    private TableRows<Row> lines;
    private Label status;
    private ProgressBar progress;
    private Button button;
    private Optional<TrialJob.Question> asked = Optional.empty();
    private Optional<TrialJob> running = Optional.empty();
    private Optional<CostForecast> forecast = Optional.empty();

    /** A line: what a function costs, and whether its probes would come off. */
    private record Row(CostForecast.Price price, double share, boolean comesOff) {
    }

    PricePage(ProcessPage processPage, FunctionPage functionPage, OptionsPage optionsPage) {
        super("price", "Cost", null);
        this.processPage = processPage;
        this.functionPage = functionPage;
        this.optionsPage = optionsPage;
        setMessage(ASK);
    }

    @Override
    public void createControl(Composite parent) {
        Composite area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.swtDefaults().numColumns(3).applyTo(area);
        table = new Table(area, SWT.BORDER | SWT.VIRTUAL | SWT.FULL_SELECTION);
        lines = new TableRows<>(table, this::fill);
        Heading.show(table, HEADINGS);
        table.getColumn(1).setToolTipText("Calls a second");
        table.getColumn(2).setToolTipText("Jumps a second that have a probe and stay inside the function");
        table.getColumn(3).setToolTipText("What its probes take of each second");
        table.getColumn(4).setToolTipText("What its probes take of the process's CPU time");
        GridDataFactory.fillDefaults().span(3, 1).grab(true, true).hint(900, 300).applyTo(table);
        status = new Label(area, SWT.WRAP);
        GridDataFactory.fillDefaults().grab(true, false).align(SWT.FILL, SWT.CENTER).applyTo(status);
        progress = new ProgressBar(area, SWT.INDETERMINATE);
        progress.setVisible(false);
        button = new Button(area, SWT.PUSH);
        button.addListener(SWT.Selection, _ -> toggle());
        GridDataFactory.swtDefaults().hint(120, SWT.DEFAULT).applyTo(button);
        setControl(area);
        show("");
    }

    @Override
    public void setVisible(boolean visible) {
        super.setVisible(visible);
        Optional<TrialJob.Question> question = question();
        if (!visible) {
            return;
        }
        setTitle(SafeText.line(processPage.titled("Cost")));
        if (question.isEmpty()) {
            cancel();
            asked = Optional.empty();
            forecast = Optional.empty();
            show(!functionPage.functions().isEmpty() && tried().isEmpty() ? UNTRIED : optionsPage.way() == ProbeWay.JUMP
                    ? "By jumps each call takes some 50 ns longer; functions in which no jump can be put are measured by traps."
                    : processPage.pid() == 0 ? "The program does not run yet: what its probes cost is shown while it is recorded."
                            : "A trial is of one process: what the probes cost this service is shown while it is recorded.");
        } else if (asked.filter(question.get()::asksTheSameAs).isEmpty()) {
            start();
        }
    }

    private Optional<TrialJob.Question> question() {
        return processPage.scope().filter(_ -> !tried().isEmpty())
                .filter(_ -> !optionsPage.isCreated() || optionsPage.way() != ProbeWay.JUMP)
                .map(scope -> scope instanceof ScopeSpec.Attach(long pid) ? new TrialJob.Question(processPage.target(),
                        pid, tried(), optionsPage.budget(), optionsPage.forcesReturnProbes()) : null);
    }

    private List<FunctionInfo> tried() {
        return CostTrial.tried(functionPage.functions());
    }

    private void toggle() {
        if (running.isPresent()) {
            cancel();
        } else {
            start();
        }
    }

    /** An earlier trial may still be detaching its probes. The agent does not queue trials, so this one waits here. */
    private void start() {
        cancel();
        asked = question();
        forecast = Optional.empty();
        asked.ifPresent(question -> {
            TrialJob job = new TrialJob(question);
            Display display = getControl().getDisplay();
            job.addJobChangeListener(new JobChangeAdapter() {
                @Override
                public void done(IJobChangeEvent event) {
                    UiThread.later(display, () -> ended(job, event.getResult()));
                }
            });
            running = Optional.of(job);
            show("Counting calls for a second…");
            job.schedule();
        });
    }

    private void cancel() {
        running.ifPresent(TrialJob::cancel);
    }

    private void ended(TrialJob job, IStatus result) {
        if (getControl() == null || getControl().isDisposed() || running.isEmpty() || running.get() != job) {
            return;
        }
        running = Optional.empty();
        forecast = job.found();
        if (result.getSeverity() == IStatus.CANCEL) {
            asked = Optional.empty();
            show("Not tried: what the probes will cost is not known.");
        } else {
            show(result.isOK() ? "" : "The trial failed: " + result.getMessage());
        }
    }

    /** Updates the page with what is known. @param text why nothing is, else empty */
    private void show(String text) {
        Budget budget = optionsPage.isCreated() ? optionsPage.budget() : Budget.DEFAULT;
        List<CostForecast.Price> prices = forecast.map(CostForecast::prices).orElse(List.of());
        Set<CostForecast.Price> off = Set.copyOf(forecast.map(f -> f.comeOff(budget)).orElse(List.of()));
        lines.show(prices.stream().map(price -> new Row(price, forecast.orElseThrow().share(price),
                off.contains(price))).toList());
        String warning = forecast.map(f -> f.warning(budget)).orElse("");
        setMessage(SafeText.lines(warning.isEmpty() ? ASK : capitalised(warning) + "."), warning.isEmpty() ? NONE : WARNING);
        status.setText(SafeText.lines(forecast.map(f -> "The trial counted " + f.text() + "."
                + (tried().size() < functionPage.functions().size() ? " " + UNTRIED : "")).orElse(text).replace("&", "&&")));
        progress.setVisible(running.isPresent());
        button.setText(SafeText.lines(running.isPresent() ? "&Cancel Trial" : "&Try Again"));
        button.setEnabled(running.isPresent() || question().isPresent());
        status.getParent().layout(true);
    }

    private static String capitalised(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }

    private void fill(TableItem item, Row row) {
        CostForecast.Price price = row.price();
        item.setText(SafeText.cells(new String[] {price.function().name(), rate(price.calls()), rate(price.passes()),
            LatencyFormat.nanos(price.cost() * 1e9), LatencyFormat.percent(row.share()),
            row.comesOff() ? "⚠ its probes would come off" : ""}));
        Palette palette = Palette.of(table);
        item.setForeground(row.comesOff() ? palette.warning() : palette.text());
    }

    private static String rate(double perSecond) {
        return String.format(Locale.ROOT, "%,.0f", perSecond);
    }

    /** Ends the trial, if one is running, and runs work after its end, on the UI thread. */
    void whenQuiet(Runnable work) {
        Optional<TrialJob> last = running;
        running = Optional.empty();
        JobEnd.after(last, work);
    }

    @Override
    public void dispose() {
        cancel();
        super.dispose();
    }

    Table table() {
        return table;
    }

    String statusText() {
        return status.getText();
    }

    boolean isTrying() {
        return running.isPresent();
    }

    Button button() {
        return button;
    }
}
