// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.calllist;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import org.kview.model.LatencyFormat;
import org.kview.model.Metric;
import org.kview.session.calls.CallColumn;
import org.kview.session.calls.CallOrder;
import org.kview.session.calls.StoredCall;
import org.kview.ui.text.TableTimes;

/**
 * A column of the table of calls.
 *
 * @param title        its head
 * @param name         of the same in filters, and as {@code kview calls --sort} takes it
 * @param tip          what the pointer is told on the head
 * @param width        in pixels
 * @param number       whether its texts stand at the right
 * @param part         of a time, what it is the time of
 * @param largestFirst whether the first click puts the largest on top
 * @param text         of a call's cell
 */
record CallsColumn(String title, String name, String tip, int width, boolean number, Optional<Metric> part,
        boolean largestFirst, Function<StoredCall, String> text) {
    private static final int NANOS_DECIMALS = 9;
    private static final int TIME_WIDTH = 96;

    static final List<CallsColumn> ALL = all();
    static final int START = index("start");
    static final int WALL = index(Metric.WALL.id());
    static final int CAUSE = index("cause");

    private static List<CallsColumn> all() {
        List<CallsColumn> all = new ArrayList<>(List.of(
                text("Function", "function", "The probed function that was called", 150, StoredCall::function),
                new CallsColumn("Start s", "start", "When it was entered, in seconds since the recording's start", 110, true, Optional.empty(), false,
                        call -> BigDecimal.valueOf(call.startNanos(), NANOS_DECIMALS).toPlainString()),
                time("Wall", Metric.WALL, "Wall-clock time: from entry to return, without the probes' own time"),
                text("Cause", "cause", "The largest part of its time", 96, call -> call.mainPart().label()),
                text("Thread", "thread", "The name of the thread that called it", 110, StoredCall::thread),
                count("TID", "tid", "The number of that thread", StoredCall::tid),
                time("On-CPU", Metric.ON_CPU, "How long it ran on a CPU")));
        Metric.CAUSES.forEach(cause -> all.add(time(label(cause), cause, "How long it waited: " + cause.label())));
        all.add(count("CPU", "cpu", "The CPU that it returned on", call -> (long) call.cpu()));
        all.add(count("Depth", "depth", "How many calls of probed functions enclose it", StoredCall::depth));
        all.add(text("Caller", "parent", "The probed function whose call encloses it", 120, call -> call.parent().orElse("")));
        all.add(text("Waker", "waker", "Who ended its longest wait: name/number of the thread", 130, call -> call.waker().orElse("")));
        all.add(text("Host", "target", "The host that it ran on", 90, StoredCall::target));
        return List.copyOf(all);
    }

    private static String label(Metric cause) {
        return Character.toUpperCase(cause.label().charAt(0)) + cause.label().substring(1);
    }

    private static int index(String name) {
        for (int i = 0; i < ALL.size(); i++) {
            if (ALL.get(i).name().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("No column " + name);
    }

    private static CallsColumn text(String title, String name, String tip, int width, Function<StoredCall, String> text) {
        return new CallsColumn(title, name, tip, width, false, Optional.empty(), false, text);
    }

    private static CallsColumn count(String title, String name, String tip, Function<StoredCall, Long> value) {
        return new CallsColumn(title, name, tip, 62, true, Optional.empty(), true, call -> Long.toString(value.apply(call)));
    }

    /** An empty cell is no time: most calls have one or two causes. */
    private static CallsColumn time(String title, Metric part, String tip) {
        return new CallsColumn(title, part.id(), tip, TIME_WIDTH, true, Optional.of(part), true,
                call -> call.nanos(part) == 0 && part.isCause() ? "" : TableTimes.text(call.nanos(part)));
    }

    /** A time's text in the unit that fits it. */
    String fitting(StoredCall call) {
        return LatencyFormat.nanos(call.nanos(part.orElseThrow()));
    }

    CallOrder order(boolean descending) {
        return new CallOrder(CallColumn.of(name).orElseThrow(), descending);
    }
}
