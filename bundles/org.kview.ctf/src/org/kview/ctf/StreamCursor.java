// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.zip.CRC32;

import org.kview.model.SafeText;

/**
 * The events of one CPU, packet by packet. Each packet is checked as a whole before its first event is returned: first
 * against its known length and checksum, if there are any, then by its header.
 */
final class StreamCursor implements AutoCloseable {
    /**
     * Our events have at most 200 bytes. A longer event belongs to no version that this one could understand in part.
     */
    static final int MOST_EVENT_BYTES = 8 << 10;

    private final Path file;
    private final int cpu;
    private final TraceLayout layout;
    private final KnownPackets known;
    /** Hears which packets were read, of a file that grows. */
    private final Optional<ReadPackets> read;
    private final FileChannel in;
    private long totalBytes;
    private final StreamWindow window;
    private final EventDecoder decoder;
    private final CRC32 crc = new CRC32();
    /** Where the packet of the next event begins. */
    private long packetAt;
    /** Where the next packet begins, and which one it is. */
    private long nextPacketAt;
    private int nextPacket;
    /** How many of the known packets can be in this file, by its length. */
    private int usable;
    /** Where the next event begins, and where the events of its packet end. The two are equal if no event is left. */
    private long nextEventAt;
    private long eventsEnd;
    private long lastNanos;
    private long packetEndNanos;
    /** The number behind that of the last packet that was read, and how many were left out since: these may have had the next numbers, or old ones. */
    private long sequence;
    private long leftOut;
    private long discarded;
    private boolean ended;

    StreamCursor(Path file, int cpu, TraceLayout layout, KnownPackets known, int mostWindowBytes) throws IOException {
        this(file, cpu, layout, known, Files.size(file), Math.clamp(Files.size(file), PacketHeader.HEADER_BYTES, mostWindowBytes),
                Optional.empty());
    }

    private StreamCursor(Path file, int cpu, TraceLayout layout, KnownPackets known, long totalBytes, int windowBytes,
            Optional<ReadPackets> read) throws IOException {
        this.file = file;
        this.totalBytes = totalBytes;
        this.cpu = cpu;
        this.layout = layout;
        this.known = known;
        this.read = read;
        decoder = new EventDecoder(layout, cpu);
        usable = known.count();
        in = FileChannel.open(file, StandardOpenOption.READ);
        window = new StreamWindow(in, windowBytes);
    }

    /**
     * Of a file that packets are still appended to; {@link #grow} says which can be read.
     *
     * @param from where the first one begins that is to be read
     * @param read hears which were
     */
    static StreamCursor growing(Path file, int cpu, TraceLayout layout, int windowBytes, long from, Optional<ReadPackets> read)
            throws IOException {
        StreamCursor cursor = new StreamCursor(file, cpu, layout, KnownPackets.NONE, from, windowBytes, read);
        cursor.packetAt = from;
        cursor.nextPacketAt = from;
        return cursor;
    }

    /** Where the packet begins that its next event is in. */
    long packetAt() {
        return packetAt;
    }

    /** From now on the file holds so many bytes, all of them whole packets; {@link #next} goes on. */
    void grow(long bytes) {
        ended &= bytes == totalBytes;
        totalBytes = bytes;
    }

    /** Empty at the end. */
    Optional<TraceEvent> next() throws IOException {
        while (nextEventAt == eventsEnd) {
            if (ended) {
                return Optional.empty();
            }
            Optional<TraceEvent> told = nextPacket();
            if (told.isPresent()) {
                return told;
            }
        }
        return Optional.of(event());
    }

    private TraceEvent event() throws IOException {
        long rest = eventsEnd - nextEventAt;
        ByteBuffer bytes = window.at(nextEventAt, (int) Math.min(rest, Math.min(MOST_EVENT_BYTES, window.capacity())));
        int begin = bytes.position();
        try {
            TraceEvent event = decoder.decode(bytes, lastNanos, packetEndNanos);
            nextEventAt += bytes.position() - begin;
            lastNanos = event.nanos();
            return event;
        } catch (MalformedEventException e) {
            nextEventAt = eventsEnd;
            return damage("the last " + rest + " bytes of packet " + (nextPacket - 1) + " of " + name()
                    + " are no events: " + e.getMessage());
        }
    }

    private TraceEvent damage(String problem) {
        return new TraceEvent.Damage(lastNanos, cpu, SafeText.line(problem));
    }

    /**
     * Goes on to the next packet. Returns the gap or damage that has to be reported before its events, if there is any.
     * Sets {@code ended} at the end of the file.
     */
    private Optional<TraceEvent> nextPacket() throws IOException {
        long rest = totalBytes - nextPacketAt;
        if (nextPacket < usable && known.bytes(nextPacket) > rest) {
            usable = nextPacket;
        }
        boolean isKnown = nextPacket < usable;
        if (!isKnown && rest == 0) {
            ended = true;
            return nextPacket >= known.count() ? Optional.empty()
                    : Optional.of(damage(name() + " lacks the last " + (known.count() - nextPacket) + " of its packets"));
        }
        Optional<PacketHeader> header = PacketHeader.parse(window.at(nextPacketAt, PacketHeader.HEADER_BYTES));
        if (!isKnown && header.filter(packet -> packet.packetBytes() <= rest).isEmpty()) {
            ended = true;
            return Optional.of(damage(name() + " ends in a broken packet: its last " + rest + " bytes are left out"));
        }
        long bytes = isKnown ? known.bytes(nextPacket) : header.orElseThrow().packetBytes();
        Optional<String> wrong = isKnown && crc32(bytes) != known.crc32(nextPacket) ? Optional.of("its bytes have changed")
                : header.filter(packet -> packet.packetBytes() == bytes).map(this::wrong)
                        .orElse(Optional.of("it has no header"));
        if (read.isPresent()) {
            read.get().add((int) bytes, crc32(bytes));
        }
        long begin = nextPacketAt;
        packetAt = begin;
        nextPacketAt += bytes;
        nextPacket++;
        if (wrong.isPresent()) {
            leftOut++;
            return Optional.of(damage("packet " + (nextPacket - 1) + " of " + name() + " is left out: " + wrong.get()));
        }
        return enter(header.orElseThrow(), begin);
    }

    private String name() {
        return file.getFileName().toString();
    }

    private long crc32(long bytes) throws IOException {
        crc.reset();
        for (long done = 0; done < bytes;) {
            ByteBuffer piece = window.at(nextPacketAt + done, (int) Math.min(window.capacity(), bytes - done));
            if (!piece.hasRemaining()) {
                break;
            }
            done += piece.remaining();
            crc.update(piece);
        }
        return crc.getValue();
    }

    /** Why a packet that has a header can't be read; empty if it can. */
    private Optional<String> wrong(PacketHeader packet) {
        if (!packet.trace().equals(layout.uuid()) || packet.cpu() != cpu) {
            return Optional.of("it is of another trace or CPU");
        }
        if (packet.stream() != 0) {
            return Optional.of("it is of a kind that this version does not read");
        }
        // Compared with the last event, not with the end that the packet before told: where that is damaged, it would cost all that follows.
        if (packet.beginNanos() < lastNanos || packet.endNanos() < packet.beginNanos()) {
            return Optional.of("its times are before those of the packet before it");
        }
        if (packet.sequence() < sequence || packet.sequence() == Long.MAX_VALUE || packet.discarded() < discarded) {
            return Optional.of("its counts are lower than those of the packet before it");
        }
        return Optional.empty();
    }

    private Optional<TraceEvent> enter(PacketHeader packet, long begin) {
        long lost = packet.discarded() - discarded;
        long missing = Math.max(0, packet.sequence() - sequence - leftOut);
        Optional<TraceEvent> told = lost == 0 && missing == 0 ? Optional.empty()
                : Optional.of(new TraceEvent.LostEvents(packet.beginNanos(), cpu, lastNanos, lost, missing));
        sequence = packet.sequence() + 1;
        leftOut = 0;
        discarded = packet.discarded();
        lastNanos = packet.beginNanos();
        packetEndNanos = packet.endNanos();
        nextEventAt = begin + PacketHeader.HEADER_BYTES;
        eventsEnd = begin + packet.contentBytes();
        return told;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
