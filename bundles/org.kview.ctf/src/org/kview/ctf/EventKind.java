// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The kinds of events that this version knows, with the fields that each must have. Their ids are told by the metadata. */
public enum EventKind {
    CALL_ENTRY("kview:call_entry", EventField.TID, EventField.FUNCTION, EventField.DEPTH),
    CALL_EXIT("kview:call_exit", EventField.TID, EventField.FUNCTION, EventField.DEPTH, EventField.BEGIN, EventField.WALL,
            EventField.ON_CPU, EventField.CAUSES_LENGTH, EventField.CAUSES),
    SWITCH_OUT("kview:switch_out", EventField.TID, EventField.CAUSE, EventField.SYSCALL),
    WAKEUP("kview:wakeup", EventField.TID, EventField.WAKER_TID, EventField.WAKER_COMM_LENGTH, EventField.WAKER_COMM),
    SWITCH_IN("kview:switch_in", EventField.TID, EventField.OFF_NANOS, EventField.QUEUED_NANOS),
    THREAD_EXIT("kview:thread_exit", EventField.TID),
    THREAD("kview:thread", EventField.TID, EventField.PID, EventField.NAME_LENGTH, EventField.NAME);

    /** What each of a call's causes must have. */
    static final List<EventField> CAUSE_PARTS = List.of(EventField.CAUSE, EventField.NANOS);

    private final String text;
    private final List<EventField> fields;
    private final long set;

    EventKind(String text, EventField... fields) {
        this.text = text;
        this.fields = List.of(fields);
        set = EventField.set(this.fields);
    }

    /** Its name in the metadata. */
    public String text() {
        return text;
    }

    /** Whether all fields are there that an event of this kind must have. */
    public boolean isWhole(Collection<EventField> present) {
        return present.containsAll(fields);
    }

    List<EventField> fields() {
        return fields;
    }

    /**
     * The same fields as {@link EventField#set}. In a trace of a newer version, an event of this kind may also have fields that this version
     * knows only from other kinds: those must be left out.
     */
    long fieldSet() {
        return set;
    }

    /** Empty where this version knows none of that name. */
    public static Optional<EventKind> of(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst();
    }
}
