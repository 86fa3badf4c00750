// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What a field of an event holds. Immutable. */
public sealed interface FieldType {

    /** {@link Field#bool()}. */
    record Bool() implements FieldType {
    }

    /** Bits without a meaning of their own: {@link Field#bits()}. */
    record Bits(long length) implements FieldType {
    }

    /**
     * {@link Field#unsigned()}.
     *
     * @param bits   how many its values may need, 1 to 64
     * @param base   in which it should be shown: 2, 8, 10 or 16
     * @param labels names of some of its values; empty unless it is an enumeration
     */
    record Unsigned(int bits, int base, List<Label> labels) implements FieldType {
        public Unsigned {
            labels = List.copyOf(labels);
        }

        /** The first name of a value. */
        public Optional<String> label(long value) {
            return labels.stream().filter(l -> Long.compareUnsigned(l.least(), value) <= 0
                    && Long.compareUnsigned(value, l.most()) <= 0).map(Label::text).findFirst();
        }
    }

    /** {@link Field#signed()}; the rest as for {@link Unsigned}. */
    record Signed(int bits, int base, List<Label> labels) implements FieldType {
        public Signed {
            labels = List.copyOf(labels);
        }

        /** The first name of a value. */
        public Optional<String> label(long value) {
            return labels.stream().filter(l -> l.least() <= value && value <= l.most()).map(Label::text).findFirst();
        }
    }

    /** A name of the values from one to another; of several ranges there are as many labels of one name. */
    record Label(String text, long least, long most) {
    }

    /** {@link Field#real()}; 32 or 64 bits. */
    record Real(int bits) implements FieldType {
    }

    /** {@link Field#text(int)}. */
    record Text() implements FieldType {
    }

    /**
     * Bytes without a type: {@link Field#blob(int)}. In CTF 2 only.
     *
     * @param length present where it is the same for all events
     */
    record Blob(OptionalLong length) implements FieldType {
    }

    /** {@link Field#member(int)}. */
    record Structure(List<Member> members) implements FieldType {
        public Structure {
            members = List.copyOf(members);
        }

        /** Where the member of that name stands; -1 if there is none. */
        public int index(String name) {
            for (int i = 0; i < members.size(); i++) {
                if (members.get(i).name().equals(name)) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** A named part. */
    record Member(String name, FieldType type) {
    }

    /**
     * {@link Field#length()} and {@link Field#element(long)}.
     *
     * @param length present where it is the same for all events
     */
    record Array(FieldType element, OptionalLong length) implements FieldType {
    }

    /** {@link Field#content()}, which may be absent. */
    record Option(FieldType content) implements FieldType {
    }

    /** One of several: {@link Field#selected()} tells which, {@link Field#content()} what it holds. */
    record Variant(List<Member> choices) implements FieldType {
        public Variant {
            choices = List.copyOf(choices);
        }
    }

    /** Of a kind that only newer versions of the library know; can't be read here. */
    record Unknown(long kind) implements FieldType {
    }
}
