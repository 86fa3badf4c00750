// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;

import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.calls.Call;
import org.kview.model.SafeText;

/** A JSON object a line. A member that is not known, or is not there, is absent. */
final class CallJson extends CallForm {
    private final MomentText times = MomentText.iso();

    @Override
    String header(List<CallHost> hosts, boolean several) {
        return "";
    }

    @Override
    String row(CallRow row) {
        Call call = row.call();
        CallHost host = row.host();
        StringBuilder json = new StringBuilder(400);
        json.append("{\"host\":");
        quoted(json, host.name());
        text(json, "target", host.target());
        json.append(",\"time\":\"").append(times.of(row.epochNanos())).append('"');
        number(json, "start_ns", host.sinceStartNanos(call.beginNanos()));
        number(json, "end_ns", host.sinceStartNanos(call.endNanos()));
        number(json, "tid", call.tid());
        if (!call.thread().isEmpty()) {
            text(json, "thread", call.thread());
        }
        number(json, "cpu", call.cpu());
        call.startCpu().ifPresent(cpu -> number(json, "start_cpu", cpu));
        number(json, "depth", call.depth());
        text(json, "function", host.function(call.function()));
        call.parent().ifPresent(parent -> {
            json.append(",\"parent\":{\"function\":");
            quoted(json, host.function(parent.function()));
            number(json, "start_ns", host.sinceStartNanos(parent.beginNanos()));
            json.append('}');
        });
        number(json, "wall_ns", call.wallNanos());
        number(json, "on_cpu_ns", call.onCpuNanos());
        json.append(",\"off_cpu_ns\":{");
        for (CauseTime time : call.causes()) {
            json.append(json.charAt(json.length() - 1) == '{' ? "\"" : ",\"").append(time.cause().label()).append("\":")
                    .append(time.nanos());
        }
        json.append('}');
        if (call.unknownNanos() > 0) {
            number(json, "newer_causes_ns", call.unknownNanos());
        }
        text(json, "cause", call.mainPart().id());
        call.waker().ifPresent(waker -> {
            json.append(",\"waker\":{\"tid\":").append(waker.tid());
            if (!waker.name().isEmpty()) {
                text(json, "name", waker.name());
            }
            json.append('}');
        });
        marks(json, host.marks(call.function()));
        return json.append("}\n").toString();
    }

    private static void marks(StringBuilder json, List<String> marks) {
        if (!marks.isEmpty()) {
            json.append(",\"marks\":[");
            for (int i = 0; i < marks.size(); i++) {
                json.append(i == 0 ? "" : ",");
                quoted(json, marks.get(i));
            }
            json.append(']');
        }
    }

    private static void number(StringBuilder json, String name, long value) {
        json.append(",\"").append(name).append("\":").append(value);
    }

    private static void text(StringBuilder json, String name, String value) {
        json.append(",\"").append(name).append("\":");
        quoted(json, value);
    }

    /** Where the text comes from the trace, it is kept exactly; characters that could control a terminal are escaped. */
    private static void quoted(StringBuilder json, String text) {
        json.append('"');
        boolean plain = text.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '"' && c != '\\');
        json.append(plain ? text : SafeText.json(text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n")
                .replace("\t", "\\t")));
        json.append('"');
    }
}
