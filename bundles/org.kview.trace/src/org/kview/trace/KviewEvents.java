/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.trace;

import java.util.Optional;
import java.util.OptionalLong;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.ctf.core.CtfEnumPair;

/** Names of a recording's events and fields, and how to read them. */
public final class KviewEvents {
    public static final String CALL_ENTRY = "kview:call_entry";
    public static final String CALL_EXIT = "kview:call_exit";
    public static final String SWITCH_OUT = "kview:switch_out";
    public static final String WAKEUP = "kview:wakeup";
    public static final String SWITCH_IN = "kview:switch_in";
    public static final String THREAD_EXIT = "kview:thread_exit";

    static final String TID = "tid";
    static final String FUNCTION = "function";
    static final String DEPTH = "depth";
    static final String WALL = "wall";
    static final String ON_CPU = "on_cpu";
    static final String CAUSE = "cause";
    static final String CAUSES = "causes";
    static final String NANOS = "ns";
    static final String OFF_NANOS = "off_ns";
    static final String QUEUED_NANOS = "queued_ns";

    private KviewEvents() {
    }

    /** An integer field, or the value of an enumeration; empty where the event has none of that name. */
    public static OptionalLong number(ITmfEvent event, String field) {
        return number(event.getContent(), field);
    }

    static OptionalLong number(ITmfEventField parent, String field) {
        return switch (value(parent, field)) {
            case CtfEnumPair pair -> OptionalLong.of(pair.getLongValue());
            case Number number -> OptionalLong.of(number.longValue());
            case null, default -> OptionalLong.empty();
        };
    }

    /** The label of an enumeration's value, or the text of a string; empty where the event has none. */
    public static Optional<String> label(ITmfEvent event, String field) {
        return label(event.getContent(), field);
    }

    static Optional<String> label(ITmfEventField parent, String field) {
        return switch (value(parent, field)) {
            case CtfEnumPair pair -> Optional.ofNullable(pair.getStringValue());
            case String text -> Optional.of(text);
            case null, default -> Optional.empty();
        };
    }

    private static Object value(ITmfEventField parent, String field) {
        ITmfEventField found = parent == null ? null : parent.getField(field);
        return found == null ? null : found.getValue();
    }
}
