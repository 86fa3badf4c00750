// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

import org.kview.wire.proto.FromAgent;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

/** Spoils what an agent says: whole messages, values within them, and the bytes. The same for the same seed. */
final class Mutator {
    static final List<String> HOSTILE_TEXTS = List.of("", "../../../etc/passwd", "/etc/passwd", "a/b", "..", "\u001b[2J\u001b]0;x\u0007",
            "a\u0000b", "\n\r\t", "\u202e\u2066evil", "<script>alert(1)</script>", "=HYPERLINK(\"x\")", "x".repeat(100_000),
            "%n%s%x", "con.kview", "\ufffe\uffff");
    private static final long[] NUMBERS = {0, 1, -1, 15, 16, 639, 640, 641, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 32,
            Long.MAX_VALUE, Long.MIN_VALUE, 1L << 43};
    private static final int[] LENGTHS = {0, -1, 1, 3, 15 << 20, 16 << 20, (16 << 20) + 1, Integer.MAX_VALUE, Integer.MIN_VALUE};
    private static final int MOST_MESSAGES = 200;

    private final Random random;

    Mutator(long seed) {
        random = new Random(seed);
    }

    /** What is said after each request, as bytes on the wire. */
    List<byte[]> mutate(List<List<FromAgent>> honest) {
        List<List<FromAgent>> said = new ArrayList<>();
        honest.forEach(messages -> said.add(new ArrayList<>(messages)));
        int changes = 1 + random.nextInt(4);
        boolean bytes = random.nextInt(3) == 0;
        for (int i = 0; i < changes && !bytes; i++) {
            if (random.nextInt(4) == 0) {
                reorder(said);
            } else {
                spoilOne(said);
            }
        }
        List<byte[]> wire = new ArrayList<>();
        said.forEach(messages -> wire.add(frames(messages)));
        for (int i = 0; i < changes && bytes; i++) {
            int at = random.nextInt(3) == 0 ? random.nextInt(wire.size()) : wire.size() - 1;
            wire.set(at, spoil(wire.get(at)));
        }
        return wire;
    }

    /** As an honest agent says it. */
    static List<byte[]> unchanged(List<List<FromAgent>> honest) {
        return honest.stream().map(Mutator::frames).toList();
    }

    private <T> T pick(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** Each message as likely as any other, so most often one of the recording itself. */
    private void spoilOne(List<List<FromAgent>> said) {
        int all = said.stream().mapToInt(List::size).sum();
        int which = all == 0 ? 0 : random.nextInt(all);
        for (List<FromAgent> messages : said) {
            if (which < messages.size()) {
                messages.set(which, (FromAgent) spoil(messages.get(which)));
                return;
            }
            which -= messages.size();
        }
    }

    private void reorder(List<List<FromAgent>> said) {
        List<FromAgent> from = pick(said);
        if (from.isEmpty()) {
            return;
        }
        FromAgent message = pick(from);
        switch (random.nextInt(4)) {
            case 0 -> from.remove(message);
            case 1 -> pick(said).add(message);
            case 2 -> Collections.shuffle(from, random);
            default -> from.addAll(Collections.nCopies(random.nextInt(MOST_MESSAGES), message));
        }
    }

    /** Changes one value, at any depth. */
    private Message spoil(Message message) {
        Message.Builder builder = message.toBuilder();
        List<FieldDescriptor> set = List.copyOf(message.getAllFields().keySet());
        List<FieldDescriptor> all = message.getDescriptorForType().getFields();
        if (all.isEmpty()) {
            return message;
        }
        FieldDescriptor field = set.isEmpty() || random.nextInt(8) == 0 ? pick(all) : pick(set);
        if (field.isRepeated()) {
            int count = message.getRepeatedFieldCount(field);
            int at = count == 0 ? 0 : random.nextInt(count);
            if (count > 0 && random.nextInt(3) > 0) {
                builder.setRepeatedField(field, at, spoil(field, message.getRepeatedField(field, at), builder));
            } else if (count > 0 && random.nextBoolean()) {
                for (int i = random.nextInt(MOST_MESSAGES); i > 0; i--) {
                    builder.addRepeatedField(field, message.getRepeatedField(field, at));
                }
            } else {
                builder.clearField(field);
            }
        } else {
            builder.setField(field, spoil(field, message.getField(field), builder));
        }
        return builder.build();
    }

    private Object spoil(FieldDescriptor field, Object value, Message.Builder in) {
        return switch (field.getJavaType()) {
            case INT -> (int) NUMBERS[random.nextInt(NUMBERS.length)];
            case LONG -> NUMBERS[random.nextInt(NUMBERS.length)];
            case STRING -> pick(HOSTILE_TEXTS);
            case BOOLEAN -> !(Boolean) value;
            case BYTE_STRING -> ByteString.copyFrom(spoil(((ByteString) value).toByteArray()));
            case ENUM -> {
                List<EnumValueDescriptor> values = field.getEnumType().getValues();
                yield random.nextInt(4) == 0 ? field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(1000))
                        : pick(values);
            }
            case MESSAGE -> spoil(value instanceof Message m ? m : in.newBuilderForField(field).build());
            case FLOAT, DOUBLE -> value;
        };
    }

    private byte[] spoil(byte[] bytes) {
        if (bytes.length == 0) {
            return bytes;
        }
        byte[] changed = bytes.clone();
        int at = random.nextInt(bytes.length);
        int end = at + random.nextInt(Math.min(64, bytes.length - at) + 1);
        switch (random.nextInt(6)) {
            case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> changed[at] = (byte) random.nextInt();
            case 2 -> changed = Arrays.copyOf(bytes, at);
            case 3 -> changed = joined(Arrays.copyOf(bytes, at), Arrays.copyOfRange(bytes, end, bytes.length));
            case 4 -> changed = joined(Arrays.copyOf(bytes, end), Arrays.copyOfRange(bytes, at, bytes.length));
            default -> {
                if (bytes.length >= Integer.BYTES) {
                    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN)
                            .putInt(random.nextInt(3) > 0 ? 0 : Math.min(at, bytes.length - Integer.BYTES),
                                    LENGTHS[random.nextInt(LENGTHS.length)]);
                }
            }
        }
        return changed;
    }

    private static byte[] joined(byte[] one, byte[] other) {
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    private static byte[] frames(List<FromAgent> messages) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            for (FromAgent message : messages) {
                out.writeFixed32NoTag(message.getSerializedSize());
                message.writeTo(out);
            }
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
