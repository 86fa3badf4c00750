// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.kview.babeltrace.Event;

/** The fields of the scheduler's events, as LTTng and the kernel's own tracers name them. */
final class Scheduler {
    static final String SWITCH = "sched_switch";
    static final Set<String> WAKEUPS = Set.of("sched_wakeup", "sched_wakeup_new");
    /** The lower bits say for what a thread waits; if none is set it could go on. */
    private static final long WAITING_BITS = 0xff;

    private final Map<String, Optional<NumberField>> fields = new HashMap<>();

    private Optional<NumberField> field(Event event, String name, String other) {
        return fields.computeIfAbsent(event.eventClass().name() + " " + name, _ -> NumberField.find(event, true, name, other));
    }

    private long number(Event event, String name, String other) {
        return field(event, name, other).filter(f -> !f.text()).map(f -> f.of(event)).orElse(-1L);
    }

    long previous(Event event) {
        return number(event, "prev_tid", "prev_pid");
    }

    long next(Event event) {
        return number(event, "next_tid", "next_pid");
    }

    long woken(Event event) {
        return number(event, "tid", "pid");
    }

    /** Whether the thread that leaves the CPU could have gone on. */
    boolean isPreempted(Event event) {
        return (number(event, "prev_state", "prev_state") & WAITING_BITS) == 0;
    }

    String nextName(Event event) {
        return field(event, "next_comm", "next_comm").filter(NumberField::text).map(f -> f.textOf(event)).orElse("");
    }

    String previousName(Event event) {
        return field(event, "prev_comm", "prev_comm").filter(NumberField::text).map(f -> f.textOf(event)).orElse("");
    }
}
