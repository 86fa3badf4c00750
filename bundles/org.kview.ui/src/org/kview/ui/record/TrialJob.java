// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.Optional;

import org.eclipse.core.runtime.IProgressMonitor;
import org.eclipse.core.runtime.IStatus;
import org.eclipse.core.runtime.Status;
import org.eclipse.core.runtime.jobs.Job;
import org.kview.model.Budget;
import org.kview.model.SafeText;
import org.kview.model.Scope;
import org.kview.recording.CostForecast;
import org.kview.recording.CostTrial;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;
import org.kview.ui.KviewUi;

/** A trial as a job. Cancelling it detaches its probes; what it counted until then is dropped. */
final class TrialJob extends Job {

    /**
     * What is tried; equal ones have the same result.
     *
     * @param functions at least one
     */
    record Question(TargetConnection target, long pid, List<FunctionInfo> functions, Budget budget, boolean forced) {
        Question {
            functions = List.copyOf(functions);
        }

        /** Whether it asks for nothing else; what calls are predicted to cost may have become known since. */
        boolean asksTheSameAs(Question other) {
            return target.equals(other.target) && pid == other.pid && budget.equals(other.budget) && forced == other.forced
                    && keys().equals(other.keys());
        }

        private List<FunctionChoice.Key> keys() {
            return functions.stream().map(FunctionChoice.Key::of).toList();
        }
    }

    private final Question question;
    private final CostTrial trial = new CostTrial();
    private volatile Optional<CostForecast> forecast = Optional.empty();

    TrialJob(Question question) {
        super("Try what probes will cost");
        this.question = question;
        setUser(false);
        setPriority(SHORT);
    }

    /** Empty unless it ended well. */
    Optional<CostForecast> forecast() {
        return forecast;
    }

    @Override
    protected void canceling() {
        trial.cancel();
    }

    /** @return OK, CANCEL, or an error whose message is for the user */
    @Override
    protected IStatus run(IProgressMonitor monitor) {
        monitor.beginTask("Counting calls for a second", IProgressMonitor.UNKNOWN);
        try {
            CostForecast counted = trial.run(question.target().connect(), new Scope.Process(question.pid(), 0),
                    question.functions(), question.budget(), question.forced());
            if (monitor.isCanceled()) {
                return Status.CANCEL_STATUS;
            }
            forecast = Optional.of(counted);
            return Status.OK_STATUS;
        } catch (TargetException e) {
            return monitor.isCanceled() ? Status.CANCEL_STATUS
                    : new Status(IStatus.WARNING, KviewUi.BUNDLE_ID, SafeText.lines(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Status.CANCEL_STATUS;
        } finally {
            monitor.done();
        }
    }
}
