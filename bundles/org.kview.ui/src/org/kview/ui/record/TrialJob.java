// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.List;
import java.util.Optional;

import org.eclipse.core.runtime.IProgressMonitor;
import org.kview.model.Budget;
import org.kview.model.Scope;
import org.kview.recording.CostForecast;
import org.kview.recording.CostTrial;
import org.kview.targets.registry.TargetConnection;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.TargetException;

/** A trial as a job. Cancelling it detaches its probes. */
final class TrialJob extends AgentJob<CostForecast> {

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

    TrialJob(Question question) {
        super("Try what probes will cost");
        this.question = question;
    }

    @Override
    protected void canceling() {
        trial.cancel();
    }

    @Override
    Optional<CostForecast> ask(IProgressMonitor monitor) throws TargetException, InterruptedException {
        monitor.beginTask("Counting calls for a second", IProgressMonitor.UNKNOWN);
        return Optional.of(trial.run(question.target().connect(), new Scope.Process(question.pid(), 0), question.functions(),
                question.budget(), question.forced()));
    }
}
