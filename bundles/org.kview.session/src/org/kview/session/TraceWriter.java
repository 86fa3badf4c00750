/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

import org.kview.session.Checkpoint.StreamSummary;
import org.kview.session.Checkpoint.TraceSummary;

/** Writes a session's {@code trace/}: one stream file a CPU. */
final class TraceWriter implements AutoCloseable {
    static final int MAX_CPU = 65535;

    private final Path folder;
    private final AppendFile.Opener opener;
    private final SpaceReserve reserve;
    private final byte[] metadata;
    private final Map<Integer, Stream> streams = new TreeMap<>();
    private final Map<Integer, Long> lostEventsByCpu = new TreeMap<>();
    private boolean full;
    private long lostPackets;

    private static final class Stream {
        private final AppendFile file;
        private long packets;
        /** Negative once a packet held something that can't be counted. */
        private long events;

        Stream(AppendFile file) {
            this.file = file;
        }
    }

    private TraceWriter(Path folder, AppendFile.Opener opener, SpaceReserve reserve, String metadata) {
        this.folder = folder;
        this.opener = opener;
        this.reserve = reserve;
        this.metadata = metadata.getBytes(StandardCharsets.UTF_8);
    }

    static TraceWriter create(Path folder, AppendFile.Opener opener, SpaceReserve reserve, String metadata)
            throws IOException {
        TraceWriter writer = new TraceWriter(folder, opener, reserve, metadata);
        Files.createDirectory(folder);
        try (AppendFile file = AppendFile.create(folder.resolve(SessionFiles.METADATA), opener)) {
            file.append(ByteBuffer.wrap(writer.metadata));
        }
        return writer;
    }

    /**
     * Adds a packet.
     *
     * @throws SessionException if it is no whole packet
     * @throws IOException      if it could not be written; it is then counted as lost
     */
    void append(int cpu, ByteBuffer packet) throws IOException {
        if (cpu < 0 || cpu > MAX_CPU) {
            throw new SessionException("The agent sent events of a CPU that can't be: " + cpu);
        }
        CtfPacket header = CtfPacket.parse(packet).filter(p -> p.packetBytes() == packet.remaining())
                .orElseThrow(() -> new SessionException("The agent sent " + packet.remaining()
                        + " bytes of events for CPU " + cpu + " that are not one whole CTF packet"));
        OptionalLong events = header.countEvents(packet);
        try {
            if (full && !reserve.isRoomBeside()) {
                throw new IOException("No space left on device");
            }
            full = false;
            Stream stream = stream(cpu);
            stream.file.append(withLost(packet, lostEventsByCpu.getOrDefault(cpu, 0L)));
            stream.packets++;
            stream.events = events.isEmpty() || stream.events < 0 ? -1 : stream.events + events.getAsLong();
        } catch (IOException e) {
            full = true;
            lostPackets++;
            lostEventsByCpu.merge(cpu, events.orElse(0), Long::sum);
            throw e;
        }
    }

    /** Events of packets that could not be written. */
    long lostEvents() {
        return lostEventsByCpu.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What a reader must know beyond the counts; empty if all is well. */
    Optional<String> problem() {
        return lostPackets == 0 ? Optional.empty() : Optional.of("The trace is incomplete: " + lostPackets
                + " packets with " + lostEvents() + " events could not be written while it was recorded.");
    }

    TraceSummary summary() {
        List<StreamSummary> summaries = new ArrayList<>();
        streams.forEach((cpu, stream) -> summaries.add(new StreamSummary(cpu, stream.file.length(), stream.packets,
                stream.events < 0 ? OptionalLong.empty() : OptionalLong.of(stream.events))));
        return new TraceSummary(metadata.length, SessionJsonWriter.checksum(metadata), summaries);
    }

    void force() throws IOException {
        for (Stream stream : streams.values()) {
            stream.file.force();
        }
    }

    @Override
    public void close() throws IOException {
        for (Stream stream : streams.values()) {
            stream.file.close();
        }
    }

    private Stream stream(int cpu) throws IOException {
        Stream stream = streams.get(cpu);
        if (stream == null) {
            stream = new Stream(AppendFile.create(folder.resolve(SessionFiles.STREAM_PREFIX + cpu), opener));
            streams.put(cpu, stream);
        }
        return stream;
    }

    /** Keeps the trace's own count of what is missing true. */
    private static ByteBuffer withLost(ByteBuffer packet, long lostEvents) {
        if (lostEvents == 0) {
            return packet;
        }
        ByteBuffer copy = ByteBuffer.allocate(packet.remaining()).put(packet.slice()).flip();
        CtfPacket.addDiscarded(copy, lostEvents);
        return copy;
    }
}
