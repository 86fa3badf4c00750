// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.record;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.recording.SurveyChoice;
import org.kview.session.report.SurveyText;
import org.kview.targets.values.FunctionInfo;
import org.kview.ui.text.Counts;

/** What a survey suggests to measure, and its texts. */
final class Suggestions {

    /**
     * What a survey says of a function.
     *
     * @param share  of the time of all threads
     * @param cost   what its probes take of the process's CPU time
     * @param causes where its time goes
     * @param why    it is not ticked; else empty
     */
    record Suggestion(String share, String cost, String causes, String why) {
    }

    private final SurveyChoice choice;
    private final Map<FunctionChoice.Key, Suggestion> suggestions = new HashMap<>();

    Suggestions(SurveyChoice choice) {
        this.choice = choice;
        choice.choices().forEach(one -> one.function().ifPresent(function -> suggestions.put(FunctionChoice.Key.of(function),
                new Suggestion(share(one), cost(one), SurveyText.shares(one.time().nanos()), one.why()))));
    }

    private String share(SurveyChoice.Choice one) {
        long all = choice.survey().wallNanos();
        return LatencyFormat.percent(all == 0 ? 0 : (double) one.time().wallNanos() / all);
    }

    private String cost(SurveyChoice.Choice one) {
        return one.price().flatMap(price -> choice.forecast().map(forecast -> LatencyFormat.percent(forecast.share(price))))
                .orElse("?");
    }

    SurveyChoice choice() {
        return choice;
    }

    Optional<Suggestion> of(FunctionInfo function) {
        return Optional.ofNullable(suggestions.get(FunctionChoice.Key.of(function)));
    }

    /**
     * The suggested ones first, as the survey has them.
     *
     * @param withAll also those that are not among the functions
     */
    List<FunctionInfo> first(List<FunctionInfo> functions, boolean withAll) {
        Map<FunctionChoice.Key, FunctionInfo> others = new LinkedHashMap<>();
        functions.forEach(function -> others.put(FunctionChoice.Key.of(function), function));
        List<FunctionInfo> sorted = new ArrayList<>();
        choice.choices().forEach(one -> one.function().ifPresent(function -> {
            // What was found since knows what calls will cost.
            Optional<FunctionInfo> latest = Optional.ofNullable(others.remove(FunctionChoice.Key.of(function)));
            latest.or(() -> withAll ? Optional.of(function) : Optional.empty()).ifPresent(sorted::add);
        }));
        sorted.addAll(others.values());
        return sorted;
    }

    /** "5.00 s of 8 threads: lock 80 %, on-CPU 8 %. 7 functions are worth measuring, 6 of them are ticked." */
    String summary() {
        int worth = choice.choices().size();
        int ticked = choice.functions().size();
        String reasons = SurveyText.shares(choice.survey().nanos());
        String seen = LatencyFormat.nanos(choice.survey().durationNanos()) + " of "
                + Counts.format(choice.survey().threads().size(), "thread", "threads") + (reasons.isEmpty() ? "" : ": " + reasons) + ". ";
        return seen + (worth == 0 ? "No function is worth measuring, as none that can be named returned."
                : Counts.format(worth, "function is worth measuring", "functions are worth measuring")
                        + (ticked == worth ? ticked == 1 ? ", and ticked." : ", and all are ticked."
                                : ", " + LatencyFormat.count(ticked) + " of them " + (ticked == 1 ? "is" : "are") + " ticked."));
    }

    /** What the survey could not see, and why something is missing, one sentence each. */
    String caveats() {
        List<String> caveats = new ArrayList<>(SurveyText.caveats(choice.survey().note(), choice.survey().stacks()));
        if (!choice.failure().isEmpty()) {
            caveats.add("What the probes will cost is not known, the trial failed: " + choice.failure());
        }
        choice.choices().stream().filter(one -> !one.isMeasured())
                .forEach(one -> caveats.add("Left out " + choice.name(one) + ": " + one.why()));
        return caveats.stream().map(text -> text.matches("(?s).*[.?!]") ? text : text + ".").collect(Collectors.joining("\n"));
    }
}
