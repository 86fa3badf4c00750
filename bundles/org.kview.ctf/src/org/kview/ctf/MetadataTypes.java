// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

import org.kview.ctf.FieldType.ArrayType;
import org.kview.ctf.FieldType.EnumType;
import org.kview.ctf.FieldType.Field;
import org.kview.ctf.FieldType.IntegerType;
import org.kview.ctf.FieldType.OpaqueType;
import org.kview.ctf.FieldType.SequenceType;
import org.kview.ctf.FieldType.StructType;
import org.kview.ctf.FieldType.TextType;

/** The types that a metadata text describes and names. */
final class MetadataTypes {
    private static final int MOST_DEPTH = 16;
    /** Our metadata has about a hundred names, and one more for each function. */
    private static final int MOST_NAMES = 500_000;
    /**
     * A sequence without elements takes no byte, as its length is a field that others may use as well. This limit keeps the
     * steps for an event proportional to its bytes.
     */
    private static final int MOST_SEQUENCES = 64;

    private final MetadataTokens in;
    private final Map<String, FieldType> aliases = new HashMap<>();
    private int names;

    MetadataTypes(MetadataTokens in) {
        this.in = in;
    }

    /** {@code typealias TYPE := NAME;} without its first word. */
    void alias() throws CtfException {
        FieldType type = type(1);
        in.expect(":=");
        count();
        String name = in.name();
        if (aliases.putIfAbsent(name, type) != null) {
            throw in.wrong("a second type is named '" + name + "'");
        }
        in.expect(";");
    }

    /** How many names of fields, labels and types were read: what takes memory. */
    void count() throws CtfException {
        if (++names > MOST_NAMES) {
            throw in.wrong("it names more than any trace has");
        }
    }

    StructType struct() throws CtfException {
        if (type(1) instanceof StructType struct) {
            return struct;
        }
        throw in.wrong("a structure is expected");
    }

    private FieldType type(int depth) throws CtfException {
        if (depth > MOST_DEPTH) {
            throw in.wrong("types stand within each other too deeply");
        }
        String name = in.name();
        return switch (name) {
            case "integer" -> integer(attributes());
            case "floating_point" -> floatingPoint(attributes());
            case "string" -> {
                if (in.is("{")) {
                    attributes();
                }
                yield new TextType();
            }
            case "enum" -> enumeration(depth);
            case "struct" -> struct(depth);
            default -> {
                FieldType type = aliases.get(name);
                if (type == null) {
                    throw in.wrong("this version knows no type '" + name + "'");
                }
                yield type;
            }
        };
    }

    private Map<String, String> attributes() throws CtfException {
        Map<String, String> attributes = new HashMap<>();
        in.expect("{");
        while (!in.accept("}")) {
            count();
            String name = in.name();
            in.expect("=");
            attributes.put(name, in.value());
            in.expect(";");
        }
        return attributes;
    }

    private IntegerType integer(Map<String, String> attributes) throws CtfException {
        long bits = in.number(attributes.getOrDefault("size", "0"));
        boolean signed = Set.of("true", "1").contains(attributes.getOrDefault("signed", "false"));
        boolean isText = !Set.of("none").contains(attributes.getOrDefault("encoding", "none"));
        if (bits != Byte.SIZE && bits != Short.SIZE && bits != Integer.SIZE && bits != Long.SIZE) {
            throw in.wrong("this version reads integers of 8, 16, 32 and 64 bits only");
        }
        isPacked(attributes);
        return new IntegerType((int) bits / Byte.SIZE, signed, isText && bits == Byte.SIZE && !signed);
    }

    private FieldType floatingPoint(Map<String, String> attributes) throws CtfException {
        long bits = in.number(attributes.getOrDefault("exp_dig", "0")) + in.number(attributes.getOrDefault("mant_dig", "0"));
        if (bits != Integer.SIZE && bits != Long.SIZE) {
            throw in.wrong("this version reads floating-point numbers of 32 and 64 bits only");
        }
        isPacked(attributes);
        return new OpaqueType(bits / Byte.SIZE);
    }

    private void isPacked(Map<String, String> attributes) throws CtfException {
        long align = in.number(attributes.getOrDefault("align", "8"));
        if (align != 1 && align != Byte.SIZE) {
            throw in.wrong("this version reads no fields that are aligned to more than a byte");
        }
        if (!Set.of("le", "native").contains(attributes.getOrDefault("byte_order", "native"))) {
            throw in.wrong("this version reads little-endian numbers only");
        }
    }

    private EnumType enumeration(int depth) throws CtfException {
        in.expect(":");
        if (!(type(depth + 1) instanceof IntegerType container)) {
            throw in.wrong("an enumeration is of integers");
        }
        NavigableMap<Long, EnumType.Range> ranges = new TreeMap<>();
        in.expect("{");
        long next = 0;
        while (!in.accept("}")) {
            count();
            String label = in.label();
            long first = in.accept("=") ? in.number() : next;
            long last = in.accept("...") ? in.number() : first;
            ranges.putIfAbsent(first, new EnumType.Range(last, label));
            next = last + 1;
            if (!in.is("}")) {
                in.expect(",");
            }
        }
        return new EnumType(container, ranges);
    }

    private StructType struct(int depth) throws CtfException {
        List<Field> fields = new ArrayList<>();
        Set<String> known = new HashSet<>();
        Map<String, Integer> numbers = new HashMap<>();
        int sequences = 0;
        in.expect("{");
        while (!in.accept("}")) {
            count();
            FieldType type = type(depth + 1);
            String name = in.name();
            if (!known.add(name)) {
                throw in.wrong("there are two fields '" + name + "'");
            }
            while (in.accept("[")) {
                if (type instanceof SequenceType) {
                    // An array may have any number of elements, and a sequence without elements takes no bytes of its own.
                    // So the loop over such an array would not be limited by the packet's length.
                    throw in.wrong("this version reads no arrays of sequences");
                }
                type = in.isNumber() ? array(type, in.number()) : new SequenceType(type, length(numbers, in.name()));
                sequences += type instanceof SequenceType ? 1 : 0;
                in.expect("]");
                if (type.depth() > MOST_DEPTH) {
                    throw in.wrong("types stand within each other too deeply");
                }
            }
            in.expect(";");
            if (sequences > MOST_SEQUENCES) {
                throw in.wrong("a structure has more sequences than any");
            }
            if (type instanceof IntegerType) {
                numbers.put(name, fields.size());
            }
            // A type without bytes is left out: there could be any number of such fields, and skipping them would take
            // time.
            if (type.bytes() != 0) {
                fields.add(new Field(name, type, EventField.of(name)));
            }
        }
        StructType struct = StructType.of(fields);
        if (struct.depth() > MOST_DEPTH) {
            throw in.wrong("types stand within each other too deeply");
        }
        return struct;
    }

    private ArrayType array(FieldType element, long length) throws CtfException {
        if (length < 0) {
            throw in.wrong("an array has fewer than no elements");
        }
        return new ArrayType(element, length);
    }

    private int length(Map<String, Integer> numbers, String name) throws CtfException {
        Integer field = numbers.get(name);
        if (field == null) {
            throw in.wrong("no number '" + name + "' stands before the sequence that has its length");
        }
        return field;
    }
}
