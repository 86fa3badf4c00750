// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.util.List;
import java.util.Locale;

import org.kview.recording.flow.FlowPart;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.recording.flow.FlowTree;
import org.kview.session.report.CsvLine;
import org.kview.targets.values.Flow;

/** The way of a call as a table for spreadsheets: all its functions and waits in their order, in whole ns since the call's begin. */
final class FlowCsv {
    private static final List<String> FIELDS = List.of("depth", "function", "wait", "begin_ns", "wall_ns", "on_cpu_ns", "self_ns",
            "run_queue_ns", "end");

    private FlowCsv() {
    }

    static String of(Flow.Call call, FlowTree tree) {
        StringBuilder csv = new StringBuilder(CsvLine.of(FIELDS));
        add(csv, tree.root(), 0);
        if (tree.notToldNanos() > 0 || call.cutSteps() > 0) {
            csv.append(CsvLine.of(List.of("0", "[not told]", "", number(tree.root().wallNanos()), number(tree.notToldNanos()),
                    number(tree.notToldNanos() - tree.notToldWaited()), "", "", "")));
        }
        return csv.toString();
    }

    private static void add(StringBuilder csv, FlowPart part, int depth) {
        switch (part) {
            case Function f -> {
                csv.append(CsvLine.of(List.of(number(depth), f.name(), "", number(f.beginNanos()), number(f.wallNanos()),
                        number(f.onCpuNanos()), number(f.selfNanos()), "", f.end().name().toLowerCase(Locale.ROOT))));
                f.parts().forEach(below -> add(csv, below, depth + 1));
            }
            case Absence a -> csv.append(CsvLine.of(List.of(number(depth), "", a.cause().id(), number(a.beginNanos()),
                    number(a.wallNanos()), "", "", number(a.runQueueNanos()), a.ended() ? "" : "goes_on")));
        }
    }

    private static String number(long nanos) {
        return Long.toString(nanos);
    }
}
