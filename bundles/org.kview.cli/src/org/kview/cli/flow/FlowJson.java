// SPDX-License-Identifier: EPL-2.0
package org.kview.cli.flow;

import java.time.Instant;
import java.util.Iterator;
import java.util.Locale;

import org.kview.model.ErrorNumber;
import org.kview.model.SafeText;
import org.kview.recording.flow.FlowOutput;
import org.kview.recording.flow.FlowPart;
import org.kview.recording.flow.FlowPart.Absence;
import org.kview.recording.flow.FlowPart.Function;
import org.kview.recording.flow.FlowText;
import org.kview.recording.flow.FlowTree;
import org.kview.targets.values.Flow;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The ways of calls as JSON. A tree is a list with depths, its functions in the order of their calls: readers of JSON refuse what is
 * nested as deeply as calls may be. Each function is printed as it is made.
 */
record FlowJson(String target, String host, String systemCall, Flow flow) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    void print(FlowOutput output) {
        String head = head().toPrettyString();
        output.line(SafeText.json(head.substring(0, head.lastIndexOf('}')).stripTrailing()) + ",");
        output.line("  \"calls\" : [");
        for (Iterator<Flow.Call> calls = flow.calls().iterator(); calls.hasNext() && output.wanted(); ) {
            call(output, calls.next(), calls.hasNext() ? "," : "");
        }
        output.line("  ]");
        output.line("}");
    }

    private ObjectNode head() {
        ObjectNode root = MAPPER.createObjectNode().put("schema", "kview-flow/1").put("target", target).put("host", host)
                .put("pid", flow.process().pid()).put("command", flow.process().command()).put("syscall", systemCall)
                .put("function", flow.root()).put("start", Instant.EPOCH.plusNanos(flow.stretch().beginNanos())
                        .plusNanos(flow.stretch().realtimeOffsetNanos()).toString())
                .put("duration_ns", flow.stretch().nanos());
        if (!flow.note().isEmpty()) {
            root.put("note", flow.note());
        }
        ArrayNode notes = root.putArray("notes");
        flow.notes().forEach(notes::add);
        root.putObject("seen").put("calls", flow.seen().calls()).put("wall_ns", flow.seen().wallNanos());
        Flow.View view = flow.view();
        root.putObject("view").put("hooked", view.hooked()).put("not_hooked", view.notHooked()).put("attach_ns", view.attachNanos())
                .put("detach_ns", view.detachNanos()).put("memory_bytes", view.memoryBytes());
        Flow.Losses losses = flow.losses();
        root.putObject("losses").put("calls", losses.calls()).put("nested_functions", losses.functions())
                .put("nested_switches", losses.switches()).put("missed_returns", losses.missedReturns())
                .put("unended_calls", losses.unendedCalls()).put("calls_under_way", losses.earlierCalls())
                .put("interrupt_functions", losses.interrupts());
        return root;
    }

    private void call(FlowOutput output, Flow.Call call, String divider) {
        FlowTree tree = FlowTree.of(flow, call);
        ObjectNode node = MAPPER.createObjectNode().put("tid", call.tid()).put("thread", call.thread())
                .put("begin_ns", call.beginNanos() - flow.stretch().beginNanos()).put("wall_ns", call.wallNanos())
                .put("on_cpu_ns", call.onCpuNanos()).put("result", call.result());
        if (FlowText.isError(call.result())) {
            node.put("error", ErrorNumber.name((int) -call.result()));
        }
        node.put("unseen_switches", call.unseenSwitches()).put("hidden_waits_ns", tree.hiddenWaits());
        node.putObject("not_told").put("steps", call.cutSteps()).put("wall_ns", tree.notToldNanos())
                .put("waited_ns", tree.notToldWaited());
        String fields = node.toString();
        output.line("    " + SafeText.json(fields.substring(0, fields.length() - 1)) + ",\"tree\":[");
        part(output, tree.root(), 0, "");
        output.line("    ]}" + divider);
    }

    /** @param divider from what follows in the list */
    private static void part(FlowOutput output, FlowPart part, int depth, String divider) {
        ObjectNode node = MAPPER.createObjectNode().put("depth", depth);
        switch (part) {
            case Function f -> {
                node.put("function", f.name()).put("begin_ns", f.beginNanos()).put("wall_ns", f.wallNanos())
                        .put("on_cpu_ns", f.onCpuNanos()).put("self_ns", f.selfNanos())
                        .put("end", f.end().name().toLowerCase(Locale.ROOT));
                if (f.tooDeep() > 0) {
                    node.put("too_deep", f.tooDeep());
                }
                output.line("      " + SafeText.json(node.toString()) + (f.parts().isEmpty() ? divider : ","));
                for (Iterator<FlowPart> parts = f.parts().iterator(); parts.hasNext() && output.wanted(); ) {
                    part(output, parts.next(), depth + 1, parts.hasNext() ? "," : divider);
                }
            }
            case Absence a -> output.line("      " + node.put("wait", a.cause().id()).put("begin_ns", a.beginNanos())
                    .put("wall_ns", a.wallNanos()).put("run_queue_ns", a.runQueueNanos()).put("ended", a.ended()) + divider);
        }
    }
}
