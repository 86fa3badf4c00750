// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import java.util.Map;
import java.util.TreeMap;

import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.recording.flow.FlowOutput;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.recording.flow.FlowTree;
import org.kview.targets.values.Flow;

/**
 * The ways of all calls together as the tools for flame graphs read them: a line for each stack, as a survey has them. In front
 * stands the thread's name, at the end on-CPU or why it waited. All of it is the time of the calls.
 */
final class FoldedFlow {
    private static final String NOT_TOLD = "[not told]";

    private final Map<String, FoldedFlow> called = new TreeMap<>();
    private long nanos;

    private FoldedFlow() {
    }

    static FoldedFlow of(Flow flow) {
        FoldedFlow threads = new FoldedFlow();
        for (Flow.Call call : flow.calls()) {
            FlowTree tree = FlowTree.of(flow, call);
            threads.at(part(call.thread())).add(tree.root()).at(NOT_TOLD).nanos += tree.notToldNanos();
        }
        return threads;
    }

    /** Prints one line after the other: there may be many. */
    void print(FlowOutput output) {
        print(output, new StringBuilder());
    }

    private void print(FlowOutput output, StringBuilder stack) {
        if (nanos > 0) {
            output.line(stack + " " + nanos);
        }
        int length = stack.length();
        called.forEach((name, below) -> {
            if (output.wanted()) {
                below.print(output, stack.append(length == 0 ? "" : ";").append(name));
                stack.setLength(length);
            }
        });
    }

    /** @return what was called in this function */
    private FoldedFlow add(Function function) {
        FoldedFlow below = at(part(function.name() + "_[k]"));
        below.at(Metric.ON_CPU).nanos += function.selfNanos();
        function.parts().forEach(part -> {
            switch (part) {
                case Function f -> below.add(f);
                case Absence a -> {
                    below.at(Metric.RUN_QUEUE).nanos += a.runQueueNanos();
                    below.at(a.cause()).nanos += a.wallNanos() - a.runQueueNanos();
                }
            }
        });
        return below;
    }

    private FoldedFlow at(Metric reason) {
        return at("[" + reason.label() + "]");
    }

    private FoldedFlow at(String name) {
        return called.computeIfAbsent(name, _ -> new FoldedFlow());
    }

    /** Neither ends the frame nor the line. */
    private static String part(String name) {
        return SafeText.line(name).replace(';', ',');
    }
}
