// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.SurveyFindings;

/** What a survey found, in few words. */
public final class SurveyText {
    private static final int MOST_REASONS = 3;
    private static final int MOST_NAMES = 5;
    private static final double WORTH_A_WORD = 0.01;

    private SurveyText() {
    }

    /** "sleep 61 %, on-CPU 39 %": the largest ones. */
    public static String shares(Map<Metric, Long> nanos) {
        double whole = nanos.values().stream().mapToLong(Long::longValue).sum();
        return nanos.entrySet().stream().filter(e -> e.getValue() > 0 && e.getValue() >= WORTH_A_WORD * whole)
                .sorted(Map.Entry.<Metric, Long>comparingByValue(Comparator.reverseOrder())).limit(MOST_REASONS)
                .map(e -> e.getKey().label() + " " + LatencyFormat.percent(e.getValue() / whole)).collect(Collectors.joining(", "));
    }

    /** One sentence about the survey that chose the functions of a recording. */
    static String sentence(SurveyFindings survey) {
        List<String> names = survey.suggested().stream().map(SurveyFindings.FunctionTime::name).toList();
        String reasons = shares(survey.nanos());
        return "A survey of " + LatencyFormat.nanos(survey.durationNanos()) + " chose the functions. It saw "
                + LatencyFormat.nanos(survey.wallNanos()) + " of " + LatencyFormat.count(survey.threads().size())
                + (survey.threads().size() == 1 ? " thread" : " threads") + (reasons.isEmpty() ? "" : ": " + reasons)
                + (names.isEmpty() ? "." : "; it suggested " + String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
                        + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "") + ".");
    }
}
