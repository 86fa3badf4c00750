// SPDX-License-Identifier: EPL-2.0
package org.kview.session.calls;

import java.util.Comparator;
import java.util.List;

import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.calls.Call;
import org.kview.model.SafeText;
import org.kview.session.report.TableStyle;

/**
 * A table that is written while it is read: how wide a column is does not depend on what stands in it, so a value that is longer
 * than usual moves the rest of its row.
 */
final class CallTable extends CallForm {
    private static final String TARGET = "target";
    private static final int TIME = 18;
    private static final int SECONDS = 14;
    private static final int TID = 7;
    private static final int THREAD = 15;
    private static final int CPU = 3;
    private static final int DEPTH = 5;
    private static final int WALL = 13;
    private static final int WAKER = 23;
    private static final int LEAST_NAME = 8;
    private static final int MOST_NAME = 40;
    private static final String GAP = "  ";
    /** Stands for a value that exists but is not known. */
    private static final String UNKNOWN = "?";

    private final TableStyle style;
    private final MomentText times = MomentText.ofDay();
    private int hostWidth;
    private int nameWidth;

    CallTable(TableStyle style) {
        this.style = style;
    }

    @Override
    String header(List<CallHost> hosts, boolean several) {
        hostWidth = several ? hosts.stream().mapToInt(host -> host.target().length()).max().orElse(0) : 0;
        hostWidth = several ? Math.clamp(hostWidth, TARGET.length(), MOST_NAME) : 0;
        nameWidth = Math.clamp(hosts.stream().flatMap(host -> host.events().figures().functions().stream())
                .mapToInt(latency -> latency.function().name().length()).max().orElse(0), LEAST_NAME, MOST_NAME);
        String micros = style.unicode() ? " µs" : " us";
        return line(hostWidth == 0 ? "" : TARGET, "time UTC", "start s", "tid", "thread", "cpu", "depth", "function",
                "wall" + micros, "on_cpu" + micros, "parent", "waker", "off the CPU" + micros);
    }

    @Override
    String row(CallRow row) {
        Call call = row.call();
        CallHost host = row.host();
        return line(host.target(), times.of(row.epochNanos()), Decimals.seconds(host.sinceStartNanos(call.beginNanos())),
                Long.toString(call.tid()), call.thread().isEmpty() ? UNKNOWN : shown(call.thread()), Integer.toString(call.cpu()),
                Long.toString(call.depth()), shown(host.function(call.function())), Decimals.micros(call.wallNanos()),
                Decimals.micros(call.onCpuNanos()), parent(host, call), waker(call), causes(call));
    }

    private String parent(CallHost host, Call call) {
        return call.parent().map(parent -> shown(host.function(parent.function()))).orElse(call.depth() == 0 ? "" : UNKNOWN);
    }

    private String waker(Call call) {
        return call.waker().map(waker -> (waker.name().isEmpty() ? UNKNOWN : shown(waker.name())) + "/" + waker.tid()).orElse("");
    }

    /** The largest first. */
    private static String causes(Call call) {
        StringBuilder text = new StringBuilder();
        call.causes().stream().sorted(Comparator.comparingLong(CauseTime::nanos).reversed()).forEach(time -> text
                .append(text.isEmpty() ? "" : " ").append(time.cause().label()).append(' ').append(Decimals.micros(time.nanos())));
        return text.append(call.unknownNanos() == 0 ? "" : " ? " + Decimals.micros(call.unknownNanos())).toString();
    }

    private String shown(String text) {
        String safe = SafeText.line(text);
        return style.unicode() ? safe : safe.replaceAll("[^\\x00-\\x7f]", "?");
    }

    private String line(String host, String time, String start, String tid, String thread, String cpu, String depth,
            String function, String wall, String onCpu, String parent, String waker, String causes) {
        StringBuilder line = new StringBuilder(200);
        if (hostWidth > 0) {
            left(line, host, hostWidth);
        }
        left(line, time, TIME);
        right(line, start, SECONDS);
        right(line, tid, TID);
        left(line, thread, THREAD);
        right(line, cpu, CPU);
        right(line, depth, DEPTH);
        left(line, function, nameWidth);
        right(line, wall, WALL);
        right(line, onCpu, WALL);
        left(line, parent, nameWidth);
        left(line, waker, WAKER);
        line.append(causes);
        int end = line.length();
        while (end > 0 && line.charAt(end - 1) == ' ') {
            end--;
        }
        line.setLength(end);
        return line.append('\n').toString();
    }

    private static void left(StringBuilder line, String text, int width) {
        line.append(text).repeat(' ', Math.max(0, width - text.length())).append(GAP);
    }

    private static void right(StringBuilder line, String text, int width) {
        line.repeat(' ', Math.max(0, width - text.length())).append(text).append(GAP);
    }
}
