// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** A trace as LTTng lays out one of the kernel and of a program, with the fields that are of use here. Times are µs. */
final class LttngTrace {
    /** 2024-01-01, the offset of the traces' clock. */
    static final long OFFSET_SECONDS = 1_704_067_200L;

    private static final String HEAD = """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char;
            typealias integer { size = 32; align = 8; signed = false; } := u32;
            typealias integer { size = 64; align = 8; signed = false; } := u64;
            typealias integer { size = 64; align = 8; signed = false; base = 16; } := x64;
            typealias integer { size = 32; align = 8; signed = true; } := s32;
            typealias integer { size = 64; align = 8; signed = true; } := s64;
            trace { major = 1; minor = 8; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
            env { hostname = "web-3"; domain = "%s"; tracer_name = "lttng-modules"; tracer_major = 2; tracer_minor = 13;
                kernel_release = "6.1.0"; };
            clock { name = "monotonic"; freq = 1000000000; offset_s = 1704067200; offset = 0; absolute = FALSE; };
            typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := time;
            stream {
                id = 0;
                packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size;
                    u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
                event.header := struct { u32 id; time timestamp; };
                %s
            };
            """;
    private static final String KERNEL = """
            event { name = "sched_switch"; id = 0; stream_id = 0; fields := struct { char prev_comm[16]; s32 prev_tid; s32 prev_prio;
                s64 prev_state; char next_comm[16]; s32 next_tid; s32 next_prio; }; };
            event { name = "sched_wakeup"; id = 1; stream_id = 0; fields := struct { char comm[16]; s32 tid; s32 prio; }; };
            """;
    private static final String PROGRAM = """
            event { name = "lttng_ust_cyg_profile:func_entry"; id = 0; stream_id = 0; fields := struct { x64 addr; x64 call_site; }; };
            event { name = "lttng_ust_cyg_profile:func_exit"; id = 1; stream_id = 0; fields := struct { x64 addr; x64 call_site; }; };
            event { name = "shop:begin"; id = 2; stream_id = 0; fields := struct { string url; }; };
            event { name = "shop:end"; id = 3; stream_id = 0; fields := struct { u32 status; }; };
            """;

    private final Map<Integer, Stream> kernel = new TreeMap<>();
    private final Map<Integer, Stream> program = new TreeMap<>();

    private static final class Stream {
        private final ByteArrayOutputStream packets = new ByteArrayOutputStream();
        private ByteBuffer events = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
        private long sequence;
        private long discarded;
        private long begin = -1;
        private long end;

        ByteBuffer event(int id, long micros) {
            end = micros * 1000;
            begin = begin < 0 ? end : begin;
            return events.putInt(id).putLong(end);
        }

        void close(int cpu) {
            ByteBuffer head = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
            long bits = (head.capacity() + events.position()) * 8L;
            head.putInt(0xC1FC1FC1).putInt(0).putLong(Math.max(begin, 0)).putLong(end).putLong(bits).putLong(bits).putLong(sequence++)
                    .putLong(discarded).putInt(cpu);
            packets.writeBytes(head.array());
            packets.write(events.array(), 0, events.position());
            events = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
            begin = -1;
        }
    }

    private Stream kernel(int cpu) {
        return kernel.computeIfAbsent(cpu, _ -> new Stream());
    }

    private ByteBuffer program(int cpu, int id, long micros, int tid) {
        return program.computeIfAbsent(cpu, _ -> new Stream()).event(id, micros).putInt(tid).putInt(4000);
    }

    LttngTrace switches(int cpu, long micros, int from, long state, int to) {
        ByteBuffer out = kernel(cpu).event(0, micros);
        comm(out, from).putInt(from).putInt(20).putLong(state);
        comm(out, to).putInt(to).putInt(20);
        return this;
    }

    LttngTrace wakes(int cpu, long micros, int tid) {
        comm(kernel(cpu).event(1, micros), tid).putInt(tid).putInt(20);
        return this;
    }

    private static ByteBuffer comm(ByteBuffer out, int tid) {
        byte[] name = (tid == 0 ? "swapper" : "shop-" + tid).getBytes(StandardCharsets.US_ASCII);
        return out.put(name).put(new byte[16 - name.length]);
    }

    LttngTrace enters(int cpu, long micros, int tid, long address) {
        program(cpu, 0, micros, tid).putLong(address).putLong(0);
        return this;
    }

    LttngTrace leaves(int cpu, long micros, int tid, long address) {
        program(cpu, 1, micros, tid).putLong(address).putLong(0);
        return this;
    }

    LttngTrace begins(int cpu, long micros, int tid, String url) {
        program(cpu, 2, micros, tid).put(url.getBytes(StandardCharsets.UTF_8)).put((byte) 0);
        return this;
    }

    LttngTrace ends(int cpu, long micros, int tid) {
        program(cpu, 3, micros, tid).putInt(200);
        return this;
    }

    /** The program's packet of that CPU ends here. */
    LttngTrace closes(int cpu) {
        program.get(cpu).close(cpu);
        return this;
    }

    /** So many events are missing in the program's packet of that CPU. */
    LttngTrace lacks(int cpu, long events) {
        program.get(cpu).discarded += events;
        return this;
    }

    /** The program's packet of that CPU ends here, and so many events are missing before the next one. */
    LttngTrace loses(int cpu, long events) {
        program.get(cpu).close(cpu);
        program.get(cpu).discarded += events;
        return this;
    }

    /** Writes the folders that LTTng would. */
    Path write(Path folder) throws IOException {
        if (!kernel.isEmpty()) {
            write(folder.resolve("kernel"), HEAD.formatted("kernel", "") + KERNEL, kernel);
        }
        write(folder.resolve("ust/uid/1000/64-bit"), HEAD.formatted("ust", "event.context := struct { s32 vtid; s32 vpid; };") + PROGRAM,
                program);
        return folder;
    }

    private static void write(Path folder, String metadata, Map<Integer, Stream> streams) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("metadata"), metadata);
        for (Map.Entry<Integer, Stream> stream : streams.entrySet()) {
            stream.getValue().close(stream.getKey());
            Files.write(folder.resolve("channel0_" + stream.getKey()), stream.getValue().packets.toByteArray());
        }
    }
}
