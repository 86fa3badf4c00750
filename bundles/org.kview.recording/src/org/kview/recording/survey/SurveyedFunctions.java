// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.kview.model.Metric;
import org.kview.targets.values.Survey;

/** The times of all functions of a survey. */
public final class SurveyedFunctions {
    /** Nearly: a thread may have begun during the survey. */
    private static final double ALL = 0.995;
    /** Of the C library: what waits until another thread says that there is something to do. What takes a lock is not among them. */
    private static final Pattern WAITS_FOR_CONDITION = Pattern.compile(
            "_*(pthread_cond_(timed|clock)?wait|cnd_(timed)?wait|(new_)?sem_(timed|clock)?wait(_slow64)?)([.@].*)?");

    private final Survey survey;
    private final List<FunctionTimes> byIndex = new ArrayList<>();

    public SurveyedFunctions(Survey survey) {
        this.survey = survey;
        Survey.Tree tree = survey.tree();
        int nr = tree.functions().size();
        List<Map<Metric, Long>> times = maps(nr);
        List<Map<Metric, Long>> own = maps(nr);
        List<Set<Long>> threads = new ArrayList<>(nr);
        for (int i = 0; i < nr; i++) {
            threads.add(new HashSet<>());
        }
        ThreadStarts starts = new ThreadStarts(survey);
        long[] knownOf = new long[nr];
        long[] conditionOf = new long[nr];
        boolean[] forCondition = callsForCondition(tree);
        // In a recursion a function is on a stack more than once, and its time counts once.
        int[] seenIn = new int[nr];
        Arrays.fill(seenIn, -1);
        for (int i = 0; i < tree.times().size(); i++) {
            Survey.Time time = tree.times().get(i);
            long known = starts.isKnown(time) ? time.nanos() : 0;
            long condition = time.metric() == Metric.LOCK && forCondition[time.call()] ? time.nanos() : 0;
            for (int call = time.call(); call != 0; call = tree.calls().get(call).parent()) {
                int function = tree.calls().get(call).function();
                if (seenIn[function] != i) {
                    seenIn[function] = i;
                    times.get(function).merge(time.metric(), time.nanos(), Long::sum);
                    threads.get(function).add(time.tid());
                    knownOf[function] += known;
                    conditionOf[function] += condition;
                }
            }
            if (time.call() != 0) {
                own.get(tree.calls().get(time.call()).function()).merge(time.metric(), time.nanos(), Long::sum);
            }
        }
        for (int i = 0; i < nr; i++) {
            long all = threads.get(i).stream().mapToLong(starts::knownNanos).sum();
            byIndex.add(new FunctionTimes(tree.functions().get(i), times.get(i), own.get(i), conditionOf[i],
                    knownOf[i] >= ALL * all));
        }
    }

    /** By call: whether it is one that waits for a condition, or is made by such a one. A call's parent stands before it. */
    private static boolean[] callsForCondition(Survey.Tree tree) {
        List<Survey.Call> calls = tree.calls();
        List<Boolean> waits = tree.functions().stream().map(f -> WAITS_FOR_CONDITION.matcher(f.symbol()).matches()).toList();
        boolean[] are = new boolean[calls.size()];
        for (int i = 1; i < are.length; i++) {
            are[i] = are[calls.get(i).parent()] || waits.get(calls.get(i).function());
        }
        return are;
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
