// SPDX-License-Identifier: EPL-2.0
package org.kview.session.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.model.SurveyFindings;

/** What a survey found, in few words. */
public final class SurveyText {
    private static final int MOST_REASONS = 3;
    private static final int MOST_NAMES = 5;
    private static final double WORTH_A_WORD = 0.01;
    /** Of the stacks: fewer complete ones are told. */
    private static final double MOST_STACKS = 0.95;

    private SurveyText() {
    }

    /** "sleep 61 %, on-CPU 39 %": the largest ones. */
    public static String shares(Map<Metric, Long> nanos) {
        double whole = nanos.values().stream().mapToLong(Long::longValue).sum();
        return nanos.entrySet().stream().filter(e -> e.getValue() > 0 && e.getValue() >= WORTH_A_WORD * whole)
                .sorted(Map.Entry.<Metric, Long>comparingByValue(Comparator.reverseOrder())).limit(MOST_REASONS)
                .map(e -> e.getKey().label() + " " + LatencyFormat.percent(e.getValue() / whole)).collect(Collectors.joining(", "));
    }

    /**
     * What a survey could not see, one sentence each.
     *
     * @param note of the survey, empty if it has none
     */
    public static List<String> caveats(String note, SurveyFindings.Stacks stacks) {
        List<String> caveats = new ArrayList<>();
        if (!note.isEmpty()) {
            caveats.add(note);
        }
        if (stacks.complete() < MOST_STACKS * stacks.taken()) {
            caveats.add(LatencyFormat.count(stacks.taken() - stacks.complete()) + " of " + LatencyFormat.count(stacks.taken())
                    + " stacks do not go to the start of their thread: callers are missing there.");
        }
        if (stacks.lost() > 0) {
            caveats.add(LatencyFormat.count(stacks.lost()) + (stacks.lost() == 1 ? " stack was" : " stacks were")
                    + " lost, which stood for " + LatencyFormat.nanos(stacks.lostNanos())
                    + ": where that time went is known less surely.");
        }
        if (stacks.unfollowedThreads() > 0) {
            caveats.add("There were more threads than the agent follows: the time of the others is not in here.");
        }
        if (stacks.pooled() > 0) {
            caveats.add(LatencyFormat.count(stacks.pooled()) + (stacks.pooled() == 1 ? " stack counts in a shorter one"
                    : " stacks count in shorter ones") + ", because there were too many different ones.");
        }
        return caveats;
    }

    /**
     * What is said of the survey that came before a recording, one sentence each.
     *
     * @param measured the recording's functions
     */
    static List<String> sentences(SurveyFindings survey, List<ProbedFunction> measured) {
        List<String> names = survey.suggested().stream().map(SurveyFindings.FunctionTime::name).distinct().toList();
        List<String> left = survey.suggested().stream().filter(time -> measured.stream().noneMatch(f -> isOf(f, time)))
                .map(SurveyFindings.FunctionTime::name).distinct().toList();
        boolean chose = measured.stream().allMatch(f -> survey.suggested().stream().anyMatch(time -> isOf(f, time)));
        String reasons = shares(survey.nanos());
        List<String> sentences = new ArrayList<>();
        sentences.add("A survey of " + LatencyFormat.nanos(survey.durationNanos())
                + (chose ? " chose the functions." : " came before the recording."));
        sentences.add("It saw " + LatencyFormat.nanos(survey.wallNanos()) + " of " + LatencyFormat.count(survey.threads().size())
                + (survey.threads().size() == 1 ? " thread" : " threads") + (reasons.isEmpty() ? "" : ": " + reasons)
                + (names.isEmpty() ? "." : "; it suggested " + some(names) + "."));
        if (!left.isEmpty()) {
            sentences.add("Of what it suggested, " + some(left) + (left.size() == 1 ? " was" : " were") + " not measured.");
        }
        sentences.addAll(caveats(survey.note(), survey.stacks()));
        return sentences;
    }

    /** The survey names the file as the process sees it, as the recording does. */
    private static boolean isOf(ProbedFunction function, SurveyFindings.FunctionTime time) {
        return function.point().symbol().equals(time.symbol()) && function.point().binary().equals(time.binary());
    }

    private static String some(List<String> names) {
        return String.join(", ", names.subList(0, Math.min(MOST_NAMES, names.size())))
                + (names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }
}
