// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.ctf.FieldType.ArrayType;
import org.kview.ctf.FieldType.EnumType;
import org.kview.ctf.FieldType.Field;
import org.kview.ctf.FieldType.IntegerType;
import org.kview.ctf.FieldType.SequenceType;
import org.kview.ctf.FieldType.StructType;
import org.kview.ctf.TraceEvent.Cause;
import org.kview.ctf.TraceEvent.CauseTime;

/**
 * Where the fields stand in an event all of whose fields have one length, but for a list of causes at its end. So are those that our agents
 * write; such an event is read without going from field to field.
 */
final class PlainEvent {
    /** What the first values of a label say is looked up once. */
    private static final int FEW = 256;
    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int TID = 0;
    private static final int FUNCTION = EventKind.CALL_EXIT.fields().indexOf(EventField.FUNCTION);
    private static final int DEPTH = EventKind.CALL_EXIT.fields().indexOf(EventField.DEPTH);
    private static final int BEGIN = EventKind.CALL_EXIT.fields().indexOf(EventField.BEGIN);
    private static final int WALL = EventKind.CALL_EXIT.fields().indexOf(EventField.WALL);
    private static final int ON_CPU = EventKind.CALL_EXIT.fields().indexOf(EventField.ON_CPU);
    private static final int CAUSES_LENGTH = EventKind.CALL_EXIT.fields().indexOf(EventField.CAUSES_LENGTH);
    private static final int CAUSE = EventKind.SWITCH_OUT.fields().indexOf(EventField.CAUSE);
    private static final int SYSCALL = EventKind.SWITCH_OUT.fields().indexOf(EventField.SYSCALL);
    private static final int WAKER_TID = EventKind.WAKEUP.fields().indexOf(EventField.WAKER_TID);
    private static final int WAKER_COMM = EventKind.WAKEUP.fields().indexOf(EventField.WAKER_COMM);
    private static final int OFF_NANOS = EventKind.SWITCH_IN.fields().indexOf(EventField.OFF_NANOS);
    private static final int QUEUED_NANOS = EventKind.SWITCH_IN.fields().indexOf(EventField.QUEUED_NANOS);
    private static final int PID = EventKind.THREAD.fields().indexOf(EventField.PID);
    private static final int NAME = EventKind.THREAD.fields().indexOf(EventField.NAME);

    private final EventKind kind;
    /** Of its kind; behind these are those of a cause. */
    private final int fields;
    /** How long it is, without its causes. */
    private final int bytes;
    /** Of the fields that the event's kind has, in their order there; those of a cause follow. */
    private final int[] at;
    private final IntegerType[] numbers;
    private final int[] textBytes;
    private final int causeBytes;
    private final EnumType labels;
    /** As far as they were met. Several threads may read: each finds a label, its own or another's. */
    private final Cause[] few;

    private PlainEvent(EventKind kind, int bytes, int[] at, IntegerType[] numbers, int[] textBytes, int causeBytes, EnumType labels) {
        this.kind = kind;
        fields = kind.fields().size();
        this.bytes = bytes;
        this.at = at;
        this.numbers = numbers;
        this.textBytes = textBytes;
        this.causeBytes = causeBytes;
        this.labels = labels;
        few = labels == null ? new Cause[0] : new Cause[FEW];
    }

    /** Empty if it is none. */
    static Optional<PlainEvent> of(EventKind kind, StructType fields) {
        Maker maker = new Maker(kind);
        for (Field field : fields.fields()) {
            int index = field.known().map(kind.fields()::indexOf).orElse(-1);
            if (!maker.add(field, index, fields)) {
                return Optional.empty();
            }
        }
        return Optional.of(maker.made());
    }

    private static final class Maker {
        private final EventKind kind;
        private final int[] at;
        private final IntegerType[] numbers;
        private final int[] textBytes;
        private int bytes;
        private int causeBytes;
        private EnumType labels;
        private boolean over;

        Maker(EventKind kind) {
            this.kind = kind;
            at = new int[kind.fields().size() + EventKind.CAUSE_PARTS.size()];
            numbers = new IntegerType[at.length];
            textBytes = new int[at.length];
        }

        /** @param index which of the kind's fields it is; -1 if it is passed over */
        boolean add(Field field, int index, StructType all) {
            if (over) {
                return false;
            }
            if (field.type() instanceof SequenceType list) {
                over = true;
                return index >= 0 && field.known().get() == EventField.CAUSES && list.element() instanceof StructType cause && causes(cause)
                        && all.fields().get(list.lengthField()).known().equals(Optional.of(EventField.CAUSES_LENGTH));
            }
            long length = field.type().bytes();
            if (length == FieldType.VARIABLE || length > StreamCursor.MOST_EVENT_BYTES - bytes) {
                return false;
            }
            boolean isPlain = index < 0 || put(field, index, bytes);
            bytes += (int) length;
            return isPlain;
        }

        private boolean put(Field field, int index, int where) {
            at[index] = where;
            switch (field.type()) {
                case IntegerType integer -> numbers[index] = integer;
                case EnumType enumeration -> {
                    numbers[index] = enumeration.container();
                    if (field.known().get() == EventField.CAUSE) {
                        labels = enumeration;
                    }
                }
                case ArrayType array when field.known().get().form() == EventField.Form.TEXT && array.element().bytes() == 1 ->
                        textBytes[index] = (int) array.length();
                default -> {
                    return false;
                }
            }
            return true;
        }

        private boolean causes(StructType cause) {
            for (Field field : cause.fields()) {
                int index = field.known().map(EventKind.CAUSE_PARTS::indexOf).orElse(-1);
                long length = field.type().bytes();
                if (length == FieldType.VARIABLE || length > StreamCursor.MOST_EVENT_BYTES - causeBytes
                        || index >= 0 && !put(field, at.length - EventKind.CAUSE_PARTS.size() + index, causeBytes)) {
                    return false;
                }
                causeBytes += (int) length;
            }
            return true;
        }

        PlainEvent made() {
            return new PlainEvent(kind, bytes, at, numbers, textBytes, causeBytes, labels);
        }
    }

    /**
     * Reads the event whose fields begin at the buffer's position, and moves that to their end. Empty where something is wrong with the event,
     * or unusual: then the position stays.
     *
     * @param in bytes of an array, limited to the end of the packet
     */
    Optional<TraceEvent> decode(ByteBuffer in, long nanos, int cpu, NameCache names) {
        if (in.remaining() < bytes) {
            return Optional.empty();
        }
        byte[] of = in.array();
        int begin = in.arrayOffset() + in.position();
        long tid = number(of, begin, TID);
        TraceEvent event = tid < 0 ? null : switch (kind) {
            case CALL_ENTRY -> entry(of, begin, nanos, cpu, tid);
            case CALL_EXIT -> exit(in, of, begin, nanos, cpu, tid);
            case SWITCH_OUT -> {
                long syscall = number(of, begin, SYSCALL);
                yield syscall < 0 && !numbers[SYSCALL].signed() ? null
                        : new TraceEvent.SwitchOut(nanos, cpu, tid, cause(number(of, begin, CAUSE)),
                                syscall < 0 ? OptionalLong.empty() : OptionalLong.of(syscall));
            }
            case WAKEUP -> {
                long waker = number(of, begin, WAKER_TID);
                yield waker < 0 ? null : new TraceEvent.Wakeup(nanos, cpu, tid, waker, text(of, begin, WAKER_COMM, names));
            }
            case SWITCH_IN -> {
                long off = number(of, begin, OFF_NANOS);
                long queued = number(of, begin, QUEUED_NANOS);
                yield (off | queued) < 0 ? null : new TraceEvent.SwitchIn(nanos, cpu, tid, off, queued);
            }
            case THREAD_EXIT -> new TraceEvent.ThreadExit(nanos, cpu, tid);
            case THREAD -> {
                long pid = number(of, begin, PID);
                yield pid < 0 ? null : new TraceEvent.ThreadName(nanos, cpu, tid, pid, text(of, begin, NAME, names));
            }
        };
        if (event == null) {
            return Optional.empty();
        }
        int list = event instanceof TraceEvent.CallExit exit ? exit.causes().size() * causeBytes : 0;
        in.position(in.position() + bytes + list);
        return Optional.of(event);
    }

    private TraceEvent entry(byte[] of, int begin, long nanos, int cpu, long tid) {
        long function = number(of, begin, FUNCTION);
        long depth = number(of, begin, DEPTH);
        return (function | depth) < 0 ? null : new TraceEvent.CallEntry(nanos, cpu, tid, function, depth);
    }

    private TraceEvent exit(ByteBuffer in, byte[] of, int begin, long nanos, int cpu, long tid) {
        long function = number(of, begin, FUNCTION);
        long depth = number(of, begin, DEPTH);
        long from = number(of, begin, BEGIN);
        long wall = number(of, begin, WALL);
        long onCpu = number(of, begin, ON_CPU);
        long count = number(of, begin, CAUSES_LENGTH);
        if ((function | depth | from | wall | onCpu | count) < 0 || count > (in.remaining() - bytes) / causeBytes) {
            return null;
        }
        // Most calls have no cause, or one.
        List<CauseTime> causes = List.of();
        for (int i = 0; i < count; i++) {
            int its = begin + bytes + i * causeBytes;
            long time = number(of, its, causePart(EventField.NANOS));
            long value = number(of, its, causePart(EventField.CAUSE));
            if ((time | value) < 0) {
                return null;
            }
            CauseTime cause = new CauseTime(cause(value), time);
            if (count == 1) {
                causes = List.of(cause);
            } else {
                causes = i == 0 ? new ArrayList<>((int) count) : causes;
                causes.add(cause);
            }
        }
        return new TraceEvent.CallExit(nanos, cpu, tid, function, depth, from, wall, onCpu, causes);
    }

    private int causePart(EventField part) {
        return part == EventField.CAUSE ? fields : fields + 1;
    }

    /** Less than 0 where it is signed, or can't be. */
    private long number(byte[] of, int begin, int field) {
        IntegerType type = numbers[field];
        int from = begin + at[field];
        return switch (type.size()) {
            case Integer.BYTES -> type.signed() ? (int) INT.get(of, from) : (int) INT.get(of, from) & 0xffff_ffffL;
            case Long.BYTES -> (long) LONG.get(of, from);
            case Short.BYTES -> type.signed() ? (short) SHORT.get(of, from) : (short) SHORT.get(of, from) & 0xffffL;
            default -> type.signed() ? of[from] : of[from] & 0xffL;
        };
    }

    private Cause cause(long value) {
        if (value < 0 || value >= FEW) {
            return labels.cause(value);
        }
        Cause known = few[(int) value];
        if (known == null) {
            known = labels.cause(value);
            few[(int) value] = known;
        }
        return known;
    }

    private String text(byte[] of, int begin, int field, NameCache names) {
        return names.of(of, begin + at[field], textBytes[field]);
    }
}
