// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** The fields of events that this version knows. What they hold is told by the metadata of each trace. */
public enum EventField {
    TID("tid", Form.NUMBER),
    FUNCTION("function", Form.LABEL),
    DEPTH("depth", Form.NUMBER),
    BEGIN("begin", Form.NUMBER),
    WALL("wall", Form.NUMBER),
    ON_CPU("on_cpu", Form.NUMBER),
    CAUSES_LENGTH("causes_length", Form.NUMBER),
    CAUSES("causes", Form.LIST),
    CAUSE("cause", Form.LABEL),
    /** Within one of the causes. */
    NANOS("ns", Form.NUMBER),
    SYSCALL("syscall", Form.NUMBER),
    WAKER_TID("waker_tid", Form.NUMBER),
    WAKER_COMM_LENGTH("waker_comm_length", Form.NUMBER),
    WAKER_COMM("waker_comm", Form.TEXT),
    OFF_NANOS("off_ns", Form.NUMBER),
    QUEUED_NANOS("queued_ns", Form.NUMBER),
    PID("pid", Form.NUMBER),
    NAME_LENGTH("name_length", Form.NUMBER),
    NAME("name", Form.TEXT);

    /** What a field must hold to be read as what this version knows. */
    enum Form {
        NUMBER, LABEL, TEXT, LIST
    }

    private final String text;
    private final Form form;

    EventField(String text, Form form) {
        this.text = text;
        this.form = form;
    }

    /** Its name in the metadata. */
    public String text() {
        return text;
    }

    Form form() {
        return form;
    }

    /** Some fields, a bit each: each field of millions of events is looked up there. */
    static long set(Collection<EventField> fields) {
        long set = 0;
        for (EventField field : fields) {
            set |= 1L << field.ordinal();
        }
        return set;
    }

    boolean isIn(long set) {
        return (set >>> ordinal() & 1) != 0;
    }

    static Optional<EventField> of(String text) {
        return Arrays.stream(values()).filter(field -> field.text.equals(text)).findFirst();
    }
}
