// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.ctf.calls.Call;
import org.kview.model.Metric;
import org.kview.model.SafeText;
import org.kview.session.report.CsvLine;

/** A line a call for spreadsheets and scripts. What is not known, or is not there, is an empty field. */
final class CallCsv extends CallForm {
    private final MomentText times = MomentText.iso();

    @Override
    String header(List<CallHost> hosts, boolean several) {
        List<String> names = new ArrayList<>(List.of("host", "target", "time", "start_ns", "end_ns", "tid", "thread", "cpu", "start_cpu",
                "depth", "function", "parent", "parent_start_ns", "wall_ns", "on_cpu_ns"));
        Metric.CAUSES.forEach(cause -> names.add(cause.id() + "_ns"));
        names.addAll(List.of("cause", "waker_tid", "waker"));
        return CsvLine.of(names);
    }

    @Override
    String row(CallRow row) {
        Call call = row.call();
        CallHost host = row.host();
        List<String> fields = new ArrayList<>(29);
        fields.add(host.name());
        fields.add(host.target());
        fields.add(times.of(row.epochNanos()));
        fields.add(Long.toString(host.sinceStartNanos(call.beginNanos())));
        fields.add(Long.toString(host.sinceStartNanos(call.endNanos())));
        fields.add(Long.toString(call.tid()));
        fields.add(SafeText.line(call.thread()));
        fields.add(Integer.toString(call.cpu()));
        fields.add(call.startCpu().isPresent() ? Integer.toString(call.startCpu().getAsInt()) : "");
        fields.add(Long.toString(call.depth()));
        fields.add(host.function(call.function()));
        Optional<Call.Parent> parent = call.parent();
        fields.add(parent.map(its -> host.function(its.function())).orElse(""));
        fields.add(parent.map(its -> Long.toString(host.sinceStartNanos(its.beginNanos()))).orElse(""));
        fields.add(Long.toString(call.wallNanos()));
        fields.add(Long.toString(call.onCpuNanos()));
        for (Metric cause : Metric.CAUSES) {
            fields.add(Long.toString(call.nanos(cause)));
        }
        fields.add(call.mainPart().id());
        fields.add(call.waker().map(waker -> Long.toString(waker.tid())).orElse(""));
        fields.add(call.waker().map(waker -> SafeText.line(waker.name())).orElse(""));
        return CsvLine.of(fields);
    }
}
