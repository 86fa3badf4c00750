// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.flow;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import org.kview.model.Metric;
import org.kview.wire.proto.FlowCall;
import org.kview.wire.proto.FlowLosses;
import org.kview.wire.proto.FlowReply;
import org.kview.wire.proto.FlowStep;
import org.kview.wire.proto.Process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What an agent answered, from what {@code kview flow --json} printed of it. {@code data/read.json} is of a guest with 6.12, of a
 * {@code cat} that reads a FIFO which {@code while sleep 0.05; do echo x; done} writes to, by {@code kview flow --syscall read --slowest 2 --json}.
 */
final class FlowReplies {
    private final FlowReply.Builder reply = FlowReply.newBuilder();
    private final List<String> functions = new ArrayList<>();

    private FlowReplies() {
    }

    static JsonNode json(String file) throws IOException {
        try (InputStream in = FlowReplies.class.getResourceAsStream("data/" + file)) {
            return new ObjectMapper().readTree(in);
        }
    }

    static FlowReply of(JsonNode json) {
        FlowReplies replies = new FlowReplies();
        JsonNode losses = json.get("losses");
        JsonNode view = json.get("view");
        json.get("calls").forEach(replies::add);
        json.get("notes").forEach(note -> replies.reply.addNotes(note.asText()));
        return replies.reply.addAllFunctions(replies.functions).setBeginNs(0).setEndNs(json.get("duration_ns").asLong())
                .setProcess(Process.newBuilder().setPid(json.get("pid").asInt()).setName("cat")
                        .addArguments(json.get("command").asText()))
                .setRoot(json.get("function").asText()).setCallsSeen(json.at("/seen/calls").asLong())
                .setWallNs(json.at("/seen/wall_ns").asLong()).setHooked(view.get("hooked").asInt())
                .setNotHooked(view.get("not_hooked").asInt()).setAttachNs(view.get("attach_ns").asLong())
                .setDetachNs(view.get("detach_ns").asLong()).setMemoryBytes(view.get("memory_bytes").asLong())
                .setLosses(FlowLosses.newBuilder().setCalls(losses.get("calls").asLong())
                        .setNestedFunctions(losses.get("nested_functions").asLong())
                        .setNestedSwitches(losses.get("nested_switches").asLong())
                        .setMissedReturns(losses.get("missed_returns").asLong()).setUnendedCalls(losses.get("unended_calls").asLong())
                        .setCallsUnderWay(losses.get("calls_under_way").asLong())
                        .setInterruptFunctions(losses.get("interrupt_functions").asLong())).build();
    }

    private void add(JsonNode json) {
        FlowCall.Builder call = FlowCall.newBuilder().setTid(json.get("tid").asInt()).setThread(json.get("thread").asText())
                .setBeginNs(json.get("begin_ns").asLong()).setWallNs(json.get("wall_ns").asLong())
                .setOnCpuNs(json.get("on_cpu_ns").asLong()).setResult(json.get("result").asLong())
                .setCutSteps(json.at("/not_told/steps").asLong()).setUnseenSwitches(json.get("unseen_switches").asLong());
        Steps steps = new Steps(call);
        json.get("tree").forEach(steps::add);
        steps.close(0);
        reply.addCalls(call);
    }

    /** The list has begins and lengths; the message, what a thread did next. */
    private final class Steps {
        private final FlowCall.Builder call;
        private final Deque<JsonNode> open = new ArrayDeque<>();
        private long now;

        Steps(FlowCall.Builder call) {
            this.call = call;
        }

        void add(JsonNode part) {
            close(part.get("depth").asInt());
            long begin = part.get("begin_ns").asLong();
            if (part.has("function")) {
                step(FlowStep.FLOW_ENTER, begin, number(part.get("function").asText()), Metric.WALL, 0);
                open.push(part);
            } else {
                step(FlowStep.FLOW_OUT, begin, 0, cause(part.get("wait").asText()), 0);
                if (part.get("ended").asBoolean()) {
                    step(FlowStep.FLOW_IN, begin + part.get("wall_ns").asLong(), 0, Metric.WALL, part.get("run_queue_ns").asLong());
                }
            }
        }

        void close(int depth) {
            while (open.size() > depth) {
                JsonNode function = open.pop();
                String end = function.get("end").asText();
                if (!end.equals("goes_on")) {
                    step(end.equals("returned") ? FlowStep.FLOW_LEAVE : FlowStep.FLOW_GONE,
                            function.get("begin_ns").asLong() + function.get("wall_ns").asLong(),
                            number(function.get("function").asText()), Metric.WALL, 0);
                }
            }
        }

        private void step(FlowStep kind, long at, int function, Metric cause, long runQueueNanos) {
            call.addSteps(kind).addAfterNs(at - now).addFunctions(function).addRunQueueNs(runQueueNanos)
                    .addCausesValue(cause.value());
            now = at;
        }
    }

    private static Metric cause(String id) {
        return Metric.CAUSES.stream().filter(cause -> cause.id().equals(id)).findFirst().orElseThrow();
    }

    private int number(String function) {
        if (!functions.contains(function)) {
            functions.add(function);
        }
        return functions.indexOf(function);
    }
}
