// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.survey;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.kview.targets.values.Survey;

/**
 * The stacks that go back to the start of their thread, as far as can be seen. Others do not say which functions were running:
 * at a survey's begin the stack of a thread is not known until it first runs, of some only the kernel's functions are known, and
 * one that is cut off begins with a function that other stacks show to be called.
 */
final class ThreadStarts {
    private final Survey survey;
    /** By call: the outermost function that is known of a stack that ends with it. */
    private final int[] firsts;
    private final Set<Integer> called = new HashSet<>();
    /** By thread: the time of its stacks that go back to its start; none where that is less than half of its time. */
    private final Map<Long, Long> known = new HashMap<>();
    private final Map<Long, Long> walls = new HashMap<>();

    ThreadStarts(Survey survey) {
        this.survey = survey;
        List<Survey.Call> calls = survey.tree().calls();
        firsts = new int[calls.size()];
        // A call's parent stands before it.
        for (int i = 1; i < firsts.length; i++) {
            Survey.Call call = calls.get(i);
            firsts[i] = call.parent() == 0 ? call.function() : firsts[call.parent()];
            if (call.parent() != 0 && calls.get(call.parent()).function() != call.function()) {
                called.add(call.function());
            }
        }
        survey.tree().times().stream().filter(this::goesToAStart)
                .forEach(time -> known.merge(time.tid(), time.nanos(), Long::sum));
        survey.threads().forEach(thread -> walls.put(thread.tid(), thread.wallNanos()));
        known.entrySet().removeIf(of -> 2 * of.getValue() < walls.getOrDefault(of.getKey(), 0L));
    }

    private boolean goesToAStart(Survey.Time time) {
        int first = firsts[time.call()];
        return time.call() != 0 && !survey.tree().functions().get(first).kernel() && !called.contains(first);
    }

    /** Whether it says which functions were running. Where most of a thread's time does not, all of it is taken to. */
    boolean isKnown(Survey.Time time) {
        return !known.containsKey(time.tid()) || goesToAStart(time);
    }

    /** The time of a thread for which it is known which functions were running. */
    long knownNanos(long tid) {
        return known.getOrDefault(tid, walls.getOrDefault(tid, 0L));
    }
}
