// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.jobs.IJobChangeEvent;
import org.eclipse.core.runtime.jobs.JobChangeAdapter;
import org.eclipse.jface.layout.GridDataFactory;
import org.eclipse.jface.layout.GridLayoutFactory;
import org.eclipse.swt.SWT;
import org.eclipse.swt.widgets.Button;
import org.eclipse.swt.widgets.Composite;
import org.eclipse.swt.widgets.Display;
import org.eclipse.swt.widgets.Label;
import org.eclipse.swt.widgets.ProgressBar;
import org.kview.model.SafeText;
import org.kview.recording.RecordingObserver;
import org.kview.ui.UiThread;

/** Asks a survey which functions to measure, if the user wants that. */
final class SurveyBar {
    private static final String OFFER = "Not sure which? A survey looks for 5 s where the process's time goes, without probes, and ticks"
            + " the functions that are worth measuring.";
    private static final String NOT_YET = "The program does not run yet. Of a process that runs, a survey can tell which functions are"
            + " worth measuring.";

    private final Composite area;
    private final Button button;
    private final Label status;
    private final ProgressBar progress;
    private final Supplier<Optional<SurveyJob.Question>> question;
    private final Consumer<Suggestions> found;
    private Optional<SurveyJob> running = Optional.empty();
    /** The job that runs may have ended just before it was cancelled, and tell so only now. */
    private boolean dropped;
    private Optional<Suggestions> suggestions = Optional.empty();

    /**
     * @param question whom to survey; empty where there is nobody
     * @param found    hears what a survey suggests
     */
    SurveyBar(Composite parent, Supplier<Optional<SurveyJob.Question>> question, Consumer<Suggestions> found) {
        this.question = question;
        this.found = found;
        area = new Composite(parent, SWT.NONE);
        GridLayoutFactory.fillDefaults().numColumns(3).applyTo(area);
        button = new Button(area, SWT.PUSH);
        button.addListener(SWT.Selection, _ -> toggle());
        GridDataFactory.swtDefaults().hint(130, SWT.DEFAULT).applyTo(button);
        status = new Label(area, SWT.WRAP);
        GridDataFactory.fillDefaults().grab(true, false).hint(400, SWT.DEFAULT).align(SWT.FILL, SWT.CENTER).applyTo(status);
        progress = new ProgressBar(area, SWT.INDETERMINATE);
        progress.setVisible(false);
        area.addDisposeListener(_ -> cancel());
        show(OFFER);
    }

    Composite control() {
        return area;
    }

    /** Forgets what was found: another process was chosen. */
    void reset() {
        cancel();
        running = Optional.empty();
        suggestions = Optional.empty();
        show(question.get().isPresent() ? OFFER : NOT_YET);
    }

    private void toggle() {
        if (running.isPresent()) {
            cancel();
        } else {
            question.get().ifPresent(this::start);
        }
    }

    private void start(SurveyJob.Question asked) {
        Display display = area.getDisplay();
        SurveyJob job = new SurveyJob(asked, step -> UiThread.later(display, () -> doing(step)));
        job.addJobChangeListener(new JobChangeAdapter() {
            @Override
            public void done(IJobChangeEvent event) {
                UiThread.later(display, () -> ended(job, event.getResult()));
            }
        });
        running = Optional.of(job);
        dropped = false;
        doing(RecordingObserver.Step.SURVEYING);
        job.schedule();
    }

    private void doing(RecordingObserver.Step step) {
        if (!area.isDisposed() && running.isPresent()) {
            String text = step.text();
            show(Character.toUpperCase(text.charAt(0)) + text.substring(1) + "…");
        }
    }

    /** What it has found so far is dropped. */
    void cancel() {
        dropped = true;
        running.ifPresent(SurveyJob::cancel);
    }

    private void ended(SurveyJob job, IStatus result) {
        if (area.isDisposed() || running.isEmpty() || running.get() != job) {
            return;
        }
        running = Optional.empty();
        if (job.found().isPresent() && !dropped) {
            Suggestions latest = new Suggestions(job.found().get());
            suggestions = Optional.of(latest);
            String caveats = latest.caveats();
            show(latest.summary() + (caveats.isEmpty() ? "" : "\n" + caveats));
            found.accept(latest);
        } else {
            show(dropped || result.getSeverity() == IStatus.CANCEL ? "The survey was cancelled. " + OFFER
                    : "The survey failed: " + result.getMessage());
        }
    }

    private void show(String text) {
        status.setText(SafeText.lines(text.replace("&", "&&")));
        progress.setVisible(running.isPresent());
        button.setText(SafeText.lines(running.isPresent() ? "Cancel &Survey" : "&Survey"));
        button.setEnabled(running.isPresent() || question.get().isPresent());
        area.getParent().layout(true, true);
    }

    /** Ends the survey, if one is running, and runs work after its end, on the UI thread. */
    void whenQuiet(Runnable work) {
        Optional<SurveyJob> last = running;
        running = Optional.empty();
        JobEnd.after(last, work);
    }

    /** What the latest survey of this process suggests. */
    Optional<Suggestions> suggestions() {
        return suggestions;
    }

    Button button() {
        return button;
    }

    String statusText() {
        return status.getText();
    }

    boolean isSurveying() {
        return running.isPresent();
    }
}
