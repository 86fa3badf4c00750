// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

import org.kview.ctf.TraceEvent.Cause;

/** The type of a field, as the metadata describes it. All types are of whole bytes, little-endian, and not aligned. */
sealed interface FieldType {
    /** The length of a type whose values differ in length. */
    long VARIABLE = -1;
    /** More than any event is long. */
    long MOST_BYTES = 1L << 40;

    /** How long it is; {@link #VARIABLE} where that depends on what is read, which is then at least one byte. */
    long bytes();

    /** How many types stand within each other. */
    int depth();

    /**
     * An integer.
     *
     * @param isText whether it is a character of UTF-8
     */
    record IntegerType(int size, boolean signed, boolean isText) implements FieldType {
        @Override
        public long bytes() {
            return size;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** Values with labels. A range is stored under its first value; the entry has its label and its last value. */
    record EnumType(IntegerType container, NavigableMap<Long, Range> ranges) implements FieldType {
        /** @param cause what the label says, where it is one */
        record Range(long last, String label, Cause cause) {
            Range(long last, String label) {
                this(last, label, new Cause(label));
            }
        }

        public EnumType {
            ranges = new TreeMap<>(ranges);
        }

        @Override
        public long bytes() {
            return container.size();
        }

        @Override
        public int depth() {
            return 1;
        }

        private Optional<Range> range(long value) {
            return Optional.ofNullable(ranges.floorEntry(value)).map(Map.Entry::getValue).filter(range -> range.last() >= value);
        }

        Optional<String> label(long value) {
            return range(value).map(Range::label);
        }

        Cause cause(long value) {
            return range(value).map(Range::cause).orElseGet(() -> new Cause("cause " + value));
        }
    }

    /** Bytes up to a NUL, and that. */
    record TextType() implements FieldType {
        @Override
        public long bytes() {
            return VARIABLE;
        }

        @Override
        public int depth() {
            return 1;
        }
    }

    /** A type that is only skipped, such as a floating-point number. */
    record OpaqueType(long bytes) implements FieldType {
        @Override
        public int depth() {
            return 1;
        }
    }

    /** A number of elements that the metadata says. */
    record ArrayType(FieldType element, long length) implements FieldType {
        @Override
        public long bytes() {
            if (length == 0 || element.bytes() == 0) {
                return 0;
            }
            return element.bytes() == VARIABLE ? VARIABLE
                    : length > MOST_BYTES / element.bytes() ? MOST_BYTES : length * element.bytes();
        }

        @Override
        public int depth() {
            return 1 + element.depth();
        }
    }

    /** A number of elements that a field before it says, in the same structure. */
    record SequenceType(FieldType element, int lengthField) implements FieldType {
        @Override
        public long bytes() {
            return VARIABLE;
        }

        @Override
        public int depth() {
            return 1 + element.depth();
        }
    }

    /**
     * Fields that follow each other.
     *
     * @param hasLengths whether a field of it says how long another one is
     * @param bytes      of all of them
     */
    record StructType(List<Field> fields, boolean hasLengths, long bytes, int depth) implements FieldType {
        static StructType of(List<Field> fields) {
            long bytes = 0;
            int depth = 0;
            boolean hasLengths = false;
            for (Field field : fields) {
                long more = field.type().bytes();
                bytes = bytes == VARIABLE || more == VARIABLE ? VARIABLE : Math.min(MOST_BYTES, bytes + more);
                depth = Math.max(depth, field.type().depth());
                hasLengths |= field.type() instanceof SequenceType;
            }
            return new StructType(List.copyOf(fields), hasLengths, bytes, 1 + depth);
        }

        Optional<Field> field(String name) {
            return fields.stream().filter(field -> field.name().equals(name)).findFirst();
        }
    }

    /**
     * A field.
     *
     * @param known what it is, if this version knows it
     */
    record Field(String name, FieldType type, Optional<EventField> known) {
    }
}
