// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.kview.model.LatencyFormat;
import org.kview.model.ProbeWay;
import org.kview.model.Scope;
import org.kview.model.SurveyFindings;
import org.kview.recording.RecordingObserver.Step;
import org.kview.recording.survey.Findings;
import org.kview.recording.survey.SuggestedProbes;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * Chooses by a survey of a process which functions to measure: those that it suggests, that can be probed, and whose
 * probes all together fit the budget, by a {@link CostTrial}.
 */
final class SurveyChooser {
    /** Failures that are about one function. */
    private static final Set<Kind> OF_ONE = Set.of(Kind.NO_SUCH_BINARY, Kind.NO_SUCH_FUNCTION, Kind.NOT_PROBEABLE, Kind.STRIPPED,
            Kind.TOO_MANY);

    private final Agent agent;
    private final Scope.Process process;
    private final RecordingOptions options;
    private final RecordingObserver observer;
    private final List<SurveyChoice.Choice> choices = new ArrayList<>();

    SurveyChooser(Agent agent, Scope.Process process, RecordingOptions options, RecordingObserver observer) {
        this.agent = agent;
        this.process = process;
        this.options = options;
        this.observer = observer;
    }

    /**
     * Blocks for the survey and the trial.
     *
     * @throws TargetException if the process can't be surveyed, or no function is left to be measured
     */
    SurveyChoice choose(Duration duration) throws TargetException, InterruptedException {
        observer.step(Step.SURVEYING);
        SurveyedFunctions surveyed = new SurveyedFunctions(
                agent.survey(new SurveySpec(process.pid(), process.startNanos(), duration, 0)));
        SurveyFindings findings = Findings.of(surveyed, Findings.KEPT);
        if (findings.suggested().isEmpty()) {
            throw new TargetException(Kind.FAILED, "The survey found no function that is worth measuring, as none that can be"
                    + " named returned: 'kview survey' tells where the time goes, and --probe names functions");
        }
        observer.step(Step.LOOKING_UP);
        lookUp(new SuggestedProbes(surveyed), findings);
        Optional<CostForecast> forecast = Optional.empty();
        String failure = "";
        List<FunctionInfo> found = functions();
        if (options.trial() && options.way() != ProbeWay.JUMP && !found.isEmpty()) {
            observer.step(Step.TRYING);
            try {
                forecast = Optional.of(new CostTrial().run(agent, process, found, options.budget(), options.forceReturnProbes()));
            } catch (TargetException e) {
                if (e.kind() != Kind.FAILED) {
                    throw e;
                }
                failure = e.getMessage();
            }
        }
        forecast.ifPresent(this::price);
        SurveyChoice choice = new SurveyChoice(findings, choices, forecast, failure);
        observer.chosen(choice);
        if (choice.functions().isEmpty()) {
            throw new TargetException(Kind.FAILED, "None of the functions that the survey suggests can be measured"
                    + forecast.map(_ -> " within the budget of " + options.budget().text() + ": give another one (--budget none sets"
                            + " no limit), or name functions with --probe").orElse(": name others with --probe"));
        }
        return choice;
    }

    private List<FunctionInfo> functions() {
        return choices.stream().flatMap(choice -> choice.function().stream()).distinct().toList();
    }

    private void lookUp(SuggestedProbes suggested, SurveyFindings findings) throws TargetException, InterruptedException {
        for (int i = 0; i < findings.suggested().size(); i++) {
            SurveyFindings.FunctionTime time = findings.suggested().get(i);
            try {
                ProbeLookup.find(agent, process.pid(), List.of(suggested.probe(suggested.functions().get(i).function()))).functions()
                        .forEach(found -> choices.add(new SurveyChoice.Choice(time, Optional.of(found), Optional.empty(), "")));
            } catch (TargetException e) {
                if (!OF_ONE.contains(e.kind())) {
                    throw e;
                }
                choices.add(new SurveyChoice.Choice(time, Optional.empty(), Optional.empty(), e.getMessage()));
            }
        }
    }

    private void price(CostForecast forecast) {
        List<CostForecast.Price> off = forecast.comeOff(options.budget());
        choices.replaceAll(choice -> choice.function().flatMap(function -> forecast.prices().stream()
                .filter(price -> price.function().equals(function)).findFirst()).map(price -> new SurveyChoice.Choice(choice.time(),
                        choice.function(), Optional.of(price), off.contains(price) ? "its probes would take "
                                + LatencyFormat.percent(forecast.share(price))
                                + " of the process's CPU time, which with what else is measured is more than the budget" : "")).orElse(choice));
    }
}
