// SPDX-License-Identifier: EPL-2.0
package org.kview.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Writes traces of other tools, byte by byte. */
public final class ForeignTrace {
    /** What Trace Compass's reader refuses in CTF 1.8 and libbabeltrace2 reads. */
    public enum Refused {
        /** A name for the largest number. */
        LARGE_LABEL("", "enum : u64 { most = 0xffffffffffffffff, one = 1 } state;",
                List.of(out -> out.putLong(-1), out -> out.putLong(1)), List.of("state=most", "state=one")),
        /** A length that stands in another scope. */
        LENGTH_ELSEWHERE("event.context := struct { u8 length; };", "u8 bytes[stream.event.context.length];",
                List.of(out -> out.put(new byte[] {2, 7, 8}), out -> out.put(new byte[] {1, 9})),
                List.of("bytes=[7, 8], context.length=2", "bytes=[9], context.length=1")),
        /** Sequences in a sequence. */
        NESTED_LENGTHS("", "u8 rows; u8 columns; struct { u8 cell[columns]; } row[rows];",
                List.of(out -> out.put(new byte[] {2, 3, 1, 2, 3, 4, 5, 6}), out -> out.put(new byte[] {1, 1, 9})),
                List.of("rows=2, columns=3, row=[{cell=[1, 2, 3]}, {cell=[4, 5, 6]}]", "rows=1, columns=1, row=[{cell=[9]}]"));

        private final String context;
        private final String fields;
        private final List<Consumer<ByteBuffer>> events;
        private final List<String> contents;

        Refused(String context, String fields, List<Consumer<ByteBuffer>> events, List<String> contents) {
            this.context = context;
            this.fields = fields;
            this.events = events;
            this.contents = contents;
        }

        /** The fields of each event, as Trace Compass's table shows them. */
        public List<String> contents() {
            return contents;
        }

        public Path write(Path folder) throws IOException {
            return ForeignTrace.write(folder, context, fields, events);
        }
    }

    public static final long FIRST_NANOS = 1_000_000_000_005L;
    public static final long STEP_NANOS = 1000;
    public static final int CPU = 3;

    private static final long CLOCK_OFFSET_NANOS = 1_000_000_000_000L;
    private static final String METADATA = """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; } := u8;
            typealias integer { size = 32; align = 8; signed = false; } := u32;
            typealias integer { size = 64; align = 8; signed = false; } := u64;
            trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
            clock { name = "c"; freq = 1000000000; offset_s = 1000; };
            typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := time;
            stream { id = 0;
              packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size;
                u64 events_discarded; u32 cpu_id; };
              event.header := struct { u32 id; time timestamp; }; %s };
            event { name = "request"; id = 0; stream_id = 0; fields := struct { %s }; };
            """;
    private static final int FIRST_NUMBER = 11, MOST_WIDE_BYTES = 1 << 14;
    private static final int HEAD_BYTES = 8 + 5 * 8 + 4, EVENTS_PER_PACKET = 100, MOST_EVENT_BYTES = 100,
            CONTENT_SIZE_AT = 24, EVENT_BYTES = 4 + 8 + 3;

    private ForeignTrace() {
    }

    private static Path write(Path folder, String context, String fields, List<Consumer<ByteBuffer>> events) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("metadata"), METADATA.formatted(context, fields));
        ByteBuffer stream = ByteBuffer.allocate(MOST_WIDE_BYTES + (events.size() / EVENTS_PER_PACKET + 1) * HEAD_BYTES + events.size() * MOST_EVENT_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < events.size(); i += EVENTS_PER_PACKET) {
            packet(stream, i, events.subList(i, Math.min(events.size(), i + EVENTS_PER_PACKET)), 0);
        }
        Files.write(folder.resolve("stream"), Arrays.copyOf(stream.array(), stream.position()));
        return folder;
    }

    /** One that Trace Compass refuses too. */
    public static Path many(Path folder, int events) throws IOException {
        Consumer<ByteBuffer> one = out -> out.put((byte) 1).put((byte) 1).put((byte) 5);
        return write(folder, "", Refused.NESTED_LENGTHS.fields, Collections.nCopies(events, one));
    }

    /** One that Trace Compass refuses too, and that begins when it is told to. */
    public static Path spanning(Path folder, long beginNanos, long stepNanos, int events) throws IOException {
        many(folder, 0);
        ByteBuffer stream = ByteBuffer.allocate(HEAD_BYTES + events * EVENT_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        packet(stream, beginNanos - CLOCK_OFFSET_NANOS, stepNanos, Collections.nCopies(events, out -> out.put((byte) 1).put((byte) 1).put((byte) 5)),
                0);
        Files.write(folder.resolve("stream"), stream.array());
        return folder;
    }

    /** Two events, and of those between them seven are missing. */
    public static Path withLoss(Path folder) throws IOException {
        write(folder, "", Refused.NESTED_LENGTHS.fields, List.of());
        ByteBuffer stream = ByteBuffer.allocate(1000).order(ByteOrder.LITTLE_ENDIAN);
        packet(stream, 0, List.of(out -> out.put(new byte[] {0, 1})), 0);
        packet(stream, 10, List.of(out -> out.put(new byte[] {0, 2})), 7);
        Files.write(folder.resolve("stream"), Arrays.copyOf(stream.array(), stream.position()));
        return folder;
    }

    /** A trace that Trace Compass reads. */
    public static Path plain(Path folder) throws IOException {
        return plain(folder, 2);
    }

    /** So many events, each with its number from 11 on. */
    public static Path plain(Path folder, int events) throws IOException {
        withOffsetInSeconds(folder, events);
        String metadata = Files.readString(folder.resolve("metadata"));
        Files.writeString(folder.resolve("metadata"), metadata.replace("offset_s = 1000;", "offset = " + CLOCK_OFFSET_NANOS + ";"));
        return folder;
    }

    /** One that Trace Compass does not refuse, but would show 1000 s too early. */
    public static Path withOffsetInSeconds(Path folder, int events) throws IOException {
        List<Consumer<ByteBuffer>> numbers = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            int number = FIRST_NUMBER + i;
            numbers.add(out -> out.putInt(number));
        }
        return write(folder, "", "u32 size;", numbers);
    }

    /** What LTTng writes of a kernel: a thread named shop runs for a step on {@link #CPU}, then none does, then one named bank. */
    public static Path kernel(Path folder, long beginNanos, long stepNanos) throws IOException {
        write(folder, "", "char8 prev_comm[16]; s32 prev_tid; s32 prev_prio; s64 prev_state; char8 next_comm[16]; s32 next_tid; s32 next_prio;",
                List.of());
        String metadata = Files.readString(folder.resolve("metadata"));
        Files.writeString(folder.resolve("metadata"), metadata.replace("\"request\"", "\"sched_switch\"")
                .replace("offset_s = 1000;", "offset = " + CLOCK_OFFSET_NANOS + ";")
                .replace("clock {", """
                        env { hostname = "web-3"; domain = "kernel"; tracer_name = "lttng-modules"; tracer_major = 2; tracer_minor = 13; };
                        typealias integer { size = 32; align = 8; signed = true; } := s32;
                        typealias integer { size = 64; align = 8; signed = true; } := s64;
                        typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char8;
                        clock {"""));
        ByteBuffer stream = ByteBuffer.allocate(MOST_WIDE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        packet(stream, beginNanos - CLOCK_OFFSET_NANOS, stepNanos, List.of(switching("swapper/3", 0, 0, "shop", 77),
                switching("shop", 77, 1, "swapper/3", 0), switching("swapper/3", 0, 0, "bank", 78)), 0);
        Files.write(folder.resolve("stream"), Arrays.copyOf(stream.array(), stream.position()));
        return folder;
    }

    private static Consumer<ByteBuffer> switching(String from, int fromTid, long state, String to, int toTid) {
        return out -> out.put(Arrays.copyOf(from.getBytes(StandardCharsets.UTF_8), 16)).putInt(fromTid).putInt(20).putLong(state)
                .put(Arrays.copyOf(to.getBytes(StandardCharsets.UTF_8), 16)).putInt(toTid).putInt(20);
    }

    /** An event of which not all is kept: so many numbers, as many in a structure, and a text of so many bytes. Trace Compass refuses it. */
    public static Path wide(Path folder, int members, int textBytes) throws IOException {
        String numbers = IntStream.range(0, members).mapToObj(i -> "u8 f" + i + ";").collect(Collectors.joining(" "));
        return write(folder, "", Refused.LARGE_LABEL.fields + " string text; struct { " + numbers + " } inner; " + numbers,
                List.of(out -> out.putLong(1).put("x".repeat(textBytes).getBytes(StandardCharsets.UTF_8)).put((byte) 0)
                        .put(new byte[2 * members])));
    }

    /** An event that takes no bit: libbabeltrace2 tells of it for ever. Trace Compass refuses the trace. */
    public static Path endless(Path folder) throws IOException {
        write(folder, "", "", List.of());
        String metadata = Files.readString(folder.resolve("metadata"));
        Files.writeString(folder.resolve("metadata"), metadata.replace("event.header := struct { u32 id; time timestamp; };", "") + """
                stream { id = 1; event.header := struct { u32 id; }; };
                event { name = "other"; id = 0; stream_id = 1; fields := struct { %s }; };
                """.formatted(Refused.LARGE_LABEL.fields));
        ByteBuffer stream = ByteBuffer.allocate(HEAD_BYTES + Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        packet(stream, 0, 0, List.of(), 0);
        long bits = stream.capacity() * (long) Byte.SIZE;
        stream.putLong(CONTENT_SIZE_AT, bits).putLong(CONTENT_SIZE_AT + Long.BYTES, bits);
        Files.write(folder.resolve("stream"), stream.array());
        return folder;
    }

    /** A sequence that is said to have so many elements, which are not there: the library takes 100 bytes for each at once. */
    public static Path large(Path folder, int elements) throws IOException {
        return write(folder, "", "u32 length; u8 bytes[length]; " + Refused.LARGE_LABEL.fields, List.of(out -> out.putInt(elements)));
    }

    /** So many events can be read: the next one is of a kind that the metadata does not describe. */
    public static Path damagedBehind(Path folder, int events) throws IOException {
        many(folder, events + EVENTS_PER_PACKET);
        byte[] stream = Files.readAllBytes(folder.resolve("stream"));
        int packetBytes = HEAD_BYTES + EVENTS_PER_PACKET * EVENT_BYTES;
        stream[events / EVENTS_PER_PACKET * packetBytes + HEAD_BYTES + events % EVENTS_PER_PACKET * EVENT_BYTES] = 1;
        Files.write(folder.resolve("stream"), stream);
        return folder;
    }

    /** The content of the second packet is said to be of a negative size: an assertion of the library fails. */
    public static Path deadly(Path folder) throws IOException {
        many(folder, 2 * EVENTS_PER_PACKET);
        byte[] stream = Files.readAllBytes(folder.resolve("stream"));
        stream[stream.length / 2 + CONTENT_SIZE_AT + Long.BYTES - 1] = (byte) 0x80;
        Files.write(folder.resolve("stream"), stream);
        return folder;
    }

    private static void packet(ByteBuffer out, int first, List<Consumer<ByteBuffer>> events, long discarded) {
        packet(out, FIRST_NANOS - CLOCK_OFFSET_NANOS + first * STEP_NANOS, STEP_NANOS, events, discarded);
    }

    private static void packet(ByteBuffer out, long beginNanos, long stepNanos, List<Consumer<ByteBuffer>> events, long discarded) {
        int begin = out.position();
        long time = beginNanos;
        out.putInt(0xC1FC1FC1).putInt(0).putLong(time).putLong(time + (events.size() - 1) * stepNanos).putLong(0).putLong(0)
                .putLong(discarded).putInt(CPU);
        for (Consumer<ByteBuffer> event : events) {
            out.putInt(0).putLong(time);
            event.accept(out);
            time += stepNanos;
        }
        long bits = (out.position() - begin) * 8L;
        out.putLong(begin + CONTENT_SIZE_AT, bits).putLong(begin + CONTENT_SIZE_AT + Long.BYTES, bits);
    }

    /** What the program babeltrace2 prints, a line for each event. */
    public static long linesOfProgram(Path trace) throws IOException, InterruptedException {
        Process program = new ProcessBuilder("babeltrace2", trace.toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        long lines = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().count();
        program.waitFor();
        return lines;
    }
}
