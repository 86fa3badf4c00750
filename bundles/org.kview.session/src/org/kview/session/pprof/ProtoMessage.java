// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

import org.kview.session.files.Varints;

/**
 * A message in the wire format of Protocol Buffers. A profile needs only three kinds of fields, so they are written here,
 * and reading sessions needs no library for it. As usual in that format, a field that is 0 or empty is left out.
 */
final class ProtoMessage {
    private static final int VARINT = 0;
    private static final int LENGTH_DELIMITED = 2;
    private static final int TYPE_BITS = 3;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    /** A number, also one that is negative or unsigned. */
    ProtoMessage number(int field, long value) {
        if (value != 0) {
            tag(field, VARINT);
            varint(value);
        }
        return this;
    }

    ProtoMessage flag(int field, boolean value) {
        return number(field, value ? 1 : 0);
    }

    /** Several numbers, packed. */
    ProtoMessage numbers(int field, long... values) {
        ProtoMessage packed = new ProtoMessage();
        for (long value : values) {
            packed.varint(value);
        }
        return values.length == 0 ? this : message(field, packed);
    }

    /** A message within this one; written even if it is empty. */
    ProtoMessage message(int field, ProtoMessage value) {
        return delimited(field, value.bytes.toByteArray());
    }

    /** A text of a repeated field; written even if it is empty. */
    ProtoMessage text(int field, String value) {
        return delimited(field, value.getBytes(StandardCharsets.UTF_8));
    }

    private ProtoMessage delimited(int field, byte[] value) {
        tag(field, LENGTH_DELIMITED);
        varint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void tag(int field, int type) {
        varint((long) field << TYPE_BITS | type);
    }

    private void varint(long value) {
        Varints.write(value, bytes);
    }

    /** Writes its fields, behind which others may follow. */
    void writeTo(OutputStream out) throws IOException {
        bytes.writeTo(out);
    }
}
