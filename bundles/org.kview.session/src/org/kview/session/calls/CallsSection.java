// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.stream.IntStream;

import org.kview.calls.Pyramid.HeatMap;
import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.session.report.HtmlPage;

/** What a page tells of single calls: when they returned and how long they took, and the slowest ones. */
public final class CallsSection {
    private static final int MOST_SLOTS = 120;
    private static final int SLOWEST = 20;

    private CallsSection() {
    }

    public static void write(StoredSession calls, HtmlPage page) {
        HeatMap heat = calls.heatMap(CallSelector.ALL, MOST_SLOTS, () -> true);
        page.heading("Single calls").list("notes", calls.findings());
        if (heat.counts().length == 0 || calls.calls() == 0) {
            page.paragraph("muted", "No call returned.");
            return;
        }
        StoredCall first = calls.call(0);
        page.paragraph("muted", "When they returned, in seconds since the recording's start, and how long they took: the more calls, the stronger"
                + " the colour, by powers. All functions together: " + LatencyFormat.count(calls.calls()) + ".");
        page.markup("<div class=\"picture\">").markup(new HeatPicture(heat, first.time().beginNanos() - first.startNanos()).svg()).markup("</div>\n");
        CallList slowest = calls.slowest(CallSelector.ALL, SLOWEST, () -> true);
        page.heading("Slowest calls");
        page.markup("<table><thead><tr><th class=\"n\">Start</th><th>Function</th><th>Thread</th><th class=\"n\">Wall</th>"
                + "<th class=\"n\">On-CPU</th><th>Largest part</th><th>Ended its longest wait</th></tr></thead><tbody>\n");
        IntStream.range(0, slowest.size()).mapToObj(i -> calls.call(slowest.number(i))).forEach(call -> row(page, call));
        page.markup("</tbody></table>\n");
    }

    private static void row(HtmlPage page, StoredCall call) {
        Metric part = call.mainPart();
        page.markup("<tr>").number(LatencyFormat.fixed(call.startNanos() / 1e9, 2) + " s", false);
        List.of(call.function(), (call.thread() + "/" + call.tid())).forEach(text -> page.markup("<td>").text(text).markup("</td>"));
        page.number(LatencyFormat.nanos(call.wallNanos()), true).number(LatencyFormat.nanos(call.nanos(Metric.ON_CPU)), false);
        page.markup("<td>").square(part.rgb()).text(part.label() + " " + LatencyFormat.nanos(call.nanos(part))).markup("</td><td>")
                .text(call.waker().orElse("")).markup("</td></tr>\n");
    }
}
