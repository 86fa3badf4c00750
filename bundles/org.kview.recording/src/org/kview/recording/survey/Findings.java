// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.kview.model.Metric;
import org.kview.model.SurveyFindings;
import org.kview.targets.values.Survey;

/** Makes of a survey what is told and kept of it. */
public final class Findings {
    /** How many functions a session keeps. */
    public static final int KEPT = 200;

    private Findings() {
    }

    /** @param top how many functions, those of the kernel included */
    public static SurveyFindings of(SurveyedFunctions functions, int top) {
        Survey survey = functions.survey();
        SuggestedProbes suggested = new SuggestedProbes(functions);
        return new SurveyFindings(new SurveyFindings.Surveyed(survey.process().pid(), survey.process().command()),
                survey.stretch().nanos(), survey.note(),
                new SurveyFindings.Cost(survey.sampling().cpuPeriodNanos(), survey.sampling().waitPeriodNanos(), survey.cost().processCpuNanos(),
                        survey.cost().programsNanos(), survey.cost().agentCpuNanos()),
                stacks(survey.quality()), functions.all(), survey.threads().stream().map(Findings::thread).toList(),
                told(functions.byWall().stream().filter(f -> f.wallNanos() > 0).limit(top).toList(), suggested),
                told(suggested.functions(), suggested), told(suggested.endless(), suggested));
    }

    /** How far the stacks can be relied on. */
    public static SurveyFindings.Stacks stacks(Survey.Quality q) {
        return new SurveyFindings.Stacks(q.stacks(), q.complete(), q.completeNanos(), q.cut(), q.lost(), q.lostNanos(),
                q.pooled(), q.unfollowedThreads());
    }

    private static SurveyFindings.ThreadTime thread(Survey.ThreadTimes thread) {
        Map<Metric, Long> nanos = new EnumMap<>(Metric.class);
        nanos.putAll(thread.waitedNanos());
        nanos.put(Metric.ON_CPU, thread.onCpuNanos());
        return new SurveyFindings.ThreadTime(thread.tid(), thread.name(), nanos);
    }

    private static List<SurveyFindings.FunctionTime> told(List<FunctionTimes> functions, SuggestedProbes suggested) {
        return functions.stream().map(f -> told(f, suggested)).toList();
    }

    /** What is told of one function. */
    public static SurveyFindings.FunctionTime told(FunctionTimes times, SuggestedProbes suggested) {
        Survey.Function function = times.function();
        String probe = function.kernel() || function.symbol().isEmpty() ? "" : suggested.probe(function).toString();
        return new SurveyFindings.FunctionTime(probe, function.name(), function.symbol(), function.binary(),
                function.kernel(), times.wallNanos(), times.selfWallNanos(), times.isAlwaysThere(), times.nanos());
    }
}
