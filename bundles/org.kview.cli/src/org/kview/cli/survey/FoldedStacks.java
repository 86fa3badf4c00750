// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.survey;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

import org.kview.cli.console.Console;
import org.kview.model.SafeText;
import org.kview.targets.values.Survey;

/**
 * Stacks as the tools for flame graphs read them: a line for each, its functions from the start of the thread on, divided
 * by semicolons, and the ns. In front stands the thread's name, at the end why the thread was there. Functions of the
 * kernel end with {@code _[k]}.
 */
final class FoldedStacks {
    private FoldedStacks() {
    }

    /** Prints one line after the other: there may be many. */
    static void print(Console console, Survey survey) {
        Map<Long, String> threads = survey.threads().stream().collect(Collectors.toMap(Survey.ThreadTimes::tid,
                Survey.ThreadTimes::name, (first, _) -> first));
        Map<String, Long> lines = new HashMap<>();
        survey.tree().times().forEach(time -> lines.merge(line(survey, time, threads), time.nanos(), Long::sum));
        lines.entrySet().stream().filter(line -> line.getValue() > 0).sorted(Map.Entry.<String, Long>comparingByKey())
                .takeWhile(line -> console.part(line.getKey() + " " + line.getValue() + "\n")).forEach(_ -> { });
    }

    private static String line(Survey survey, Survey.Time time, Map<Long, String> threads) {
        Deque<String> stack = new ArrayDeque<>();
        stack.addLast("[" + time.metric().label() + "]");
        for (int call = time.call(); call != 0; call = survey.tree().calls().get(call).parent()) {
            stack.addFirst(frame(survey.tree().functions().get(survey.tree().calls().get(call).function())));
        }
        stack.addFirst(threads.getOrDefault(time.tid(), "?"));
        return stack.stream().map(FoldedStacks::part).collect(Collectors.joining(";"));
    }

    private static String frame(Survey.Function function) {
        return function.kernel() ? (function.name().isEmpty() ? "?" : function.name()) + "_[k]"
                : function.symbol().isEmpty() ? SurveyReport.bareName(function) : function.name();
    }

    /** Neither ends the frame nor the line. */
    private static String part(String name) {
        return SafeText.line(name).replace(';', ',');
    }
}
