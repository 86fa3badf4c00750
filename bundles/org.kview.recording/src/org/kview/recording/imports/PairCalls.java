// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

import org.kview.babeltrace.Event;
import org.kview.model.Metric;
import org.kview.recording.imports.PairForm.Layout;
import org.kview.recording.imports.ThreadTimes.OpenCall;
import org.kview.recording.imports.ThreadTimes.State;
import org.kview.session.SessionException;

/** Makes calls of pairs of events, and their times of the scheduler's events between them. */
final class PairCalls {
    private static final Metric[] WALL = {Metric.WALL};
    private static final Metric[] WALL_AND_CPU = {Metric.WALL, Metric.ON_CPU};
    private static final int NO_SYSCALL = -1;

    private final PairForm form;
    private final boolean switches;
    private final Map<Long, ThreadTimes> threads = new HashMap<>();
    private final Map<Integer, Long> running = new HashMap<>();
    private long unmatched;
    private long skipped;
    private long cut;
    private long uncovered;
    private long strange;
    /** Events are missing up to then. */
    private OptionalLong lossEnds = OptionalLong.empty();

    PairCalls(PairForm form) {
        this.form = form;
        switches = form.tellsSwitches();
    }

    void play(Event event, Layout layout, long nanos, int cpu, ImportedSession session) throws SessionException {
        if (lossEnds.isPresent() && nanos > lossEnds.getAsLong()) {
            lossEnds = OptionalLong.empty();
            forget();
        }
        switch (layout.kind()) {
            case ENTRY -> begins(event, layout, nanos, cpu, session);
            case EXIT -> {
                if (layout.thread().isPresent()) {
                    ends(event, layout, nanos, cpu, session);
                }
            }
            case SWITCH -> {
                if (switches) {
                    switched(event, nanos, cpu, session);
                }
            }
            case WAKEUP -> woken(form.scheduler().woken(event), nanos);
            case NONE -> { }
        }
    }

    private void begins(Event event, Layout layout, long nanos, int cpu, ImportedSession session) throws SessionException {
        long tid = layout.thread().orElseThrow().of(event);
        ThreadTimes thread = threads.computeIfAbsent(tid, _ -> new ThreadTimes());
        session.at(nanos, cpu);
        if (thread.takeNaming() && !form.threadName(tid).isEmpty()) {
            session.thread(tid, layout.process().map(p -> p.of(event)).orElse(0L), form.threadName(tid));
        }
        int depth = thread.calls().size();
        int function = form.function(layout, event);
        if (thread.enter(function, nanos)) {
            session.callEntry(tid, function, depth);
        }
    }

    private void ends(Event event, Layout layout, long nanos, int cpu, ImportedSession session) throws SessionException {
        long tid = layout.thread().orElseThrow().of(event);
        ThreadTimes thread = threads.get(tid);
        if (thread == null || thread.leavesTooDeep()) {
            unmatched += thread == null ? 1 : 0;
            return;
        }
        int function = layout.name().isPresent() ? form.function(layout, event) : -1;
        if (thread.calls().isEmpty() || function >= 0 && thread.calls().stream().noneMatch(c -> c.function() == function)) {
            unmatched++;
            return;
        }
        OpenCall call = thread.calls().pop();
        while (function >= 0 && call.function() != function) {
            // It was left without an event, as by an exception.
            skipped++;
            call = thread.calls().pop();
        }
        if (lossEnds.isPresent()) {
            cut++;
            return;
        }
        if (switches && !form.isCovered(call.beginNanos(), nanos)) {
            uncovered++;
            return;
        }
        Long runs = cpu < 0 ? null : running.get(cpu);
        if (switches && runs != null && runs != tid) {
            strange++;
            return;
        }
        session.at(nanos, cpu);
        session.callExit(tid, call.function(), thread.calls().size(), call.beginNanos(), thread.times(call, nanos),
                switches ? WALL_AND_CPU : WALL);
    }

    private void switched(Event event, long nanos, int cpu, ImportedSession session) throws SessionException {
        Scheduler scheduler = form.scheduler();
        long next = scheduler.next(event);
        running.put(cpu, next);
        long previous = scheduler.previous(event);
        ThreadTimes leaves = form.isTraced(previous) ? threads.get(previous) : null;
        if (leaves != null) {
            boolean preempted = scheduler.isPreempted(event);
            leaves.becomes(preempted ? State.PREEMPTED : State.WAITING, nanos);
            session.at(nanos, cpu);
            session.switchOut(previous, preempted ? Metric.PREEMPTED : Metric.OTHER, NO_SYSCALL);
        }
        ThreadTimes comes = form.isTraced(next) ? threads.get(next) : null;
        if (comes != null) {
            session.at(nanos, cpu);
            if (comes.state() != State.UNKNOWN) {
                session.switchIn(next, comes.offNanos(nanos), comes.queuedNanos(nanos));
            }
            comes.becomes(State.RUNNING, nanos);
        }
    }

    private void woken(long tid, long nanos) {
        ThreadTimes thread = threads.get(tid);
        if (thread != null && thread.state() == State.WAITING) {
            // By whom is not told: the kernel may tell the wake-up on the CPU of the woken thread.
            thread.becomes(State.QUEUED, nanos);
        }
    }

    void lost(OptionalLong untilNanos) {
        forget();
        if (untilNanos.isPresent()) {
            lossEnds = OptionalLong.of(Math.max(untilNanos.getAsLong(), lossEnds.orElse(Long.MIN_VALUE)));
        }
    }

    private void forget() {
        threads.values().forEach(thread -> {
            cut += thread.calls().size();
            thread.forget();
        });
        running.clear();
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        note(notes, unmatched, "ends that belong to no call that was seen to begin");
        note(notes, skipped, "calls that were left without an event at their end, which are counted and have no time");
        note(notes, uncovered, "calls that began before the first sched_switch or ended after the last one, which are counted and have no"
                + " time");
        note(notes, strange, "calls that ended on a CPU on which another thread ran by sched_switch, as where a container has numbers of its"
                + " own, which are counted and have no time");
        note(notes, cut, "calls that went on while events were missing, which are counted and have no time");
        return notes;
    }

    private static void note(List<String> notes, long count, String what) {
        if (count > 0) {
            notes.add(what + ": " + count);
        }
    }
}
