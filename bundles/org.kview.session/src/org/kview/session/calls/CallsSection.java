// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

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
        page.paragraph("muted", "When they returned, in seconds since " + (calls.isOfSeveral()
                ? "the recording began on the first of the hosts, each time by its own host's clock" : "the recording's start")
                + ", and how long they took: the more calls, the stronger the colour, by powers. All functions together: "
                + LatencyFormat.count(calls.calls()) + ".");
        page.markup("<div class=\"picture\">").markup(new HeatPicture(heat, calls.startNanos()).svg()).markup("</div>\n");
        CallList slowest = calls.slowest(CallSelector.ALL, SLOWEST, () -> true);
        page.heading("Slowest calls");
        page.markup("<table><thead><tr><th class=\"n\">Start</th>" + (calls.isOfSeveral() ? "<th>Host</th>" : "")
                + "<th>Function</th><th>Thread</th><th class=\"n\">Wall</th>"
                + "<th class=\"n\">On-CPU</th><th>Largest part</th><th>Ended its longest wait</th></tr></thead><tbody>\n");
        IntStream.range(0, slowest.size()).mapToObj(i -> calls.call(slowest.number(i))).forEach(call -> row(calls, page, call));
        page.markup("</tbody></table>\n");
    }

    /**
     * Says that calls of the session are missing.
     *
     * @param why the end of a sentence, with its stop
     */
    public static void without(String why, HtmlPage page) {
        page.heading("Single calls").list("warnings", List.of("This page lacks the single calls of its session: " + why));
    }

    private static void row(StoredSession calls, HtmlPage page, StoredCall call) {
        Metric part = call.mainPart();
        page.markup("<tr>").number(LatencyFormat.fixed((call.time().beginNanos() - calls.startNanos()) / 1e9, 2) + " s", false);
        Stream.of(call.target(), call.function(), call.thread() + "/" + call.tid()).skip(calls.isOfSeveral() ? 0 : 1)
                .forEach(text -> page.markup("<td>").text(text).markup("</td>"));
        page.number(LatencyFormat.nanos(call.wallNanos()), true).number(LatencyFormat.nanos(call.nanos(Metric.ON_CPU)), false);
        page.markup("<td>").square(part.rgb()).text(part.label() + " " + LatencyFormat.nanos(call.nanos(part))).markup("</td><td>")
                .text(call.waker().orElse("")).markup("</td></tr>\n");
    }
}
