// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.kview.calls.CallBox;
import org.kview.session.calls.CallList;
import org.kview.session.calls.SessionCallStore;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredSession;
import org.kview.ui.calls.view.LatestJob;
import org.kview.ui.selection.CallSelection;

/** Finds the calls of a stretch of time and puts each on its thread's line. */
final class TimelineJob extends LatestJob<TimelineJob.Wish, TimelineJob.Answer> {
    /** More could not be told apart. */
    static final int MOST_CALLS = 20_000;

    /**
     * What is to be shown.
     *
     * @param selection  which calls stand out; those of other threads are left out
     * @param host       the one that is shown alone; empty if all are
     * @param startNanos the recording's start, in ns since 1970
     * @param shown      which time, likewise
     * @param leastNanos shorter calls are less than a pixel
     */
    record Wish(SessionCallStore calls, CallSelection selection, Optional<String> host, long startNanos, CallBox.Range shown,
            long leastNanos) {
    }

    /**
     * The lines, from the top.
     *
     * @param threads a line each, below which stand those of calls within its calls; times since the recording's start
     * @param drawn   the numbers of the calls that they hold
     * @param all     how many there are of at least the wish's length
     */
    record Answer(Wish wish, List<TimeGraphEntry> threads, int[] drawn, int all) {
    }

    /** A number that is used again, by another thread, is one line. */
    private record HostThread(String host, long tid) {
        static HostThread of(StoredCall call) {
            return new HostThread(call.target(), call.tid());
        }
    }

    TimelineJob(Consumer<Answer> answers, Consumer<Wish> unanswered) {
        super("Find calls by time", answers, unanswered);
    }

    @Override
    protected void answer(Wish wish, BooleanSupplier wanted) {
        wish.calls().ask(calls -> answer(calls, wish, wanted)).ifPresent(this::tell);
    }

    private static Answer answer(StoredSession calls, Wish wish, BooleanSupplier wanted) {
        CallSelection threads = CallSelection.ALL.withThreads(wish.selection().threads());
        CallList list = calls.running(threads.selector(wish.host()), wish.shown(), wish.leastNanos(), _ -> wanted.getAsBoolean());
        int[] drawn = IntStream.range(0, Math.min(list.size(), MOST_CALLS)).map(list::number).toArray();
        List<StoredCall> longest = Arrays.stream(drawn).mapToObj(calls::call)
                .sorted(Comparator.comparingLong(call -> call.time().beginNanos())).toList();
        boolean hosts = longest.stream().map(StoredCall::target).distinct().count() > 1;
        List<TimeGraphEntry> lines = longest.stream().collect(Collectors.groupingBy(HostThread::of)).values().stream()
                .sorted(Comparator.comparing((List<StoredCall> its) -> its.getLast().target())
                        .thenComparing(its -> its.getLast().thread()).thenComparing(its -> its.getLast().tid()))
                .map(its -> line(its, wish, hosts)).toList();
        return new Answer(wish, lines, drawn, list.size());
    }

    /**
     * One thread, under the name that it had last: the outermost of its calls, and below them those within. The outermost ones are
     * within others where these had not returned when the recording ended.
     */
    private static TimeGraphEntry line(List<StoredCall> calls, Wish wish, boolean hosts) {
        long outermost = calls.stream().mapToLong(StoredCall::depth).min().orElseThrow();
        TreeMap<Long, TimeGraphEntry> byDepth = new TreeMap<>();
        for (StoredCall call : calls) {
            TimeGraphEntry line = byDepth.computeIfAbsent(call.depth(), depth -> new TimeGraphEntry(
                    depth == outermost ? title(calls.getLast(), hosts) : "calls within, " + depth, Long.MIN_VALUE, Long.MAX_VALUE));
            line.addEvent(new CallEvent(line, call, call.time().beginNanos() - wish.startNanos(), chosen(wish.selection(), call)));
        }
        TimeGraphEntry outer = byDepth.firstEntry().getValue();
        byDepth.values().stream().skip(1).forEach(outer::addChild);
        return outer;
    }

    private static String title(StoredCall call, boolean hosts) {
        return (call.thread().isEmpty() ? "thread" : call.thread()) + " " + call.tid() + (hosts ? " on " + call.target() : "");
    }

    private static boolean chosen(CallSelection selection, StoredCall call) {
        return (selection.functions().isEmpty()
                || call.functionId().isPresent() && selection.functions().contains(call.functionId().getAsInt()))
                && (selection.causes().isEmpty() || selection.causes().contains(call.mainPart()))
                && selection.wall().filter(wall -> call.wallNanos() < wall.least() || call.wallNanos() > wall.most()).isEmpty();
    }
}
