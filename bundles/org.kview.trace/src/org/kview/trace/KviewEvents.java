// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.util.Optional;
import java.util.OptionalLong;

import org.eclipse.tracecompass.tmf.core.event.ITmfEvent;
import org.eclipse.tracecompass.tmf.core.event.ITmfEventField;
import org.eclipse.tracecompass.tmf.ctf.core.CtfEnumPair;
import org.kview.ctf.EventField;
import org.kview.model.Metric;

/** How the fields of a recording's events are read as Trace Compass has them. */
public final class KviewEvents {
    private KviewEvents() {
    }

    /** The value of an integer or enumeration field; empty where the event has no such field. */
    public static OptionalLong number(ITmfEvent event, EventField field) {
        return number(event.getContent(), field);
    }

    public static OptionalLong number(ITmfEventField parent, EventField field) {
        return switch (value(parent, field)) {
            case CtfEnumPair pair -> OptionalLong.of(pair.getLongValue());
            case Number number -> OptionalLong.of(number.longValue());
            case null, default -> OptionalLong.empty();
        };
    }

    /** The label of an enumeration's value, or the text of a string field; empty where the event has no such field. */
    public static Optional<String> label(ITmfEvent event, EventField field) {
        return label(event.getContent(), field);
    }

    public static Optional<String> label(ITmfEventField parent, EventField field) {
        return switch (value(parent, field)) {
            case CtfEnumPair pair -> Optional.ofNullable(pair.getStringValue());
            case String text -> Optional.of(text);
            case null, default -> Optional.empty();
        };
    }

    /** Text of a fixed length, which ends where the first 0 is. */
    public static Optional<String> text(ITmfEvent event, EventField field) {
        return label(event, field).map(text -> text.indexOf('\0') < 0 ? text : text.substring(0, text.indexOf('\0')));
    }

    private static Object value(ITmfEventField parent, EventField field) {
        ITmfEventField found = parent == null ? null : parent.getField(field.text());
        return found == null ? null : found.getValue();
    }

    /** Why a thread left its CPU. */
    public static Metric cause(ITmfEvent event) {
        return number(event, EventField.CAUSE).stream().boxed().flatMap(value -> Metric.ofValue(value).stream()).findFirst().orElse(Metric.OTHER);
    }
}
