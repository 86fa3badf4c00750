// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.zip.CRC32;

/** Traces to read: one that the agent recorded, and such as tests write byte by byte. */
final class TraceFixture {
    static final UUID TRACE = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    static final List<String> RECORDED = List.of(EventTrace.METADATA, "cpu_0", "cpu_1");

    private TraceFixture() {
    }

    /** The description of the layout, as it is. */
    static String description() {
        return protocol("trace.tsdl");
    }

    static String protocol(String file) {
        try {
            return Files.readString(Path.of(System.getProperty("kview.protocol"), file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, filled in as the agent does. */
    static String metadata() {
        String text = description();
        for (var blank : Map.of("uuid", "\"" + TRACE + "\"", "hostname", "\"vm\"", "target_pid", "4711",
                "realtime_offset_ns", "1000", "functions", "\"parse(int)\" = 0,\n\t\"store\" = 1").entrySet()) {
            text = text.replace("@" + blank.getKey() + "@", blank.getValue());
        }
        return text;
    }

    /** What the agent recorded of the demo workload: half a second of seven functions, by version 0.3. */
    static byte[] recorded(String file) {
        try (InputStream in = TraceFixture.class.getResourceAsStream("data/recorded/" + file)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Path recorded(Path folder) throws IOException {
        for (String file : RECORDED) {
            Files.write(folder.resolve(file), recorded(file));
        }
        return folder;
    }

    /** The packets of a stream file. */
    static List<byte[]> packets(byte[] stream) {
        List<byte[]> packets = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(stream);
        while (in.hasRemaining()) {
            byte[] packet = new byte[(int) PacketHeader.parse(in).orElseThrow().packetBytes()];
            in.get(packet);
            packets.add(packet);
        }
        return packets;
    }

    /** What a session knows of them. */
    static KnownPackets known(List<byte[]> packets) {
        return new KnownPackets() {
            @Override
            public int count() {
                return packets.size();
            }

            @Override
            public int bytes(int index) {
                return packets.get(index).length;
            }

            @Override
            public long crc32(int index) {
                CRC32 crc = new CRC32();
                crc.update(packets.get(index));
                return crc.getValue();
            }
        };
    }

    static List<TraceEvent> read(EventTrace trace) throws CtfException {
        List<TraceEvent> events = new ArrayList<>();
        try (EventCursor cursor = trace.events()) {
            for (var event = cursor.next(); event.isPresent(); event = cursor.next()) {
                events.add(event.get());
            }
        }
        return events;
    }

    /** A packet that grows by its events. */
    static final class Packet {
        private final ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
        private final int cpu;
        private final long sequence;
        private final long discarded;
        private long begin;
        private long end;

        Packet(int cpu, long sequence, long discarded) {
            this.cpu = cpu;
            this.sequence = sequence;
            this.discarded = discarded;
            bytes.position(PacketHeader.HEADER_BYTES);
        }

        /** An event's header; its fields are put behind it. */
        ByteBuffer event(int id, long nanos) {
            begin = bytes.position() == PacketHeader.HEADER_BYTES ? nanos : begin;
            end = nanos;
            return bytes.putInt(id).putLong(nanos);
        }

        Packet threadExits(long... nanos) {
            for (long each : nanos) {
                event(5, each).putInt(77);
            }
            return this;
        }

        byte[] close() {
            int content = bytes.position();
            bytes.limit(content).rewind();
            bytes.putInt(0xC1FC1FC1).order(ByteOrder.BIG_ENDIAN).putLong(TRACE.getMostSignificantBits())
                    .putLong(TRACE.getLeastSignificantBits()).order(ByteOrder.LITTLE_ENDIAN).putInt(0).putLong(begin).putLong(end)
                    .putLong(content * 8L).putLong(content * 8L).putLong(sequence).putLong(discarded).putInt(cpu).rewind();
            byte[] packet = new byte[content];
            bytes.get(packet);
            return packet;
        }
    }

    static Path write(Path folder, String metadata, int cpu, byte[]... packets) throws IOException {
        Files.writeString(folder.resolve(EventTrace.METADATA), metadata);
        Path stream = folder.resolve(EventTrace.STREAM_PREFIX + cpu);
        Files.deleteIfExists(stream);
        Files.createFile(stream);
        for (byte[] packet : packets) {
            Files.write(stream, packet, java.nio.file.StandardOpenOption.APPEND);
        }
        return folder;
    }
}
