// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import org.kview.babeltrace.Event;
import org.kview.babeltrace.EventClass;
import org.kview.model.Metric;
import org.kview.session.SessionException;

/** A trace in which a pair of events begins and ends each call, with or without those of the scheduler. */
final class PairForm implements TraceForm {
    private static final String[] THREAD = {"vtid", "tid"};
    private static final String[] PROCESS = {"vpid", "pid"};
    private static final String[] NAMES = {"name", "function", "func", "symbol", "addr", "ip"};
    private static final int MOST_NAME = 200;

    private final EventPair pair;
    private final Scheduler scheduler = new Scheduler();
    private final Map<EventClass, Layout> layouts = new IdentityHashMap<>();
    private final Map<String, Integer> functions = new LinkedHashMap<>();
    private final Set<Long> traced = new HashSet<>();
    private final Set<Long> pids = new HashSet<>();
    private final Map<Long, String> names = new HashMap<>();
    private PairCalls calls = new PairCalls(this);
    private long firstSwitch = Long.MAX_VALUE;
    private long lastSwitch = Long.MIN_VALUE;
    private boolean exits;
    private boolean switches;
    private boolean wakeups;

    /** What an event is here. */
    enum Kind {
        ENTRY, EXIT, SWITCH, WAKEUP, NONE
    }

    /** What a kind of events is, and where it says who called what. */
    record Layout(Kind kind, Optional<NumberField> thread, Optional<NumberField> process, Optional<NumberField> name) {
    }

    PairForm(EventPair pair) {
        this.pair = pair;
    }

    private Layout layout(Event event) {
        Layout known = layouts.get(event.eventClass());
        if (known == null) {
            String name = event.eventClass().name();
            Kind kind = name.equals(pair.entry()) ? Kind.ENTRY : name.equals(pair.exit()) ? Kind.EXIT
                    : name.equals(Scheduler.SWITCH) ? Kind.SWITCH : Scheduler.WAKEUPS.contains(name) ? Kind.WAKEUP : Kind.NONE;
            known = new Layout(kind, NumberField.find(event, false, THREAD), NumberField.find(event, false, PROCESS),
                    NumberField.find(event, true, pair.name().map(n -> new String[] {n}).orElse(NAMES)));
            layouts.put(event.eventClass(), known);
        }
        return known;
    }

    @Override
    public void outline(Event event, long nanos) throws SessionException {
        Layout layout = layout(event);
        switch (layout.kind()) {
            case ENTRY -> {
                if (layout.thread().isEmpty()) {
                    throw new SessionException("The events '" + pair.entry() + "' don't say of which thread they are; record them with"
                            + " that context: lttng add-context --userspace --type vtid");
                }
                if (pair.name().isPresent() && layout.name().isEmpty()) {
                    throw new SessionException("The events '" + pair.entry() + "' have no field '" + pair.name().get()
                            + "' that is a text or a number; --name takes one that they have");
                }
                functions.putIfAbsent(name(layout, event), functions.size());
                traced.add(layout.thread().get().of(event));
                layout.process().map(p -> p.of(event)).filter(n -> n > 0 && pids.size() < 2).ifPresent(pids::add);
                if (functions.size() > MOST_FUNCTIONS || traced.size() > MOST_THREADS) {
                    throw new SessionException("The trace tells of more than " + MOST_FUNCTIONS + " functions, or of more than "
                            + MOST_THREADS + " threads; it can't be imported");
                }
            }
            case EXIT -> exits |= layout.thread().isPresent();
            case SWITCH -> {
                switches |= scheduler.previous(event) >= 0 && scheduler.next(event) >= 0;
                firstSwitch = Math.min(firstSwitch, nanos);
                lastSwitch = Math.max(lastSwitch, nanos);
                if (names.size() < MOST_THREADS) {
                    names.putIfAbsent(scheduler.previous(event), scheduler.previousName(event));
                    names.putIfAbsent(scheduler.next(event), scheduler.nextName(event));
                }
            }
            case WAKEUP -> wakeups |= scheduler.woken(event) >= 0;
            case NONE -> { }
        }
    }

    private String name(Layout layout, Event event) {
        String name = layout.name().map(field -> field.textOf(event)).orElse(pair.entry());
        return name.isEmpty() ? pair.entry() : name.substring(0, Math.min(name.length(), MOST_NAME));
    }

    @Override
    public boolean tellsCalls() {
        return exits && !functions.isEmpty();
    }

    @Override
    public List<String> functions() {
        return new ArrayList<>(functions.keySet());
    }

    @Override
    public Set<Metric> measured() {
        EnumSet<Metric> measured = EnumSet.of(Metric.WALL);
        if (tellsSwitches()) {
            measured.addAll(Set.of(Metric.ON_CPU, Metric.PREEMPTED, Metric.OTHER));
        }
        if (tellsSwitches() && wakeups) {
            measured.add(Metric.RUN_QUEUE);
        }
        return measured;
    }

    @Override
    public long pid() {
        return pids.size() == 1 ? pids.iterator().next() : 0;
    }

    /** By the trace's threads; empty where no event names one. */
    String threadName(long tid) {
        return names.getOrDefault(tid, "");
    }

    boolean isTraced(long tid) {
        return traced.contains(tid);
    }

    /** Whether the scheduler's events are of the threads that call: those of a container may have other numbers there. */
    boolean tellsSwitches() {
        return switches && traced.stream().anyMatch(names::containsKey);
    }

    /** Whether the scheduler's events tell of all that time. */
    boolean isCovered(long beginNanos, long endNanos) {
        return beginNanos >= firstSwitch && endNanos <= lastSwitch;
    }

    int function(Layout layout, Event event) {
        return functions.getOrDefault(name(layout, event), -1);
    }

    Scheduler scheduler() {
        return scheduler;
    }

    @Override
    public void begin(long offsetNanos) {
        firstSwitch = switches ? firstSwitch - offsetNanos : firstSwitch;
        lastSwitch = switches ? lastSwitch - offsetNanos : lastSwitch;
        calls = new PairCalls(this);
    }

    @Override
    public void play(Event event, long nanos, int cpu, ImportedSession session) throws SessionException {
        calls.play(event, layout(event), nanos, cpu, session);
    }

    @Override
    public void lost(OptionalLong untilNanos) {
        calls.lost(untilNanos);
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>();
        if (!switches) {
            notes.add("The trace has no events of the scheduler (sched_switch), so only wall-clock times are known");
        } else if (!tellsSwitches()) {
            notes.add("The trace's sched_switch events are of other threads than those that call, so only wall-clock times are known");
        } else if (!wakeups) {
            notes.add("The trace has no sched_wakeup, so waiting for a CPU after being woken is not told from other waiting");
        }
        notes.addAll(calls.notes());
        return notes;
    }
}
