// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.cost;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.jface.action.IAction;
import org.eclipse.jface.action.MenuManager;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.layout.GridData;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Control;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Link;
import org.eclipse.swt.widgets.Table;
import org.eclipse.swt.widgets.TableItem;
import org.eclipse.swt.widgets.Text;
import org.kview.model.ComparedWays;
import org.kview.model.SafeText;
import org.kview.session.report.WaysText;
import org.kview.ui.UiThread;
import org.kview.ui.record.TrialRule;
import org.kview.ui.text.Sentence;
import org.kview.ui.widgets.Actions;
import org.kview.ui.widgets.Heading;

/**
 * What the ways to record cost on a host, side by side: the picture, its figures and how they were found; or that this is being
 * measured, or why it was not.
 */
final class WaysSection {
    private static final long CALLS_EACH_SECOND = 100_000;
    private static final int SPARE = 60;
    private static final List<Integer> WIDTHS = List.of(275, 235, 265, 275, 150);

    private final WaysService service = WaysService.get();
    private final Composite area;
    private final Runnable changed;
    private final Link status;
    private final WaysCanvas canvas;
    private final Table table;
    private final Text sentences;
    private final IAction csv = Actions.of("Copy &Ways as CSV", this::copyCsv);
    private final IAction picture = Actions.of("Copy Picture of &Ways", this::copyPicture);
    private Optional<WaysJob> running = Optional.empty();
    private Optional<WaysJob.Question> failed = Optional.empty();
    private Optional<ComparedWays> shown = Optional.empty();

    /** @param changed hears that there is more to show, or less */
    WaysSection(Composite parent, Runnable changed) {
        this.changed = changed;
        area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().spacing(0, 6).applyTo(area);
        status = new Link(area, SWT.WRAP);
        status.addListener(SWT.Selection, event -> linkChosen(event.text));
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(status);
        canvas = new WaysCanvas(area);
        GridDataFactory.fillDefaults().grab(true, true).hint(200, 100).applyTo(canvas);
        table = new Table(area, SWT.FULL_SELECTION | SWT.H_SCROLL);
        GridDataFactory.fillDefaults().grab(true, false).hint(200, SWT.DEFAULT).applyTo(table);
        List<String> headings = WaysText.headings(CALLS_EACH_SECOND);
        Heading.show(table, IntStream.range(0, headings.size()).mapToObj(i -> Heading.text(headings.get(i), WIDTHS.get(i))).toList());
        sentences = new Text(area, SWT.MULTI | SWT.WRAP | SWT.READ_ONLY | SWT.V_SCROLL);
        GridDataFactory.fillDefaults().grab(true, true).hint(200, SPARE).applyTo(sentences);
        MenuManager context = new MenuManager();
        actions().forEach(context::add);
        canvas.setMenu(context.createContextMenu(canvas));
        table.setMenu(context.createContextMenu(table));
        service.latest().ifPresent(this::fill);
        show();
    }

    List<IAction> actions() {
        return List.of(csv, picture);
    }

    Control control() {
        return area;
    }

    /** Whether there is anything to show. */
    boolean isFilled() {
        return shown.isPresent() || running.isPresent() || failed.isPresent();
    }

    /** Measures anew; what was found before stays until then. */
    void compare(WaysJob.Question question) {
        cancel();
        Display display = area.getDisplay();
        WaysJob job = new WaysJob(question);
        job.addJobChangeListener(new JobChangeAdapter() {
            @Override
            public void done(IJobChangeEvent event) {
                job.found().ifPresent(service::keep);
                UiThread.later(display, () -> ended(job, event.getResult()));
            }
        });
        job.setRule(TrialRule.INSTANCE);
        running = Optional.of(job);
        failed = Optional.empty();
        say("Comparing ways to record on " + question.host() + "… ", "<a href=\"cancel\">Cancel</a>");
        show();
        job.schedule();
    }

    private void ended(WaysJob job, IStatus result) {
        if (area.isDisposed() || running.filter(job::equals).isEmpty()) {
            return;
        }
        running = Optional.empty();
        if (job.found().isPresent()) {
            fill(job.found().get());
        } else if (result.getSeverity() == IStatus.CANCEL) {
            shown.ifPresent(this::fill);
        } else {
            failed = Optional.of(job.question());
            say("Can't compare ways to record on " + job.question().host() + ": " + Sentence.of(result.getMessage()) + " ",
                    "<a href=\"again\">Try again</a>");
        }
        show();
    }

    private void fill(ComparedWays ways) {
        shown = Optional.of(ways);
        WaysText words = new WaysText(ways, CALLS_EACH_SECOND);
        say("Ways to record on " + ways.target() + " (Linux " + ways.kernel() + "): what they cost a read(), side by side", "");
        canvas.show(ways);
        table.removeAll();
        words.lines().forEach(line -> new TableItem(table, SWT.NONE).setText(SafeText.cells(line.toArray(String[]::new))));
        sentences.setText(SafeText.lines(String.join("\n\n", words.sentences())));
        ((GridData) canvas.getLayoutData()).minimumHeight = canvas.leastHeight();
        ((GridData) canvas.getLayoutData()).heightHint = canvas.leastHeight();
    }

    private void say(String text, String links) {
        // What a host says is no link.
        status.setText(SafeText.lines(text).replace("&", "&&").replace("<", "‹") + links);
    }

    private void show() {
        for (Control part : List.of(canvas, table, sentences)) {
            ((GridData) part.getLayoutData()).exclude = shown.isEmpty();
            part.setVisible(shown.isPresent());
        }
        csv.setEnabled(shown.isPresent());
        picture.setEnabled(shown.isPresent());
        area.layout(true);
        changed.run();
    }

    private void linkChosen(String link) {
        if (link.equals("cancel")) {
            cancel();
        } else {
            failed.ifPresent(this::compare);
        }
    }

    /** Nothing more is tried. */
    void cancel() {
        running.ifPresent(WaysJob::cancel);
    }

    private void copyCsv() {
        Actions.copy(area.getDisplay(), csv());
    }

    private void copyPicture() {
        Actions.copyPicture(canvas);
    }

    String csv() {
        return shown.map(ways -> new WaysText(ways, CALLS_EACH_SECOND).csv()).orElse("");
    }

    /** What stands above the picture, and below it. */
    String text() {
        return status.getText() + "\n" + (shown.isPresent() ? sentences.getText() : "");
    }

    Link status() {
        return status;
    }

    WaysCanvas canvas() {
        return canvas;
    }

    Table table() {
        return table;
    }
}
