// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

import org.kview.ctf.FieldType.ArrayType;
import org.kview.ctf.FieldType.EnumType;
import org.kview.ctf.FieldType.Field;
import org.kview.ctf.FieldType.IntegerType;
import org.kview.ctf.FieldType.SequenceType;
import org.kview.ctf.FieldType.StructType;
import org.kview.ctf.FieldType.TextType;

/** How a trace is laid out, as its metadata describes it. Immutable. */
public final class TraceLayout {
    /** What every event begins with: its id and its time. */
    static final int EVENT_HEADER_BYTES = Integer.BYTES + Long.BYTES;

    private static final int FIRST = 32;

    private final UUID uuid;
    private final long realTimeOffsetNanos;
    private final Map<String, String> environment;
    private final Map<Long, EventLayout> events;
    /** Those of the first ids: each of millions of events is looked up there. */
    private final List<Optional<EventLayout>> first;
    private final Optional<EnumType> functions;

    /**
     * A kind of event.
     *
     * @param kind  what it is, if this version knows it
     * @param plain where its fields stand, if that is the same in all of them; not looked up where a trace has so many kinds that it is none of our agents'
     */
    record EventLayout(long id, String name, Optional<EventKind> kind, StructType fields, Optional<PlainEvent> plain) {
        EventLayout(long id, String name, Optional<EventKind> kind, StructType fields) {
            this(id, name, kind, fields, Optional.empty());
        }

        private EventLayout looked() {
            return id < 0 || id >= FIRST ? this : new EventLayout(id, name, kind, fields, kind.flatMap(its -> PlainEvent.of(its, fields)));
        }
    }

    TraceLayout(UUID uuid, long realTimeOffsetNanos, Map<String, String> environment, Map<Long, EventLayout> events)
            throws CtfException {
        this.uuid = uuid;
        this.realTimeOffsetNanos = realTimeOffsetNanos;
        this.environment = Map.copyOf(environment);
        for (EventLayout event : events.values()) {
            isAsKnown(event);
        }
        this.events = events.values().stream().map(EventLayout::looked).collect(Collectors.toUnmodifiableMap(EventLayout::id, event -> event));
        first = LongStream.range(0, FIRST).mapToObj(id -> Optional.ofNullable(this.events.get(id))).toList();
        functions = events.values().stream()
                .filter(event -> event.kind().map(EventKind::fields).orElse(List.of()).contains(EventField.FUNCTION))
                .flatMap(event -> event.fields().field(EventField.FUNCTION.text()).stream())
                .map(field -> (EnumType) field.type()).findFirst();
    }

    /**
     * Reads a trace's metadata.
     *
     * @throws CtfException if it is none, or describes what this version can't read
     */
    public static TraceLayout parse(String metadata) throws CtfException {
        return new MetadataParser(metadata).parse();
    }

    /** The trace that its packets must be of. */
    public UUID uuid() {
        return uuid;
    }

    /** What is to be added to an event's time for ns since 1970. */
    public long realTimeOffsetNanos() {
        return realTimeOffsetNanos;
    }

    /** What the trace says of where it was recorded: {@code hostname}, {@code target_pid}, {@code tracer_minor}. */
    Optional<String> environment(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    /**
     * The name of a function in the trace; where it has none, its id. Two functions of one name are told apart by a number
     * behind it, and all but ASCII is replaced: a session has the names themselves, by the same ids.
     */
    public String functionLabel(long function) {
        return functions.flatMap(labels -> labels.label(function))
                .orElseGet(() -> "function " + Long.toUnsignedString(function));
    }

    Optional<EventLayout> event(long id) {
        return id >= 0 && id < FIRST ? first.get((int) id) : Optional.ofNullable(events.get(id));
    }

    Map<Long, EventLayout> events() {
        return events;
    }

    /** Fields may be added, but those that are known must still be there. */
    private static void isAsKnown(EventLayout event) throws CtfException {
        for (EventField field : event.kind().map(EventKind::fields).orElse(List.of())) {
            isAsKnown(event, event.fields(), field);
        }
    }

    private static void isAsKnown(EventLayout event, StructType parent, EventField known) throws CtfException {
        FieldType type = parent.field(known.text()).map(Field::type).orElseThrow(() -> new CtfException("the metadata describes "
                + event.name() + " without its field '" + known.text() + "'"));
        boolean good = switch (known.form()) {
            case NUMBER -> type instanceof IntegerType;
            case LABEL -> type instanceof EnumType;
            case TEXT -> type instanceof TextType || element(type) instanceof IntegerType character && character.isText();
            case LIST -> element(type) instanceof StructType;
        };
        if (!good) {
            throw new CtfException("the metadata describes the field '" + known.text() + "' of " + event.name()
                    + " as something that this version can't read");
        }
        if (known.form() == EventField.Form.LIST) {
            for (EventField part : EventKind.CAUSE_PARTS) {
                isAsKnown(event, (StructType) element(type), part);
            }
        }
    }

    /** The type of the elements of an array or a sequence; otherwise the type itself. */
    static FieldType element(FieldType type) {
        return switch (type) {
            case ArrayType array -> array.element();
            case SequenceType sequence -> sequence.element();
            default -> type;
        };
    }
}
