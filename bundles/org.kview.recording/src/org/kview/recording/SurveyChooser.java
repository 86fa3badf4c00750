// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import org.kview.model.Budget;
import org.kview.model.LatencyFormat;
import org.kview.model.ProbePoint;
import org.kview.model.Scope;
import org.kview.recording.RecordingObserver.Step;
import org.kview.recording.survey.Findings;
import org.kview.recording.survey.FunctionTimes;
import org.kview.recording.survey.SuggestedProbes;
import org.kview.recording.survey.SurveyedFunctions;
import org.kview.targets.Agent;
import org.kview.targets.values.FunctionInfo;
import org.kview.targets.values.Survey;
import org.kview.targets.values.SurveySpec;
import org.kview.targets.values.TargetException;
import org.kview.targets.values.TargetException.Kind;

/**
 * Chooses by a survey of a process which functions to measure: those that it suggests, that can be probed, and whose
 * probes all together fit the budget, by a {@link CostTrial}. For one survey.
 */
public final class SurveyChooser {

    /**
     * What the functions are chosen for.
     *
     * @param trial             whether a trial says what the probes cost
     * @param forceReturnProbes as {@link RecordingOptions#forceReturnProbes}
     */
    public record Purpose(boolean trial, Budget budget, boolean forceReturnProbes) {
    }

    /** Failures that are about one function. */
    private static final Set<Kind> OF_ONE = Set.of(Kind.NO_SUCH_BINARY, Kind.NO_SUCH_FUNCTION, Kind.NOT_PROBEABLE, Kind.STRIPPED,
            Kind.TOO_MANY);
    private static final String ANOTHER = "the survey saw another function of that name, which is not found any more";
    private static final String TWICE = "by its name no other function is found than one that stands here already";

    /** More is not offered: a process that pays this much for probes is another one. */
    private static final Budget MOST_OFFERED = new Budget(300_000);

    private final Agent agent;
    private final Scope.Process process;
    private final Purpose purpose;
    private final RecordingObserver observer;
    private final CostTrial trial = new CostTrial();
    private final List<SurveyChoice.Choice> choices = new ArrayList<>();
    private volatile boolean cancelled;

    public SurveyChooser(Agent agent, Scope.Process process, Purpose purpose, RecordingObserver observer) {
        this.agent = agent;
        this.process = process;
        this.purpose = purpose;
        this.observer = observer;
    }

    /**
     * Blocks for the survey and the trial. What is chosen may be nothing.
     *
     * @throws TargetException if the process can't be surveyed, or it was cancelled
     */
    public SurveyChoice choose(Duration duration) throws TargetException, InterruptedException {
        observer.step(Step.SURVEYING);
        checkCancelled();
        SurveyedFunctions surveyed = new SurveyedFunctions(
                agent.survey(new SurveySpec(process.pid(), process.startNanos(), duration, 0)));
        checkCancelled();
        SuggestedProbes suggested = new SuggestedProbes(surveyed);
        observer.step(Step.LOOKING_UP);
        lookUp(suggested);
        Optional<CostForecast> forecast = Optional.empty();
        String failure = "";
        List<FunctionInfo> found = choices.stream().flatMap(choice -> choice.function().stream()).toList();
        if (purpose.trial() && !found.isEmpty()) {
            observer.step(Step.TRYING);
            checkCancelled();
            try {
                forecast = Optional.of(trial.run(agent, process, found, purpose.budget(), purpose.forceReturnProbes()));
            } catch (TargetException e) {
                if (e.kind() != Kind.FAILED) {
                    throw e;
                }
                failure = e.getMessage();
            }
        }
        forecast.ifPresent(this::price);
        return new SurveyChoice(Findings.of(surveyed, Findings.KEPT), choices, forecast, failure);
    }

    /** The same for a recording, which must measure something. */
    SurveyChoice chooseSome(Duration duration) throws TargetException, InterruptedException {
        SurveyChoice choice = choose(duration);
        if (choice.choices().isEmpty()) {
            throw new TargetException(Kind.FAILED, "The survey found no function that is worth measuring, as none that can be"
                    + " named returned: 'kview survey' tells where the time goes, and --probe names functions");
        }
        observer.chosen(choice);
        if (choice.functions().isEmpty()) {
            throw new TargetException(Kind.FAILED, "None of the functions that the survey suggests can be measured"
                    + choice.forecast().map(this::beyondBudget).orElse(": name others with --probe"));
        }
        return choice;
    }

    /** Only traps are tried, which is what a forecast is from. */
    private String beyondBudget(CostForecast forecast) {
        String another = ": give another one (--budget none sets no limit)";
        return " within the budget of " + purpose.budget().text() + forecast.besideBeyond(purpose.budget())
                .map(why -> ", as " + why + another)
                .orElse(another + ", measure by jumps, which cost far less where they can be put (--probe-way jump), or name functions with --probe");
    }

    /**
     * Makes {@link #choose} end soon, by a {@link TargetException}. Another thread may call it; it blocks until the agent has
     * ended its survey.
     */
    public void cancel() throws TargetException, InterruptedException {
        cancelled = true;
        trial.cancel();
        try {
            agent.endSurvey();
        } catch (TargetException e) {
            if (e.kind() != Kind.BAD_REQUEST) {
                throw e;
            }
            // There is none now, so the next check ends it.
        }
    }

    private void checkCancelled() throws TargetException {
        if (cancelled) {
            throw new TargetException(Kind.FAILED, "The survey was cancelled");
        }
    }

    private void lookUp(SuggestedProbes suggested) throws TargetException, InterruptedException {
        Set<ProbePoint> seen = new HashSet<>();
        for (FunctionTimes times : suggested.functions()) {
            Survey.Function function = times.function();
            List<FunctionInfo> same;
            String why = ANOTHER;
            try {
                ProbeLookup.Found found = ProbeLookup.find(agent, process.pid(), List.of(suggested.probe(function)));
                same = same(found.functions(), function);
                // It may be one of several with its name of which only others can be probed.
                List<FunctionInfo> skipped = same(found.skipped(), function);
                int all = same.size() + skipped.size();
                if (all > 1 && Stream.concat(same.stream(), skipped.stream()).noneMatch(one -> isByAddress(one, function))) {
                    same = List.of();
                    why = all + " functions have this name, and this agent does not say which of them it is";
                } else if (!skipped.isEmpty()) {
                    why = skipped.getFirst().reason();
                }
            } catch (TargetException e) {
                if (!OF_ONE.contains(e.kind())) {
                    throw e;
                }
                same = List.of();
                why = e.getMessage();
            }
            if (same.isEmpty()) {
                choices.add(left(times, suggested, why));
            }
            List<FunctionInfo> others = same.stream().filter(found -> seen.add(found.point())).toList();
            if (!same.isEmpty() && others.isEmpty()) {
                choices.add(left(times, suggested, TWICE));
            }
            others.forEach(found -> choices.add(
                    new SurveyChoice.Choice(Findings.told(times, suggested), Optional.of(found), Optional.empty(), "")));
        }
    }

    private static SurveyChoice.Choice left(FunctionTimes times, SuggestedProbes suggested, String why) {
        return new SurveyChoice.Choice(Findings.told(times, suggested), Optional.empty(), Optional.empty(), why);
    }

    /**
     * A name may be that of several functions, as overloads, and functions static in their files. An older agent's survey tells
     * the symbol and no address: of several with one symbol it may be any.
     */
    private static List<FunctionInfo> same(List<FunctionInfo> found, Survey.Function function) {
        return found.stream().filter(one -> isSame(one, function)).toList();
    }

    private static boolean isByAddress(FunctionInfo found, Survey.Function function) {
        return function.address() != 0 && found.point().address() != 0;
    }

    private static boolean isSame(FunctionInfo found, Survey.Function function) {
        return isByAddress(found, function) ? function.address() == found.point().address()
                : found.point().symbol().equals(function.symbol()) || found.aliases().contains(function.symbol());
    }

    /** The function that the survey blames most is the last to be left out, and often the dearest: so not by what they cost. */
    private void price(CostForecast forecast) {
        List<CostForecast.Price> fitting = forecast.fitting(choices.stream().flatMap(choice -> choice.function().stream()).toList(),
                purpose.budget());
        choices.replaceAll(choice -> choice.function().flatMap(forecast::price).map(price -> new SurveyChoice.Choice(choice.time(),
                choice.function(), Optional.of(price), fitting.contains(price) ? "" : whyNot(forecast, fitting, price))).orElse(choice));
    }

    private String whyNot(CostForecast forecast, List<CostForecast.Price> fitting, CostForecast.Price price) {
        return forecast.besideBeyond(purpose.budget()).orElseGet(() -> "its probes would take " + LatencyFormat.percent(forecast.share(price))
                + " of the process's CPU time, which with what else it would pay is more than the budget of " + purpose.budget().text()
                + forecast.budgetFor(fitting, price).filter(budget -> budget.ppm() <= MOST_OFFERED.ppm())
                        .map(budget -> "; --budget " + budget + " allows it, or --probe-way jump, which costs far less where jumps can be put")
                        .orElse("; --probe-way jump costs far less where jumps can be put"));
    }
}
