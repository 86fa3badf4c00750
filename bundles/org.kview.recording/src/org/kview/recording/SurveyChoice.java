// SPDX-License-Identifier: EPL-2.0
package org.kview.recording;

import java.util.List;
import java.util.Optional;

import org.kview.model.SurveyFindings;
import org.kview.targets.values.FunctionInfo;

/**
 * Which functions a recording measures, chosen by a survey.
 *
 * @param survey   what it found
 * @param choices  each function that the survey suggests, those with most to tell first
 * @param forecast what their probes will cost; empty if no trial was made, or if it failed
 * @param failure  one sentence why the trial failed, else empty
 */
public record SurveyChoice(SurveyFindings survey, List<Choice> choices, Optional<CostForecast> forecast, String failure) {

    /**
     * A function that is worth measuring.
     *
     * @param time     as the survey saw it
     * @param function what will be probed; empty if it can't be
     * @param price    what its probes cost, by the trial
     * @param why      one sentence why it is left out; empty if it is measured
     */
    public record Choice(SurveyFindings.FunctionTime time, Optional<FunctionInfo> function,
            Optional<CostForecast.Price> price, String why) {
        public boolean isMeasured() {
            return why.isEmpty();
        }
    }

    public SurveyChoice {
        choices = List.copyOf(choices);
    }

    /** A function's name where it is said that it is left out: that it was the main suspect must not be missed. */
    public String name(Choice choice) {
        return choice.time().probe() + (choices.indexOf(choice) == 0 && choices.size() > 1 ? ", to which the survey points first" : "");
    }

    /** Those that are measured. */
    public List<FunctionInfo> functions() {
        return choices.stream().filter(Choice::isMeasured).flatMap(choice -> choice.function().stream()).distinct().toList();
    }
}
