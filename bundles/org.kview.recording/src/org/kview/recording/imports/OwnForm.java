// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

import org.kview.babeltrace.Event;
import org.kview.babeltrace.EventClass;
import org.kview.babeltrace.Field;
import org.kview.babeltrace.FieldType;
import org.kview.ctf.EventField;
import org.kview.ctf.EventKind;
import org.kview.model.Metric;
import org.kview.model.ProbedFunction;
import org.kview.session.SessionException;

/** A trace that Kview recorded: its calls have their times with them. */
final class OwnForm implements TraceForm {
    private static final int MOST_NAME_BYTES = 64;
    private static final Metric[] ALWAYS = {Metric.WALL, Metric.ON_CPU};
    private static final int MOST_CAUSE_VALUE = 255;

    private final Map<EventClass, Optional<Layout>> layouts = new IdentityHashMap<>();
    private final TreeMap<Long, String> names = new TreeMap<>();
    private final Map<Long, Integer> ids = new HashMap<>();
    private final Metric[] metrics = new Metric[MOST_CAUSE_VALUE + 1];
    private long pid;
    private boolean calls;
    private long unknownCauses;

    /** Where a kind of events has its fields. */
    private record Layout(EventKind kind, Map<EventField, Integer> at) {
        Field field(Field payload, EventField field) {
            return payload.member(at.get(field));
        }
    }

    OwnForm() {
        for (Metric metric : Metric.CAUSES) {
            metrics[metric.value()] = metric;
        }
    }

    private Optional<Layout> layout(EventClass type) {
        return layouts.computeIfAbsent(type, OwnForm::find);
    }

    private static Optional<Layout> find(EventClass type) {
        for (EventKind kind : EventKind.values()) {
            if (kind.text().equals(type.name()) && type.payload() instanceof FieldType.Structure fields) {
                Map<EventField, Integer> at = new HashMap<>();
                for (EventField field : EventField.values()) {
                    if (fields.index(field.text()) >= 0) {
                        at.put(field, fields.index(field.text()));
                    }
                }
                return kind.isWhole(at.keySet()) ? Optional.of(new Layout(kind, at)) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    @Override
    public void outline(Event event, long nanos) throws SessionException {
        Optional<Layout> layout = layout(event.eventClass());
        if (layout.isEmpty() || layout.get().kind() != EventKind.CALL_ENTRY && layout.get().kind() != EventKind.CALL_EXIT) {
            return;
        }
        calls |= layout.get().kind() == EventKind.CALL_EXIT;
        Field function = layout.get().field(event.payload(), EventField.FUNCTION);
        if (names.isEmpty() && function.type() instanceof FieldType.Unsigned type) {
            type.labels().stream().limit(MOST_FUNCTIONS).forEach(label -> names.put(label.least(), label.text()));
            pid = Optional.ofNullable(event.stream().environment().get("target_pid")).filter(n -> n.matches("[1-9][0-9]{0,8}"))
                    .map(Long::parseLong).orElse(0L);
        }
        names.computeIfAbsent(function.number(), id -> "function " + Long.toUnsignedString(id));
        if (names.size() > MOST_FUNCTIONS) {
            throw new SessionException("The trace tells of more than " + MOST_FUNCTIONS + " functions; it can't be imported");
        }
    }

    @Override
    public boolean tellsCalls() {
        return calls;
    }

    @Override
    public List<String> functions() {
        ids.clear();
        names.keySet().forEach(number -> ids.put(number, ids.size()));
        return new ArrayList<>(names.values());
    }

    @Override
    public Set<Metric> measured() {
        return ProbedFunction.ALL_METRICS;
    }

    @Override
    public long pid() {
        return pid;
    }

    @Override
    public void begin(long offsetNanos) {
        // Each end of a call has all its times with it.
    }

    @Override
    public void play(Event event, long nanos, int cpu, ImportedSession session) throws SessionException {
        Optional<Layout> known = layout(event.eventClass());
        if (known.isEmpty()) {
            return;
        }
        Layout layout = known.get();
        Field payload = event.payload();
        long tid = layout.field(payload, EventField.TID).number();
        session.at(nanos, cpu);
        switch (layout.kind()) {
            case CALL_ENTRY -> session.callEntry(tid, function(layout, payload), depth(layout, payload));
            case CALL_EXIT -> {
                long[] times = times(layout, payload);
                long begin = layout.field(payload, EventField.BEGIN).number();
                session.callExit(tid, function(layout, payload), depth(layout, payload), begin, times, ALWAYS);
            }
            case SWITCH_OUT -> cause(layout.field(payload, EventField.CAUSE)).ifPresent(cause -> session.switchOut(tid, cause,
                    (int) layout.field(payload, EventField.SYSCALL).number()));
            case WAKEUP -> session.wakeup(tid, layout.field(payload, EventField.WAKER_TID).number(),
                    text(layout.field(payload, EventField.WAKER_COMM)));
            case SWITCH_IN -> session.switchIn(tid, layout.field(payload, EventField.OFF_NANOS).number(),
                    layout.field(payload, EventField.QUEUED_NANOS).number());
            case THREAD_EXIT -> session.threadExit(tid);
            case THREAD -> session.thread(tid, layout.field(payload, EventField.PID).number(),
                    text(layout.field(payload, EventField.NAME)));
        }
    }

    private int function(Layout layout, Field payload) {
        return ids.get(layout.field(payload, EventField.FUNCTION).number());
    }

    private static int depth(Layout layout, Field payload) {
        return (int) layout.field(payload, EventField.DEPTH).number();
    }

    private static String text(Field field) {
        return field.type() instanceof FieldType.Text ? field.text(MOST_NAME_BYTES) : "";
    }

    private long[] times(Layout layout, Field payload) {
        long[] times = new long[Metric.values().length];
        times[Metric.WALL.ordinal()] = layout.field(payload, EventField.WALL).number();
        times[Metric.ON_CPU.ordinal()] = layout.field(payload, EventField.ON_CPU).number();
        Field causes = layout.field(payload, EventField.CAUSES);
        long length = causes.length();
        for (long i = 0; i < length; i++) {
            Field time = causes.element(i);
            Optional<Metric> cause = time.member(EventField.CAUSE.text()).flatMap(this::cause);
            long nanos = time.member(EventField.NANOS.text()).map(Field::number).orElse(0L);
            if (cause.isPresent()) {
                times[cause.get().ordinal()] += nanos;
            } else {
                unknownCauses++;
            }
        }
        return times;
    }

    private Optional<Metric> cause(Field field) {
        long value = field.number();
        return value < 0 || value > MOST_CAUSE_VALUE ? Optional.empty() : Optional.ofNullable(metrics[(int) value]);
    }

    @Override
    public void lost(OptionalLong untilNanos) {
        // Each end of a call has all its times with it.
    }

    @Override
    public List<String> notes() {
        return unknownCauses == 0 ? List.of() : List.of(
                "times with a cause that this version does not know, which are part of the wall-clock time only: " + unknownCauses);
    }
}
