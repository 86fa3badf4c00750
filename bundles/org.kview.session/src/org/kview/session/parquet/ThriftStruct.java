// SPDX-License-Identifier: EPL-2.0
package org.kview.session.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

import org.kview.session.files.Varints;

/**
 * A struct in Thrift's compact protocol, by which Parquet describes its pages and files. Each field is a byte with its type and
 * how much larger its number is than that of the field before, and its value. So they must be added in the order of their numbers.
 */
final class ThriftStruct {
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int I32 = 5;
    private static final int I64 = 6;
    private static final int BINARY = 8;
    private static final int LIST = 9;
    private static final int STRUCT = 12;
    private static final int MOST_DELTA = 15;
    private static final int SHORT_LIST = 15;
    private static final int HALF = 4;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private int last;

    ThriftStruct flag(int field, boolean value) {
        begin(field, value ? TRUE : FALSE);
        return this;
    }

    ThriftStruct i32(int field, int value) {
        begin(field, I32);
        signed(value);
        return this;
    }

    ThriftStruct i64(int field, long value) {
        begin(field, I64);
        signed(value);
        return this;
    }

    ThriftStruct binary(int field, byte[] value) {
        begin(field, BINARY);
        delimited(value);
        return this;
    }

    ThriftStruct text(int field, String value) {
        return binary(field, value.getBytes(StandardCharsets.UTF_8));
    }

    ThriftStruct struct(int field, ThriftStruct value) {
        begin(field, STRUCT);
        bytes.writeBytes(value.bytes());
        return this;
    }

    ThriftStruct structs(int field, List<ThriftStruct> values) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        values.forEach(value -> all.writeBytes(value.bytes()));
        return structs(field, values.size(), all.toByteArray());
    }

    /** @param all the {@link #bytes()} of so many structs */
    ThriftStruct structs(int field, int count, byte[] all) {
        list(field, STRUCT, count);
        bytes.writeBytes(all);
        return this;
    }

    ThriftStruct i32s(int field, int... values) {
        list(field, I32, values.length);
        for (int value : values) {
            signed(value);
        }
        return this;
    }

    ThriftStruct texts(int field, List<String> values) {
        list(field, BINARY, values.size());
        values.forEach(value -> delimited(value.getBytes(StandardCharsets.UTF_8)));
        return this;
    }

    /** All of it, with its end. */
    byte[] bytes() {
        byte[] fields = bytes.toByteArray();
        // The end is a 0.
        return Arrays.copyOf(fields, fields.length + 1);
    }

    private void begin(int field, int type) {
        int delta = field - last;
        if (delta < 1 || delta > MOST_DELTA) {
            throw new IllegalArgumentException("Field " + field + " can't follow field " + last);
        }
        bytes.write(delta << HALF | type);
        last = field;
    }

    private void list(int field, int type, int count) {
        begin(field, LIST);
        bytes.write(Math.min(count, SHORT_LIST) << HALF | type);
        if (count >= SHORT_LIST) {
            varint(count);
        }
    }

    private void delimited(byte[] value) {
        varint(value.length);
        bytes.writeBytes(value);
    }

    /** Numbers near 0 are short, also those below. */
    private void signed(long value) {
        varint(value << 1 ^ value >> Long.SIZE - 1);
    }

    private void varint(long value) {
        Varints.write(value, bytes);
    }
}
