// SPDX-License-Identifier: EPL-2.0
package org.kview.trace.babeltrace;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import org.kview.babeltrace.Field;
import org.kview.babeltrace.FieldType;

/** Writes the fields of events: of each event no more than a person can look at. Runs in the process that reads the trace. */
final class FieldWriter {
    static final int MOST_TEXT_BYTES = 4096;
    static final int MOST_ELEMENTS = 1000;
    private static final int MOST_VALUES = 10_000;
    private static final int MOST_EVENT_BYTES = 1 << 20;
    private static final int MOST_DEPTH = 16;
    private static final int HEXADECIMAL = 16;
    /** Before what is said beside the payload, as Trace Compass has it for its own CTF traces. */
    private static final String CONTEXT = "context.";
    /** In place of what is left out. */
    private static final String CUT = "…";

    private final ByteArrayOutputStream event;
    private final DataOutputStream out;
    private final Names names;
    private int values;

    /** @param event where the event is written to */
    FieldWriter(ByteArrayOutputStream event, Names names) {
        this.event = event;
        this.names = names;
        out = new DataOutputStream(event);
    }

    private record Named(String name, Field field) {
    }

    /** One structure of the members of all of these. */
    void write(Field payload, List<Field> contexts) throws IOException {
        values = 0;
        List<Named> members = new ArrayList<>();
        int all = add(members, "", payload);
        for (Field context : contexts) {
            all += add(members, CONTEXT, context);
        }
        beginMembers(members.size(), all);
        for (Named member : members) {
            out.writeInt(names.number(member.name()));
            value(member.field(), 1);
        }
        endMembers(members.size(), all);
    }

    private void beginMembers(int written, int all) throws IOException {
        out.writeShort(written < all ? written + 1 : written);
    }

    /** What is left out leaves a member that says so. */
    private void endMembers(int written, int all) throws IOException {
        if (written < all) {
            out.writeInt(names.number(CUT));
            text(all - written + " more");
        }
    }

    /** @return how many it has */
    private static int add(List<Named> members, String prefix, Field field) {
        if (!(field.type() instanceof FieldType.Structure type)) {
            return 0;
        }
        for (int i = 0; i < type.members().size() && members.size() < MOST_ELEMENTS; i++) {
            members.add(new Named(prefix + type.members().get(i).name(), field.member(i)));
        }
        return type.members().size();
    }

    private void type(ValueType type) throws IOException {
        out.writeByte(type.ordinal());
    }

    private void number(ValueType type, long number) throws IOException {
        type(type);
        out.writeLong(number);
    }

    private void value(Field field, int depth) throws IOException {
        if (values++ >= MOST_VALUES || depth > MOST_DEPTH || event.size() > MOST_EVENT_BYTES) {
            type(ValueType.CUT);
            return;
        }
        switch (field.type()) {
            case FieldType.Bool _ -> number(ValueType.UNSIGNED, field.bool() ? 1 : 0);
            case FieldType.Bits _ -> number(ValueType.ADDRESS, field.bits());
            case FieldType.Unsigned type -> integer(field.unsigned(), type.labels().isEmpty() ? "" : type.label(field.unsigned()).orElse(""),
                    type.base() == HEXADECIMAL ? ValueType.ADDRESS : ValueType.UNSIGNED);
            case FieldType.Signed type -> integer(field.signed(), type.labels().isEmpty() ? "" : type.label(field.signed()).orElse(""),
                    type.base() == HEXADECIMAL ? ValueType.ADDRESS : ValueType.SIGNED);
            case FieldType.Real _ -> {
                type(ValueType.REAL);
                out.writeDouble(field.real());
            }
            case FieldType.Text _ -> text(field.text(MOST_TEXT_BYTES) + (field.bytes() > MOST_TEXT_BYTES ? CUT : ""));
            case FieldType.Blob _ -> text(HexFormat.ofDelimiter(" ").formatHex(field.blob(MOST_ELEMENTS))
                    + (field.bytes() > MOST_ELEMENTS ? " " + CUT : ""));
            case FieldType.Structure type -> structure(field, type, depth);
            case FieldType.Array _ -> array(field, depth);
            case FieldType.Option _ -> {
                if (field.content().isPresent()) {
                    value(field.content().get(), depth + 1);
                } else {
                    type(ValueType.ABSENT);
                }
            }
            case FieldType.Variant _ -> value(field.content().orElseThrow(), depth + 1);
            case FieldType.Unknown _ -> type(ValueType.ABSENT);
        }
    }

    private void integer(long number, String label, ValueType unlabelled) throws IOException {
        number(label.isEmpty() ? unlabelled : ValueType.LABELLED, number);
        if (!label.isEmpty()) {
            out.writeInt(names.number(label));
        }
    }

    private void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        type(ValueType.TEXT);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private void structure(Field field, FieldType.Structure type, int depth) throws IOException {
        int count = Math.min(type.members().size(), MOST_ELEMENTS);
        type(ValueType.STRUCTURE);
        beginMembers(count, type.members().size());
        for (int i = 0; i < count; i++) {
            out.writeInt(names.number(type.members().get(i).name()));
            value(field.member(i), depth + 1);
        }
        endMembers(count, type.members().size());
    }

    private void array(Field field, int depth) throws IOException {
        long length = field.length();
        int shown = (int) Math.min(length, MOST_ELEMENTS);
        number(ValueType.ARRAY, length);
        out.writeShort(shown);
        for (int i = 0; i < shown; i++) {
            value(field.element(i), depth + 1);
        }
    }
}
