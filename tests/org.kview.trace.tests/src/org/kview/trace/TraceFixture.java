// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** Writes small traces byte by byte, as {@code kernel/protocol/trace.tsdl} describes. */
public final class TraceFixture {
    static final String METADATA = """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; } := u8;
            typealias integer { size = 16; align = 8; signed = false; } := u16;
            typealias integer { size = 32; align = 8; signed = false; } := u32;
            typealias integer { size = 32; align = 8; signed = true; } := s32;
            typealias integer { size = 64; align = 8; signed = false; } := u64;
            typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char8;
            trace {
              major = 1; minor = 8; byte_order = le;
              uuid = "00112233-4455-6677-8899-aabbccddeeff";
              packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };
            };
            env { tracer_name = "%s"; tracer_major = 1; tracer_minor = 0; hostname = "test"; target_pid = 42; };
            clock { name = monotonic; freq = 1000000000; offset = 1000; };
            typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := ts;
            typealias enum : u32 { "parse(int)" = 0, "store" = 1 } := function_t;
            typealias enum : u8 { wall = 0, on_cpu = 1, run_queue = 2, preempted = 3, block_io = 4, lock = 5,
              sleep = 6, network = 7, page_fault = 8, steal = 9, other = 10 } := cause_t;
            stream {
              id = 0;
              event.header := struct { u32 id; ts timestamp; };
              packet.context := struct { ts timestamp_begin; ts timestamp_end; u64 content_size; u64 packet_size;
                u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
            };
            event { name = "kview:call_entry"; id = 0; stream_id = 0;
              fields := struct { u32 tid; function_t function; u16 depth; }; };
            event { name = "kview:call_exit"; id = 1; stream_id = 0;
              fields := struct { u32 tid; function_t function; u16 depth; u64 begin; u64 wall; u64 on_cpu;
                u8 causes_length; struct { cause_t cause; u64 ns; } causes[causes_length]; }; };
            event { name = "kview:switch_out"; id = 2; stream_id = 0;
              fields := struct { u32 tid; cause_t cause; s32 syscall; }; };
            event { name = "kview:wakeup"; id = 3; stream_id = 0;
              fields := struct { u32 tid; u32 waker_tid; u8 waker_comm_length; char8 waker_comm[16]; }; };
            event { name = "kview:switch_in"; id = 4; stream_id = 0;
              fields := struct { u32 tid; u64 off_ns; u64 queued_ns; }; };
            event { name = "kview:thread_exit"; id = 5; stream_id = 0; fields := struct { u32 tid; }; };
            """;
    private static final byte[] UUID = {0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, (byte) 0x88, (byte) 0x99,
        (byte) 0xaa, (byte) 0xbb, (byte) 0xcc, (byte) 0xdd, (byte) 0xee, (byte) 0xff};
    private static final int PACKET_HEAD_BYTES = 4 + 16 + 4 + 6 * 8 + 4;
    private static final int SEQUENCE_AT = PACKET_HEAD_BYTES - 4 - 8 - 8;
    /** Where the cause of the second event is. */
    static final int SWITCH_CAUSE_AT = PACKET_HEAD_BYTES + 12 + 10 + 12 + 4;

    private final int cpu;
    private final List<byte[]> events = new ArrayList<>();
    private long first = -1;
    private long last;

    TraceFixture(int cpu) {
        this.cpu = cpu;
    }

    /** Writes calls of "store" that waited for a lock, as the agent does: five events each, 5.3 ms. */
    public static void write(Path folder, String tracer, int calls) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("metadata"), METADATA.formatted(tracer));
        TraceFixture stream = new TraceFixture(0);
        for (int i = 0; i < calls; i++) {
            stream.lockedCall(1_000_000_000L + i * 10_000_000L);
        }
        Files.write(folder.resolve("cpu_0"), stream.packet());
        Files.createFile(folder.resolve("cpu_1"));
    }

    /** Writes such a call whose thread does not come back before 7 events are missing, and another call 10 ms later. */
    public static void writeWithGap(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("metadata"), METADATA.formatted("kview"));
        TraceFixture before = new TraceFixture(0);
        before.beginOfCall(1_000_000_000L);
        TraceFixture behind = new TraceFixture(0);
        behind.lockedCall(1_010_000_000L);
        byte[] second = behind.packet();
        ByteBuffer.wrap(second).order(ByteOrder.LITTLE_ENDIAN).putLong(SEQUENCE_AT, 1).putLong(SEQUENCE_AT + 8, 7);
        Files.write(folder.resolve("cpu_0"), before.packet());
        Files.write(folder.resolve("cpu_0"), second, StandardOpenOption.APPEND);
    }

    private void beginOfCall(long at) {
        event(0, at, 10).putInt(77).putInt(1).putShort((short) 0);
        event(2, at + 200_000, 9).putInt(77).put((byte) 5).putInt(202);
    }

    private void lockedCall(long at) {
        beginOfCall(at);
        event(3, at + 5_000_000, 25).putInt(77).putInt(78).put((byte) 6).put("holder\0\0\0\0\0\0\0\0\0\0".getBytes(
                StandardCharsets.US_ASCII));
        event(4, at + 5_100_000, 20).putInt(77).putLong(4_900_000).putLong(100_000);
        event(1, at + 5_300_000, 4 + 4 + 2 + 3 * 8 + 1 + 2 * 9).putInt(77).putInt(1).putShort((short) 0).putLong(at)
                .putLong(5_300_000).putLong(400_000).put((byte) 2).put((byte) 5).putLong(4_800_000).put((byte) 2)
                .putLong(100_000);
    }

    private ByteBuffer event(int id, long nanos, int fieldBytes) {
        byte[] bytes = new byte[12 + fieldBytes];
        events.add(bytes);
        first = first < 0 ? nanos : first;
        last = nanos;
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(id).putLong(nanos);
    }

    byte[] packet() {
        int bytes = PACKET_HEAD_BYTES + events.stream().mapToInt(e -> e.length).sum();
        ByteBuffer packet = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        packet.putInt(0xC1FC1FC1).put(UUID).putInt(0).putLong(first).putLong(last).putLong(bytes * 8L)
                .putLong(bytes * 8L).putLong(0).putLong(0).putInt(cpu);
        events.forEach(packet::put);
        return packet.array();
    }
}
