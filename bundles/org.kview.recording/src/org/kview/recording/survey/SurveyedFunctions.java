// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.kview.model.Metric;
import org.kview.targets.values.Survey;

/** The times of all functions of a survey. */
public final class SurveyedFunctions {
    private final Survey survey;
    private final List<FunctionTimes> byIndex = new ArrayList<>();

    public SurveyedFunctions(Survey survey) {
        this.survey = survey;
        int nr = survey.functions().size();
        List<Map<Metric, Long>> times = maps(nr);
        List<Map<Metric, Long>> own = maps(nr);
        List<Set<Long>> threads = new ArrayList<>(nr);
        for (int i = 0; i < nr; i++) {
            threads.add(new HashSet<>());
        }
        // In a recursion a function is on a stack more than once, and its time counts once.
        int[] seenIn = new int[nr];
        Arrays.fill(seenIn, -1);
        for (int i = 0; i < survey.times().size(); i++) {
            Survey.Time time = survey.times().get(i);
            for (int call = time.call(); call != 0; call = survey.calls().get(call).parent()) {
                int function = survey.calls().get(call).function();
                if (seenIn[function] != i) {
                    seenIn[function] = i;
                    times.get(function).merge(time.metric(), time.nanos(), Long::sum);
                    threads.get(function).add(time.tid());
                }
            }
            if (time.call() != 0) {
                own.get(survey.calls().get(time.call()).function()).merge(time.metric(), time.nanos(), Long::sum);
            }
        }
        Map<Long, Long> threadsNanos = threadsNanos(survey);
        for (int i = 0; i < nr; i++) {
            byIndex.add(new FunctionTimes(survey.functions().get(i), times.get(i), own.get(i),
                    threads.get(i).stream().mapToLong(tid -> threadsNanos.getOrDefault(tid, 0L)).sum()));
        }
    }

    /**
     * At a survey's begin a thread's stack is not known until it first runs or is woken. What it was in then is most likely what
     * it was in later; where most of its time is like that, nothing is concluded from the rest.
     */
    private static Map<Long, Long> threadsNanos(Survey survey) {
        Map<Long, Long> known = new HashMap<>();
        survey.times().stream().filter(time -> time.call() != 0).forEach(time -> known.merge(time.tid(), time.nanos(), Long::sum));
        Map<Long, Long> threadsNanos = new HashMap<>();
        survey.threads().forEach(thread -> {
            long ofKnown = known.getOrDefault(thread.tid(), 0L);
            threadsNanos.put(thread.tid(), 2 * ofKnown >= thread.wallNanos() ? ofKnown : thread.wallNanos());
        });
        return threadsNanos;
    }

    private static List<Map<Metric, Long>> maps(int nr) {
        List<Map<Metric, Long>> maps = new ArrayList<>(nr);
        for (int i = 0; i < nr; i++) {
            maps.add(new EnumMap<>(Metric.class));
        }
        return maps;
    }

    public Survey survey() {
        return survey;
    }

    /** As in {@link Survey#functions()}. */
    public FunctionTimes of(int function) {
        return byIndex.get(function);
    }

    /** Those with most time first, including what they called. */
    public List<FunctionTimes> byWall() {
        return byIndex.stream().sorted(Comparator.comparingLong(FunctionTimes::wallNanos).reversed()).toList();
    }

    /** All time of all threads, by reason. */
    public Map<Metric, Long> all() {
        Map<Metric, Long> all = new EnumMap<>(Metric.class);
        survey.threads().forEach(thread -> {
            all.merge(Metric.ON_CPU, thread.onCpuNanos(), Long::sum);
            thread.waitedNanos().forEach((cause, nanos) -> all.merge(cause, nanos, Long::sum));
        });
        return all;
    }
}
