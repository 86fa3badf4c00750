// SPDX-License-Identifier: EPL-2.0
package org.kview.ui;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

import org.kview.model.FunctionInterval;
import org.kview.model.Losses;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;
import org.kview.session.write.SessionWriter;
import org.kview.testing.Recorded;

/** Sessions on disk with the figures of {@link Figures#SHOP} and, if wanted, a trace of a few entries. */
public final class SessionFixture {
    public static final int EVENTS = 12;

    private static final String UUID = "00112233-4455-6677-8899-aabbccddeeff";
    private static final String METADATA = """
            /* CTF 1.8 */
            typealias integer { size = 8; align = 8; signed = false; } := u8;
            typealias integer { size = 16; align = 8; signed = false; } := u16;
            typealias integer { size = 32; align = 8; signed = false; } := u32;
            typealias integer { size = 64; align = 8; signed = false; } := u64;
            trace {
              major = 1; minor = 8; byte_order = le; uuid = "%s";
              packet.header := struct { u32 magic; u8 uuid[16]; u32 stream_id; };
            };
            env { tracer_name = "kview"; tracer_major = 1; tracer_minor = 0; hostname = "web-3"; target_pid = 4711; };
            clock { name = monotonic; freq = 1000000000; offset = 0; };
            typealias integer { size = 64; align = 8; signed = false; map = clock.monotonic.value; } := ts;
            typealias enum : u32 { "price_basket" = 0, "flush_cache" = 1 } := function_t;
            stream {
              id = 0;
              event.header := struct { u32 id; ts timestamp; };
              packet.context := struct { ts timestamp_begin; ts timestamp_end; u64 content_size; u64 packet_size;
                u64 packet_seq_num; u64 events_discarded; u32 cpu_id; };
            };
            event { name = "kview:call_entry"; id = 0; stream_id = 0;
              fields := struct { u32 tid; function_t function; u16 depth; }; };
            """.formatted(UUID);
    private static final int HEAD_BYTES = 76;
    private static final int EVENT_BYTES = 22;

    private SessionFixture() {
    }

    /** @return the session's folder */
    public static Path write(Path folder, boolean events) throws IOException {
        List<ProbedFunction> functions = new ArrayList<>();
        List<FunctionInterval> intervals = new ArrayList<>();
        for (Figures.Shape shape : Figures.SHOP) {
            intervals.add(Figures.interval(functions.size(), shape));
            functions.add(Figures.probed(functions.size(), shape.name()));
        }
        try (SessionWriter writer = SessionWriter.create(folder, Figures.info(SessionInfo.State.RECORDING), functions,
                events ? Optional.of(METADATA) : Optional.empty())) {
            writer.append(Recorded.interval(0, 30_000_000_000L, intervals, Losses.NONE, true));
            if (events) {
                writer.appendPacket(0, packet(), EVENTS);
            }
            writer.finish(SessionInfo.State.STOPPED, "", Optional.empty());
        }
        return folder;
    }

    private static ByteBuffer packet() {
        int bytes = HEAD_BYTES + EVENTS * EVENT_BYTES;
        ByteBuffer packet = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        packet.putInt(0xC1FC1FC1).put(HexFormat.of().parseHex(UUID.replace("-", ""))).putInt(0).putLong(1000)
                .putLong(1000 + EVENTS - 1).putLong(bytes * 8L).putLong(bytes * 8L).putLong(0).putLong(0).putInt(0);
        for (int i = 0; i < EVENTS; i++) {
            packet.putInt(0).putLong(1000 + i).putInt(77).putInt(i % 2).putShort((short) 0);
        }
        packet.flip();
        return packet;
    }
}
