// SPDX-License-Identifier: EPL-2.0
package org.kview.session.pprof;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;

/**
 * A profile read as pprof reads it: by the library for Protocol Buffers, and by the field numbers of pprof's profile.proto as they
 * stand there, so that a mistake of the writer is not made here again.
 */
final class DecodedProfile {
    /** A message: the values of its fields by their numbers, which are Long or byte[]. */
    private static final class Message {
        private final Map<Integer, List<Object>> fields = new TreeMap<>();

        static Message parse(byte[] bytes) throws IOException {
            Message message = new Message();
            CodedInputStream in = CodedInputStream.newInstance(bytes);
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                List<Object> values = message.fields.computeIfAbsent(WireFormat.getTagFieldNumber(tag), _ -> new ArrayList<>());
                switch (WireFormat.getTagWireType(tag)) {
                    case WireFormat.WIRETYPE_VARINT -> values.add(in.readInt64());
                    case WireFormat.WIRETYPE_LENGTH_DELIMITED -> values.add(in.readByteArray());
                    default -> throw new IOException("a wire type that no field of a profile has: " + tag);
                }
            }
            return message;
        }

        long number(int field) {
            List<Long> all = numbers(field);
            return all.isEmpty() ? 0 : all.getLast();
        }

        List<Long> numbers(int field) {
            List<Long> numbers = new ArrayList<>();
            for (Object value : fields.getOrDefault(field, List.of())) {
                if (value instanceof Long number) {
                    numbers.add(number);
                } else {
                    numbers.addAll(unpacked((byte[]) value));
                }
            }
            return numbers;
        }

        private static List<Long> unpacked(byte[] packed) {
            List<Long> numbers = new ArrayList<>();
            try {
                CodedInputStream in = CodedInputStream.newInstance(packed);
                while (!in.isAtEnd()) {
                    numbers.add(in.readInt64());
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            return numbers;
        }

        List<byte[]> bytes(int field) {
            return fields.getOrDefault(field, List.of()).stream().map(byte[].class::cast).toList();
        }

        List<Message> messages(int field) throws IOException {
            List<Message> all = new ArrayList<>();
            for (byte[] each : bytes(field)) {
                all.add(parse(each));
            }
            return all;
        }
    }

    /**
     * A sample.
     *
     * @param stack  names of functions, the outermost first
     * @param values by the names of sample types
     */
    record Sample(List<String> stack, Map<String, Long> values, Map<String, String> labels) {
    }

    /** A function, and the file of its mapping. */
    record Function(String name, String symbol, String file) {
    }

    private final List<String> sampleTypes = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<Function> functions = new ArrayList<>();
    private final List<String> comments = new ArrayList<>();
    private final String firstFile;
    private final String defaultSampleType;
    private final long timeNanos;
    private final long durationNanos;

    private DecodedProfile(Message profile) throws IOException {
        List<String> texts = new ArrayList<>();
        for (byte[] text : profile.bytes(6)) {
            // Refuses what is no UTF-8.
            texts.add(CodedInputStream.newInstance(delimited(text)).readStringRequireUtf8());
        }
        if (!texts.getFirst().isEmpty()) {
            throw new IOException("string_table[0] must be ''");
        }
        for (Message type : profile.messages(1)) {
            sampleTypes.add(texts.get((int) type.number(1)) + "/" + texts.get((int) type.number(2)));
        }
        Map<Long, String> files = new TreeMap<>();
        for (Message mapping : profile.messages(3)) {
            unique(files.put(mapping.number(1), texts.get((int) mapping.number(5))), mapping.number(1));
        }
        firstFile = files.get(profile.messages(3).getFirst().number(1));
        Map<Long, Message> functionById = new TreeMap<>();
        for (Message function : profile.messages(5)) {
            unique(functionById.put(function.number(1), function), function.number(1));
        }
        Map<Long, Function> locations = new TreeMap<>();
        for (Message location : profile.messages(4)) {
            Message function = functionById.get(location.messages(4).getFirst().number(1));
            Function read = new Function(texts.get((int) function.number(2)), texts.get((int) function.number(3)),
                    files.get(location.number(2)));
            functions.add(read);
            unique(locations.put(location.number(1), read), location.number(1));
        }
        for (Message sample : profile.messages(2)) {
            samples.add(sample(sample, locations, texts));
        }
        profile.numbers(13).forEach(comment -> comments.add(texts.get(comment.intValue())));
        defaultSampleType = texts.get((int) profile.number(14));
        timeNanos = profile.number(9);
        durationNanos = profile.number(10);
    }

    private Sample sample(Message sample, Map<Long, Function> locations, List<String> texts) throws IOException {
        List<String> stack = new ArrayList<>();
        sample.numbers(1).forEach(id -> stack.addFirst(locations.get(id).name()));
        List<Long> values = sample.numbers(2);
        if (values.size() != sampleTypes.size()) {
            throw new IOException("a sample needs a value of each type");
        }
        Map<String, Long> byType = new TreeMap<>();
        for (int i = 0; i < values.size(); i++) {
            byType.put(sampleTypes.get(i).replaceFirst("/.*", ""), values.get(i));
        }
        Map<String, String> labels = new TreeMap<>();
        for (Message label : sample.messages(3)) {
            labels.put(texts.get((int) label.number(1)),
                    label.number(2) > 0 ? texts.get((int) label.number(2)) : Long.toString(label.number(3)));
        }
        return new Sample(stack, byType, labels);
    }

    /** Ids must be unique, and not 0. */
    private static void unique(Object before, long id) throws IOException {
        if (before != null || id == 0) {
            throw new IOException("id " + id + " is 0 or is there twice");
        }
    }

    private static byte[] delimited(byte[] text) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        CodedOutputStream coded = CodedOutputStream.newInstance(out);
        coded.writeByteArrayNoTag(text);
        coded.flush();
        return out.toByteArray();
    }

    static DecodedProfile read(Path file) throws IOException {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            return new DecodedProfile(Message.parse(in.readAllBytes()));
        }
    }

    List<String> sampleTypes() {
        return sampleTypes;
    }

    List<Sample> samples() {
        return samples;
    }

    List<Function> functions() {
        return functions;
    }

    List<String> comments() {
        return comments;
    }

    /** By which pprof calls the profile. */
    String firstFile() {
        return firstFile;
    }

    String defaultSampleType() {
        return defaultSampleType;
    }

    long timeNanos() {
        return timeNanos;
    }

    long durationNanos() {
        return durationNanos;
    }

    /** The sum over all samples. */
    long total(String type) {
        return samples.stream().mapToLong(sample -> sample.values().get(type)).sum();
    }
}
