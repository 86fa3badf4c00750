// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.util.Optional;

/**
 * A field of an event, good until the next message: after that it throws {@link IllegalStateException}. What does not fit its
 * {@link #type()} throws {@link ClassCastException}. Numbers are read without an object each.
 */
public final class Field {
    private final MessageIterator owner;
    private final long turn;
    private final long address;
    private final FieldType type;

    Field(MessageIterator owner, long address, FieldType type) {
        this.owner = owner;
        this.turn = owner.turn();
        this.address = address;
        this.type = type;
    }

    public FieldType type() {
        return type;
    }

    private <T> T as(Class<T> wanted) {
        owner.require(turn);
        return wanted.cast(type);
    }

    public boolean bool() {
        as(FieldType.Bool.class);
        try {
            return (int) Native.FIELD_BOOL.invokeExact(address) != 0;
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    public long bits() {
        as(FieldType.Bits.class);
        try {
            return (long) Native.FIELD_BITS.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** A number without a sign: values above 2^63 are negative here, see {@link Long#toUnsignedString(long)}. */
    public long unsigned() {
        as(FieldType.Unsigned.class);
        try {
            return (long) Native.FIELD_UNSIGNED.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    public long signed() {
        as(FieldType.Signed.class);
        try {
            return (long) Native.FIELD_SIGNED.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** A whole number of either kind. */
    public long number() {
        return type instanceof FieldType.Signed ? signed() : unsigned();
    }

    public double real() {
        int bits = as(FieldType.Real.class).bits();
        try {
            return bits == Float.SIZE ? (float) Native.FIELD_FLOAT.invokeExact(address)
                    : (double) Native.FIELD_DOUBLE.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** How many bytes a text or a blob has. */
    public long bytes() {
        owner.require(turn);
        try {
            return switch (type) {
                case FieldType.Text _ -> (long) Native.FIELD_TEXT_LENGTH.invokeExact(address);
                case FieldType.Blob _ -> (long) Native.FIELD_BLOB_LENGTH.invokeExact(address);
                default -> throw new ClassCastException("Neither a text nor a blob: " + type);
            };
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** The text; what is no UTF-8 is replaced. @param mostBytes what is behind so many is left out */
    public String text(int mostBytes) {
        as(FieldType.Text.class);
        try {
            long bytes = (long) Native.FIELD_TEXT_LENGTH.invokeExact(address);
            return Native.text((long) Native.FIELD_TEXT.invokeExact(address), (int) Math.min(bytes, mostBytes));
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** The bytes. @param mostBytes what is behind so many is left out */
    public byte[] blob(int mostBytes) {
        as(FieldType.Blob.class);
        try {
            long bytes = (long) Native.FIELD_BLOB_LENGTH.invokeExact(address);
            return bytes == 0 ? new byte[0] : Native.bytes((long) Native.FIELD_BLOB.invokeExact(address), (int) Math.min(bytes, mostBytes));
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** The number of an array's elements. */
    public long length() {
        as(FieldType.Array.class);
        try {
            return (long) Native.FIELD_ARRAY_LENGTH.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** One of an array's elements, from 0. */
    public Field element(long index) {
        FieldType element = as(FieldType.Array.class).element();
        if (index < 0 || index >= length()) {
            throw new IndexOutOfBoundsException("No element: " + index);
        }
        try {
            return new Field(owner, (long) Native.FIELD_ELEMENT.invokeExact(address, index), element);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** A member of a structure, by its place in {@link FieldType.Structure#members()}. */
    public Field member(int index) {
        FieldType member = as(FieldType.Structure.class).members().get(index).type();
        try {
            return new Field(owner, (long) Native.FIELD_MEMBER.invokeExact(address, (long) index), member);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** A member of a structure, by its name; empty if there is none. For many events {@link #member(int)} is faster. */
    public Optional<Field> member(String name) {
        int index = as(FieldType.Structure.class).index(name);
        return index < 0 ? Optional.empty() : Optional.of(member(index));
    }

    /** Which of {@link FieldType.Variant#choices()} is there, from 0. */
    public int selected() {
        as(FieldType.Variant.class);
        try {
            return (int) (long) Native.FIELD_SELECTED.invokeExact(address);
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }

    /** What an option holds, which may be nothing, or a variant. */
    public Optional<Field> content() {
        owner.require(turn);
        try {
            return switch (type) {
                case FieldType.Option option -> {
                    long content = (long) Native.FIELD_OPTION.invokeExact(address);
                    yield content == 0 ? Optional.empty() : Optional.of(new Field(owner, content, option.content()));
                }
                case FieldType.Variant variant -> Optional.of(new Field(owner,
                        (long) Native.FIELD_SELECTED_FIELD.invokeExact(address), variant.choices().get(selected()).type()));
                default -> throw new ClassCastException("Neither an option nor a variant: " + type);
            };
        } catch (Throwable e) {
            throw Native.broken(e);
        }
    }
}
