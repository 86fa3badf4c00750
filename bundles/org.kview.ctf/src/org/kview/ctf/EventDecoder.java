// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.ctf.FieldType.ArrayType;
import org.kview.ctf.FieldType.EnumType;
import org.kview.ctf.FieldType.Field;
import org.kview.ctf.FieldType.IntegerType;
import org.kview.ctf.FieldType.OpaqueType;
import org.kview.ctf.FieldType.SequenceType;
import org.kview.ctf.FieldType.StructType;
import org.kview.ctf.FieldType.TextType;
import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;
import org.kview.ctf.TraceLayout.EventLayout;

/** Reads the events of one CPU, one at a time, as the trace's metadata describes them. */
final class EventDecoder {
    private static final EventField[] FIELDS = EventField.values();
    private static final int FEW = 64;
    private static final long NONE = 0;
    private static final long CAUSE_PARTS = EventField.set(EventKind.CAUSE_PARTS);

    private final TraceLayout layout;
    private final int cpu;
    private final boolean readsPlain;
    private final NameCache names = new NameCache();
    /** The most recent value of each field, by the ordinal of its {@link EventField}. */
    private final long[] numbers = new long[FIELDS.length];
    private final String[] texts = new String[FIELDS.length];
    private final List<CauseTime> causes = new ArrayList<>();
    private Cause cause = new Cause("");
    /** What the first values of these labels say, as far as they were met. */
    private final Cause[] few = new Cause[FEW];
    private EnumType fewLabels;

    EventDecoder(TraceLayout layout, int cpu) {
        this(layout, cpu, true);
    }

    /** @param readsPlain otherwise all events are read field by field */
    EventDecoder(TraceLayout layout, int cpu, boolean readsPlain) {
        this.readsPlain = readsPlain;
        this.layout = layout;
        this.cpu = cpu;
    }

    /**
     * Reads the event at the buffer's position, and moves the position to the end of that event.
     *
     * @param in    bytes of an array, limited to the end of the packet, or to the greatest length of an event if that is less
     * @param least the time of the event before it
     * @param most  the time of the packet's last one
     */
    TraceEvent decode(ByteBuffer in, long least, long most) throws MalformedEventException {
        if (in.remaining() < TraceLayout.EVENT_HEADER_BYTES) {
            throw new MalformedEventException("it ends within an event");
        }
        long id = Integer.toUnsignedLong(in.getInt());
        long nanos = in.getLong();
        EventLayout event = layout.event(id)
                .orElseThrow(() -> new MalformedEventException("the metadata describes no event " + id));
        if (nanos < least || nanos > most) {
            throw new MalformedEventException("an event's time is not between those of its packet");
        }
        if (event.kind().isEmpty()) {
            pass(in, event.fields());
            return new TraceEvent.Other(nanos, cpu, event.name());
        }
        if (readsPlain && event.plain().isPresent()) {
            Optional<TraceEvent> plain = event.plain().get().decode(in, nanos, cpu, names);
            if (plain.isPresent()) {
                return plain.get();
            }
        }
        causes.clear();
        struct(in, event.fields(), event.kind().get().fieldSet());
        return event(event.kind().get(), nanos);
    }

    private TraceEvent event(EventKind kind, long nanos) {
        long tid = number(EventField.TID);
        return switch (kind) {
            case CALL_ENTRY -> new TraceEvent.CallEntry(nanos, cpu, tid, number(EventField.FUNCTION), number(EventField.DEPTH));
            case CALL_EXIT -> new TraceEvent.CallExit(nanos, cpu, tid, number(EventField.FUNCTION), number(EventField.DEPTH),
                    number(EventField.BEGIN), number(EventField.WALL), number(EventField.ON_CPU), causes);
            case SWITCH_OUT -> new TraceEvent.SwitchOut(nanos, cpu, tid, cause, number(EventField.SYSCALL) < 0
                    ? OptionalLong.empty() : OptionalLong.of(number(EventField.SYSCALL)));
            case WAKEUP -> new TraceEvent.Wakeup(nanos, cpu, tid, number(EventField.WAKER_TID), text(EventField.WAKER_COMM));
            case SWITCH_IN -> new TraceEvent.SwitchIn(nanos, cpu, tid, number(EventField.OFF_NANOS),
                    number(EventField.QUEUED_NANOS));
            case THREAD_EXIT -> new TraceEvent.ThreadExit(nanos, cpu, tid);
            case THREAD -> new TraceEvent.ThreadName(nanos, cpu, tid, number(EventField.PID), text(EventField.NAME));
        };
    }

    private long number(EventField field) {
        return numbers[field.ordinal()];
    }

    private String text(EventField field) {
        return texts[field.ordinal()];
    }

    private void struct(ByteBuffer in, StructType type, long wanted) throws MalformedEventException {
        List<Field> fields = type.fields();
        long[] lengths = type.hasLengths() ? new long[fields.size()] : null;
        for (int i = 0; i < fields.size(); i++) {
            Field field = fields.get(i);
            EventField known = field.known().orElse(null);
            boolean isKnown = known != null && known.isIn(wanted);
            switch (field.type()) {
                case IntegerType integer -> {
                    long value = integer(in, integer, isKnown);
                    if (isKnown) {
                        numbers[known.ordinal()] = value;
                    }
                    if (lengths != null) {
                        lengths[i] = value;
                    }
                }
                case EnumType labels -> {
                    long value = integer(in, labels.container(), isKnown);
                    if (isKnown) {
                        numbers[known.ordinal()] = value;
                        cause = known == EventField.CAUSE ? cause(labels, value) : cause;
                    }
                }
                case TextType _ -> {
                    String text = text(in);
                    if (isKnown) {
                        texts[known.ordinal()] = text;
                    }
                }
                case ArrayType array -> elements(in, isKnown ? known : null, array.element(), array.length());
                case SequenceType sequence -> elements(in, isKnown ? known : null, sequence.element(),
                        lengths[sequence.lengthField()]);
                case StructType struct -> pass(in, struct);
                case OpaqueType opaque -> skip(in, opaque.bytes());
            }
        }
    }

    private Cause cause(EnumType labels, long value) {
        if (value < 0 || value >= FEW) {
            return labels.cause(value);
        }
        if (labels != fewLabels) {
            fewLabels = labels;
            Arrays.fill(few, null);
        }
        Cause known = few[(int) value];
        if (known == null) {
            known = labels.cause(value);
            few[(int) value] = known;
        }
        return known;
    }

    /**
     * The only known unsigned fields of 64 bits are times in ns. A value of 2^63 or more (292 years) can't be a time.
     */
    private static long integer(ByteBuffer in, IntegerType type, boolean known) throws MalformedEventException {
        has(in, type.size());
        long value = switch (type.size()) {
            case Byte.BYTES -> type.signed() ? in.get() : Byte.toUnsignedLong(in.get());
            case Short.BYTES -> type.signed() ? in.getShort() : Short.toUnsignedLong(in.getShort());
            case Integer.BYTES -> type.signed() ? in.getInt() : Integer.toUnsignedLong(in.getInt());
            default -> in.getLong();
        };
        if (known && value < 0 && !type.signed()) {
            throw new MalformedEventException("an event has a time that can't be");
        }
        return value;
    }

    /** @param known what they are; null if this version does not know it */
    private void elements(ByteBuffer in, EventField known, FieldType element, long length) throws MalformedEventException {
        if (length < 0) {
            throw new MalformedEventException("an event has a length that can't be");
        }
        if (known != null && known.form() == EventField.Form.TEXT) {
            texts[known.ordinal()] = text(in, length);
        } else if (known == EventField.CAUSES) {
            // Each element takes at least one byte, so the loop can't go on longer than the packet has bytes.
            for (long i = 0; i < length; i++) {
                struct(in, (StructType) element, CAUSE_PARTS);
                causes.add(new CauseTime(cause, numbers[EventField.NANOS.ordinal()]));
            }
        } else {
            pass(in, new ArrayType(element, length));
        }
    }

    private void pass(ByteBuffer in, FieldType type) throws MalformedEventException {
        if (type.bytes() != FieldType.VARIABLE) {
            skip(in, type.bytes());
            return;
        }
        switch (type) {
            case StructType struct -> struct(in, struct, NONE);
            // An element of variable length takes at least one byte, so this loop ends with the packet.
            case ArrayType array -> {
                for (long i = 0; i < array.length(); i++) {
                    pass(in, array.element());
                }
            }
            default -> text(in);
        }
    }

    /** An array of characters: what stands before the first NUL. */
    private String text(ByteBuffer in, long length) throws MalformedEventException {
        has(in, length);
        String text = names.of(in.array(), in.arrayOffset() + in.position(), (int) Math.min(length, NameCache.MOST_TEXT_BYTES));
        skip(in, length);
        return text;
    }

    private String text(ByteBuffer in) throws MalformedEventException {
        int length = 0;
        while (length < in.remaining() && in.get(in.position() + length) != 0) {
            length++;
        }
        return text(in, length + 1L);
    }

    private static void skip(ByteBuffer in, long bytes) throws MalformedEventException {
        has(in, bytes);
        in.position(in.position() + (int) bytes);
    }

    private static void has(ByteBuffer in, long bytes) throws MalformedEventException {
        if (in.remaining() < bytes) {
            throw new MalformedEventException("an event goes beyond the end of its packet, or is longer than any");
        }
    }
}
