// SPDX-License-Identifier: EPL-2.0
package org.kview.ui.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ILinkEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.ITimeEvent;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeGraphEntry;
import org.eclipse.tracecompass.tmf.ui.widgets.timegraph.model.TimeLinkEvent;
import org.kview.session.calls.StoredCall;
import org.kview.session.calls.StoredThread;

/** Puts calls and states onto the lines of their threads. */
final class TimelineLines {
    /** The name of the line that has them. */
    static final String STATES = "states";
    /** More would hide what they lead to. */
    static final int MOST_ARROWS = 2_000;

    private final TimelineJob.Wish wish;
    private final Map<HostThread, Thread> threads = new HashMap<>();

    /** A number that is used again, by another thread, is one line. */
    private record HostThread(String host, long tid) {
    }

    private static final class Thread {
        private final List<StoredCall> calls = new ArrayList<>();
        private Optional<StoredThread> states = Optional.empty();
        private Optional<TimeGraphEntry> statesLine = Optional.empty();

        /** The one that it had last. */
        String name() {
            return calls.isEmpty() ? states.map(StoredThread::thread).orElse("") : calls.getLast().thread();
        }
    }

    /** @param calls in the order in which they were entered */
    TimelineLines(TimelineJob.Wish wish, List<StoredCall> calls, List<StoredThread> states) {
        this.wish = wish;
        calls.forEach(call -> thread(call.target(), call.tid()).calls.add(call));
        states.forEach(its -> thread(its.target(), its.tid()).states = Optional.of(its));
    }

    private Thread thread(String host, long tid) {
        return threads.computeIfAbsent(new HostThread(host, tid), _ -> new Thread());
    }

    /** A line for each thread, and below it those of calls within its calls, and of its states. */
    List<TimeGraphEntry> lines() {
        boolean hosts = threads.keySet().stream().map(HostThread::host).distinct().count() > 1;
        return threads.entrySet().stream().sorted(Comparator.comparing((Map.Entry<HostThread, Thread> its) -> its.getKey().host())
                .thenComparing(its -> its.getValue().name()).thenComparing(its -> its.getKey().tid()))
                .map(its -> line(its.getKey(), its.getValue(), hosts)).toList();
    }

    /** The outermost calls are within others where these had not returned when the recording ended. */
    private TimeGraphEntry line(HostThread id, Thread thread, boolean hosts) {
        String title = (thread.name().isEmpty() ? "thread" : thread.name()) + " " + id.tid() + (hosts ? " on " + id.host() : "");
        TreeMap<Long, TimeGraphEntry> byDepth = new TreeMap<>();
        long outermost = thread.calls.stream().mapToLong(StoredCall::depth).min().orElse(0);
        byDepth.put(outermost, entry(title));
        for (StoredCall call : thread.calls) {
            TimeGraphEntry line = byDepth.computeIfAbsent(call.depth(), depth -> entry("calls within, " + depth));
            line.addEvent(new CallEvent(line, call, call.time().beginNanos() - wish.startNanos(), wish.isChosen(call)));
        }
        TimeGraphEntry outer = byDepth.firstEntry().getValue();
        byDepth.values().stream().skip(1).forEach(outer::addChild);
        thread.states.ifPresent(states -> {
            TimeGraphEntry line = entry(STATES);
            events(states, line);
            outer.addChild(line);
            thread.statesLine = Optional.of(line);
        });
        return outer;
    }

    private static TimeGraphEntry entry(String name) {
        return new TimeGraphEntry(name, Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** What is summed up stands where no state does that is told by itself. */
    private void events(StoredThread thread, TimeGraphEntry line) {
        List<StoredThread.State> states = thread.states();
        List<SlotEvent> between = new ArrayList<>();
        int at = 0;
        for (StoredThread.Slot slot : thread.slots()) {
            while (at < states.size() && states.get(at).endNanos() <= slot.beginNanos()) {
                at++;
            }
            long from = slot.beginNanos();
            for (int next = at; from < slot.endNanos(); next++) {
                boolean isLast = next == states.size() || states.get(next).beginNanos() >= slot.endNanos();
                long to = isLast ? slot.endNanos() : states.get(next).beginNanos();
                if (from < to) {
                    between.add(new SlotEvent(line, slot, from, to, wish.startNanos()));
                }
                from = isLast ? slot.endNanos() : Math.max(from, states.get(next).endNanos());
            }
        }
        List<ITimeEvent> all = new ArrayList<>(between);
        states.forEach(state -> all.add(new StateEvent(line, state, wish.startNanos())));
        all.sort(Comparator.comparingLong(ITimeEvent::getTime));
        all.forEach(line::addEvent);
    }

    /** From the line of who ended a wait to that of who waited, of the longest waits; to be asked for behind {@link #lines}. */
    List<ILinkEvent> arrows() {
        record Wake(StoredThread.State ended, TimeGraphEntry waker, TimeGraphEntry woken) {
        }

        List<Wake> wakes = new ArrayList<>();
        threads.forEach((id, thread) -> thread.states.ifPresent(its -> its.states().stream().filter(state -> state.wakerTid().isPresent())
                .forEach(state -> Optional.ofNullable(threads.get(new HostThread(id.host(), state.wakerTid().getAsLong())))
                        .flatMap(waker -> waker.statesLine)
                        .ifPresent(waker -> wakes.add(new Wake(state, waker, thread.statesLine.orElseThrow()))))));
        wakes.sort(Comparator.comparingLong((Wake wake) -> wake.ended().endNanos() - wake.ended().beginNanos()).reversed());
        return wakes.stream().limit(MOST_ARROWS).sorted(Comparator.comparingLong(wake -> wake.ended().endNanos()))
                .<ILinkEvent>map(wake -> new TimeLinkEvent(wake.waker(), wake.woken(), wake.ended().endNanos() - wish.startNanos(), 0,
                        TimelinePresentation.ARROW)).toList();
    }
}
