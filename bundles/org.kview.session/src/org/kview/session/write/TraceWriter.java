// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

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
import java.util.zip.CRC32;

import org.kview.ctf.PacketHeader;
import org.kview.session.SessionException;
import org.kview.session.files.AppendFile;
import org.kview.session.files.Disk;
import org.kview.session.format.Checkpoint.FileSum;
import org.kview.session.format.Checkpoint.StreamSummary;
import org.kview.session.format.Checkpoint.TraceSummary;
import org.kview.session.format.PacketSums;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonWriter;

/**
 * Writes a session's {@code trace/}, one stream file a CPU, and the checksums of its packets. Safe for use by several
 * threads: one that adds packets may wait for the disk while another asks what was lost, and takes a summary.
 */
final class TraceWriter implements AutoCloseable {
    /** The highest number of a CPU on x86-64 (NR_CPUS). Each CPU has a file that stays open. */
    static final int MAX_CPU = 8191;

    private final Path folder;
    private final Disk disk;
    private final SpaceReserve reserve;
    private final byte[] metadata;
    /** Guards what packets are written with. Who holds it may wait for the disk. */
    private final Object packetFiles = new Object();
    /** Guards what the checksums are written with, likewise. Asked for before {@link #packetFiles} where both are. */
    private final Object sumsFile = new Object();
    /** Guarded by {@code this}, as all counts are: nobody who holds that waits for the disk, or for one of the others. */
    private final Map<Integer, Stream> streams = new TreeMap<>();
    private final Map<Integer, Long> lostEventsByCpu = new TreeMap<>();
    private final AppendFile sums;
    private final CRC32 sumsChecksum = new CRC32();
    /** Lines that the file of checksums lacks. */
    private final StringBuilder newSums = new StringBuilder();
    /** Guarded by {@link #packetFiles}. */
    private boolean full;
    private long lostPackets;
    private long lostPacketsOfUnknownEvents;

    private static final class Stream {
        private final AppendFile file;
        private long bytes;
        private long packets;
        /** Negative once the agent did not say how many a packet held. */
        private long events;

        Stream(AppendFile file) {
            this.file = file;
        }
    }

    private TraceWriter(Path folder, Disk disk, SpaceReserve reserve, String metadata) throws IOException {
        this.folder = folder;
        this.disk = disk;
        this.reserve = reserve;
        this.metadata = metadata.getBytes(StandardCharsets.UTF_8);
        try (AppendFile file = AppendFile.create(folder.resolve(SessionFiles.METADATA), disk)) {
            file.append(ByteBuffer.wrap(this.metadata));
            file.sync();
        }
        disk.syncFolder(folder);
        sums = AppendFile.create(folder.resolveSibling(SessionFiles.PACKET_SUMS), disk);
        appendSums(PacketSums.HEADER);
    }

    static TraceWriter create(Path folder, Disk disk, SpaceReserve reserve, String metadata) throws IOException {
        Files.createDirectory(folder);
        return new TraceWriter(folder, disk, reserve, metadata);
    }

    /**
     * Adds a packet.
     *
     * @param events how many it holds; 0 also where that is not known
     * @throws SessionException if it is no whole packet
     * @throws IOException      if it could not be written; it is then counted as lost
     */
    void append(int cpu, ByteBuffer packet, long events) throws IOException {
        if (cpu < 0 || cpu > MAX_CPU) {
            throw new SessionException("The agent sent events of a CPU that can't be: " + cpu);
        }
        PacketHeader header = PacketHeader.parse(packet).filter(p -> p.packetBytes() == packet.remaining())
                .orElseThrow(() -> new SessionException("The agent sent " + packet.remaining()
                        + " bytes of events for CPU " + cpu + " that are not one whole CTF packet"));
        boolean counted = events > 0 || header.isEmpty();
        synchronized (packetFiles) {
            try {
                if (full && !reserve.isRoomBeside()) {
                    throw new IOException("No space left on device");
                }
                full = false;
                Stream stream = stream(cpu);
                ByteBuffer written = withLost(packet, lostEvents(cpu));
                stream.file.append(written);
                added(stream, PacketSums.line(cpu, written.remaining(), checksum(written)), written.remaining(),
                        counted ? OptionalLong.of(events) : OptionalLong.empty());
            } catch (IOException e) {
                full = true;
                lost(cpu, events, counted);
                throw e;
            }
        }
    }

    private synchronized void added(Stream stream, String sumsLine, long bytes, OptionalLong events) {
        newSums.append(sumsLine);
        stream.bytes += bytes;
        stream.packets++;
        stream.events = events.isPresent() && stream.events >= 0 ? stream.events + events.getAsLong() : -1;
    }

    private synchronized void lost(int cpu, long events, boolean counted) {
        lostPackets++;
        lostPacketsOfUnknownEvents += counted ? 0 : 1;
        lostEventsByCpu.merge(cpu, events, Long::sum);
    }

    private synchronized long lostEvents(int cpu) {
        return lostEventsByCpu.getOrDefault(cpu, 0L);
    }

    private static long checksum(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.slice());
        return crc.getValue();
    }

    /**
     * Writes the checksums of the packets that were added since, and says what there is then. Packets that are added
     * meanwhile wait for the next time, with their checksums.
     */
    TraceSummary checkpoint() throws IOException {
        synchronized (sumsFile) {
            List<StreamSummary> summaries = new ArrayList<>();
            byte[] lines;
            synchronized (this) {
                streams.forEach((cpu, stream) -> summaries.add(new StreamSummary(cpu, stream.bytes, stream.packets,
                        stream.events < 0 ? OptionalLong.empty() : OptionalLong.of(stream.events))));
                lines = newSums.toString().getBytes(StandardCharsets.US_ASCII);
            }
            appendSums(lines);
            synchronized (this) {
                newSums.delete(0, lines.length);
            }
            return new TraceSummary(metadata.length, SessionJsonWriter.checksum(metadata),
                    Optional.of(new FileSum(sums.length(), sumsChecksum.getValue())), summaries);
        }
    }

    private void appendSums(byte[] lines) throws IOException {
        if (lines.length > 0) {
            sums.append(ByteBuffer.wrap(lines));
            sumsChecksum.update(lines);
        }
    }

    /** Events of packets that could not be written. */
    synchronized long lostEvents() {
        return lostEventsByCpu.values().stream().mapToLong(Long::longValue).sum();
    }

    /** What a reader must know beyond the counts; empty if all is well. */
    synchronized Optional<String> problem() {
        return lostPackets == 0 ? Optional.empty() : Optional.of("The trace is incomplete: " + lostPackets
                + " packets with " + lostEvents() + " events could not be written while it was recorded."
                + (lostPacketsOfUnknownEvents == 0 ? "" : " How many events " + lostPacketsOfUnknownEvents
                        + " of these packets held is not known."));
    }

    /** Brings all that was written to the disk. */
    void sync() throws IOException {
        synchronized (sumsFile) {
            synchronized (packetFiles) {
                for (Stream stream : all()) {
                    stream.file.sync();
                }
                sums.sync();
                disk.syncFolder(folder);
            }
        }
    }

    @Override
    public void close() throws IOException {
        synchronized (sumsFile) {
            synchronized (packetFiles) {
                for (Stream stream : all()) {
                    stream.file.close();
                }
                sums.close();
            }
        }
    }

    private synchronized List<Stream> all() {
        return List.copyOf(streams.values());
    }

    private Stream stream(int cpu) throws IOException {
        synchronized (this) {
            if (streams.containsKey(cpu)) {
                return streams.get(cpu);
            }
        }
        Stream stream = new Stream(AppendFile.create(folder.resolve(SessionFiles.STREAM_PREFIX + cpu), disk));
        synchronized (this) {
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
        PacketHeader.addDiscarded(copy, lostEvents);
        return copy;
    }
}
