// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.Optional;
import java.util.function.Consumer;

import org.eclipse.core.runtime.IProgressMonitor;
import org.kview.model.SafeText;
import org.kview.model.Scope;
import org.kview.recording.RecordingObserver;
import org.kview.recording.SurveyChoice;
import org.kview.recording.SurveyChooser;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;

/** A survey, and the trial of what it suggests, as a job. */
final class SurveyJob extends AgentJob<SurveyChoice> {
    private static final int STEPS = 3;

    /** Whom to survey, and what for. */
    record Question(TargetConnection target, long pid, SurveyChooser.Purpose purpose) {
    }

    private final Question question;
    private final Consumer<RecordingObserver.Step> news;
    private volatile Optional<SurveyChooser> chooser = Optional.empty();

    /** @param news hears what it does now, in its own thread */
    SurveyJob(Question question, Consumer<RecordingObserver.Step> news) {
        super("Survey of process " + question.pid());
        this.question = question;
        this.news = news;
    }

    /** Called by whoever cancels it, which may be the UI thread, so the agent is told by another one. */
    @Override
    protected void canceling() {
        chooser.ifPresent(asked -> Thread.ofVirtual().name("kview-survey-cancel").start(() -> {
            try {
                asked.cancel();
            } catch (TargetException e) {
                // The link is lost, which ends the survey as well.
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    @Override
    Optional<SurveyChoice> ask(IProgressMonitor monitor) throws TargetException, InterruptedException {
        monitor.beginTask("Survey", STEPS);
        SurveyChooser asked = new SurveyChooser(question.target().connect(), new Scope.Process(question.pid(), 0),
                question.purpose(), new RecordingObserver() {
                    @Override
                    public void step(Step step) {
                        monitor.subTask(SafeText.line(step.text()));
                        monitor.worked(1);
                        news.accept(step);
                    }
                });
        chooser = Optional.of(asked);
        // Whoever cancels it from now on finds the chooser.
        return monitor.isCanceled() ? Optional.empty() : Optional.of(asked.choose(SurveySpec.USUAL));
    }
}
