// SPDX-License-Identifier: EPL-2.0
package org.kview.babeltrace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A trace with fields of all types that CTF 1.8 has, written byte by byte, and one that was recorded. */
final class TraceFiles {
    static final String METADATA = """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; } := u8;
            typealias integer { size = 32; align = 8; signed = false; } := u32;
            typealias integer { size = 64; align = 8; signed = false; } := u64;
            typealias integer { size = 64; align = 8; signed = true; } := s64;
            typealias integer { size = 8; align = 8; signed = true; } := s8;
            trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
            env { hostname = "box"; answer = 42; };
            clock { name = "cycles"; freq = 2000000000; offset_s = 1000; offset = 500; };
            typealias integer { size = 64; align = 8; signed = false; map = clock.cycles.value; } := time;
            stream {
                id = 0;
                packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size;
                    u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
                event.header := struct { u32 id; time timestamp; };
                event.context := struct { u32 vtid; };
            };
            event {
                name = "all"; id = 7; stream_id = 0;
                context := struct { u8 level; };
                fields := struct {
                    u64 large; s64 negative;
                    floating_point { exp_dig = 8; mant_dig = 24; align = 8; byte_order = le; } half;
                    floating_point { exp_dig = 11; mant_dig = 53; align = 8; byte_order = le; } quarter;
                    string name;
                    enum : s8 { low = -3 ... -1, "none" = 0, high = 5 } level;
                    u8 count; u32 list[count]; u8 pair[2];
                    enum : u8 { number = 0, word = 1 } kind;
                    variant <kind> { u32 number; string word; } value;
                    struct { u8 a; struct { u8 b; } inner; } nested;
                };
            };
            """;

    private TraceFiles() {
    }

    static Path recorded() {
        return Path.of(System.getProperty("kview.recorded-trace"));
    }

    /** A trace with a packet of two events, and one of one, before which a packet and seven events were lost. */
    static Path allTypes(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("metadata"), METADATA);
        ByteBuffer first = packet(0, 0);
        event(first, 1000, ByteBuffer::putInt, "first");
        event(first, 2001, (out, _) -> text(out, "a word"), "second");
        ByteBuffer second = packet(2, 7);
        event(second, 9000, ByteBuffer::putInt, "third");
        try (var out = Files.newByteChannel(Files.createFile(folder.resolve("stream")), java.nio.file.StandardOpenOption.WRITE)) {
            out.write(close(first, 1000, 2001));
            out.write(close(second, 9000, 9000));
        }
        return folder;
    }

    private interface Value {
        void put(ByteBuffer out, int number);
    }

    private static ByteBuffer packet(long sequence, long discarded) {
        ByteBuffer out = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
        return out.putInt(0xC1FC1FC1).putInt(0).putLong(0).putLong(0).putLong(0).putLong(0).putLong(sequence).putLong(discarded)
                .putInt(3);
    }

    private static void event(ByteBuffer out, long cycles, Value value, String name) {
        out.putInt(7).putLong(cycles).putInt(4711).put((byte) 9);
        out.putLong(-2).putLong(-5).putFloat(0.5f).putDouble(-0.25);
        text(out, name);
        out.put((byte) (name.equals("first") ? -2 : name.equals("second") ? 5 : 77));
        out.put((byte) 2).putInt(11).putInt(12).put((byte) 1).put((byte) 2);
        out.put((byte) (name.equals("second") ? 1 : 0));
        value.put(out, 99);
        out.put((byte) 4).put((byte) 5);
    }

    private static void text(ByteBuffer out, String text) {
        out.put(text.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
    }

    private static ByteBuffer close(ByteBuffer packet, long begin, long end) {
        long bits = packet.position() * 8L;
        return packet.putLong(8, begin).putLong(16, end).putLong(24, bits).putLong(32, bits).flip();
    }

    static Path copy(Path trace, Path folder) throws IOException {
        Files.createDirectories(folder);
        try (Stream<Path> files = Files.list(trace)) {
            for (Path file : files.toList()) {
                Files.copy(file, folder.resolve(file.getFileName()));
            }
        }
        return folder;
    }
}
