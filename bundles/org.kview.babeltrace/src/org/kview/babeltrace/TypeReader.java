// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads the types of fields. A trace that describes more of them than any real one has is refused. */
final class TypeReader {
    private static final int MOST_DEPTH = 64;
    private static final int MOST_PARTS = 2_000_000;

    private static final long BOOL = 1, BIT_ARRAY = 1 << 1, UNSIGNED = 1 << 3 | 1 << 2, SIGNED = 1 << 4 | 1 << 2, ENUMERATION = 1 << 5,
            SINGLE = 1 << 7, REAL = 1 << 6, STRING = 1 << 9, STRUCTURE = 1 << 10, ARRAY = 1 << 11, STATIC_ARRAY = 1 << 12 | ARRAY,
            OPTION = 1 << 16, VARIANT = 1 << 23, BLOB = 1L << 29, STATIC_BLOB = 1L << 30 | BLOB;

    private int parts;

    /** @param type a class of fields of the library's, or 0 for none: then a structure without members */
    FieldType read(long type) throws Throwable {
        return type == 0 ? new FieldType.Structure(List.of()) : read(type, 0);
    }

    private FieldType read(long type, int depth) throws Throwable {
        if (depth > MOST_DEPTH) {
            throw new BabeltraceException("The trace describes fields within fields, more than " + MOST_DEPTH + " deep");
        }
        count(1);
        long kind = (long) NativeTypes.TYPE.invokeExact(type);
        if (is(kind, UNSIGNED) || is(kind, SIGNED)) {
            int bits = (int) (long) NativeTypes.TYPE_RANGE.invokeExact(type);
            int base = (int) NativeTypes.TYPE_BASE.invokeExact(type);
            List<FieldType.Label> labels = is(kind, ENUMERATION) ? labels(type, is(kind, SIGNED)) : List.of();
            return is(kind, SIGNED) ? new FieldType.Signed(bits, base, labels) : new FieldType.Unsigned(bits, base, labels);
        } else if (is(kind, BOOL)) {
            return new FieldType.Bool();
        } else if (is(kind, BIT_ARRAY)) {
            return new FieldType.Bits((long) NativeTypes.TYPE_BITS.invokeExact(type));
        } else if (is(kind, REAL)) {
            return new FieldType.Real(is(kind, SINGLE) ? Float.SIZE : Double.SIZE);
        } else if (is(kind, STRING)) {
            return new FieldType.Text();
        } else if (is(kind, STRUCTURE)) {
            return new FieldType.Structure(parts(Parts.MEMBERS, type, depth));
        } else if (is(kind, ARRAY)) {
            return new FieldType.Array(read((long) NativeTypes.ARRAY_ELEMENT.invokeExact(type), depth + 1), is(kind, STATIC_ARRAY)
                    ? OptionalLong.of((long) NativeTypes.ARRAY_LENGTH.invokeExact(type)) : OptionalLong.empty());
        } else if (is(kind, BLOB)) {
            return new FieldType.Blob(is(kind, STATIC_BLOB) ? OptionalLong.of((long) NativeTypes.BLOB_LENGTH.invokeExact(type))
                    : OptionalLong.empty());
        } else if (is(kind, OPTION)) {
            return new FieldType.Option(read((long) NativeTypes.OPTION_TYPE.invokeExact(type), depth + 1));
        } else if (is(kind, VARIANT)) {
            return new FieldType.Variant(parts(Parts.CHOICES, type, depth));
        }
        return new FieldType.Unknown(kind);
    }

    private static boolean is(long kind, long other) {
        return (kind & other) == other;
    }

    private void count(long more) throws BabeltraceException {
        if (more > MOST_PARTS - parts) {
            throw new BabeltraceException("The trace describes more fields and names of values than " + MOST_PARTS);
        }
        parts += (int) more;
    }

    /**
     * What gives the parts of a type, which all have a name and a type.
     *
     * @param count of a type's parts
     * @param at    a part, by type and index
     * @param name  of a part
     * @param type  of a part
     */
    private record Parts(MethodHandle count, MethodHandle at, MethodHandle name, MethodHandle type) {
        static final Parts MEMBERS = new Parts(NativeTypes.MEMBERS, NativeTypes.MEMBER, NativeTypes.MEMBER_NAME, NativeTypes.MEMBER_TYPE);
        static final Parts CHOICES = new Parts(NativeTypes.CHOICES, NativeTypes.CHOICE, NativeTypes.CHOICE_NAME, NativeTypes.CHOICE_TYPE);
    }

    private List<FieldType.Member> parts(Parts of, long type, int depth) throws Throwable {
        List<FieldType.Member> members = new ArrayList<>();
        long count = (long) of.count.invokeExact(type);
        for (long i = 0; i < count; i++) {
            long part = (long) of.at.invokeExact(type, i);
            members.add(new FieldType.Member(Native.text((long) of.name.invokeExact(part)),
                    read((long) of.type.invokeExact(part), depth + 1)));
        }
        return members;
    }

    private List<FieldType.Label> labels(long type, boolean signed) throws Throwable {
        List<FieldType.Label> labels = new ArrayList<>();
        long count = (long) NativeTypes.TYPE_MAPPINGS.invokeExact(type);
        for (long i = 0; i < count; i++) {
            long mapping = signed ? (long) NativeTypes.SIGNED_MAPPING.invokeExact(type, i)
                    : (long) NativeTypes.UNSIGNED_MAPPING.invokeExact(type, i);
            String text = Native.text((long) NativeTypes.MAPPING_LABEL.invokeExact(mapping));
            long ranges = signed ? (long) NativeTypes.SIGNED_RANGES.invokeExact(mapping)
                    : (long) NativeTypes.UNSIGNED_RANGES.invokeExact(mapping);
            long rangeCount = (long) NativeTypes.RANGE_COUNT.invokeExact(ranges);
            count(rangeCount);
            for (long r = 0; r < rangeCount; r++) {
                labels.add(signed ? signed(text, (long) NativeTypes.SIGNED_RANGE.invokeExact(ranges, r))
                        : unsigned(text, (long) NativeTypes.UNSIGNED_RANGE.invokeExact(ranges, r)));
            }
        }
        return labels;
    }

    private static FieldType.Label signed(String text, long range) throws Throwable {
        return new FieldType.Label(text, (long) NativeTypes.SIGNED_LOWER.invokeExact(range),
                (long) NativeTypes.SIGNED_UPPER.invokeExact(range));
    }

    private static FieldType.Label unsigned(String text, long range) throws Throwable {
        return new FieldType.Label(text, (long) NativeTypes.UNSIGNED_LOWER.invokeExact(range),
                (long) NativeTypes.UNSIGNED_UPPER.invokeExact(range));
    }
}
