// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/** A stream file that packets are still appended to: its whole packets, and the next event of them. */
final class LiveStream implements AutoCloseable {
    private final Path file;
    private final int cpu;
    private final TraceLayout layout;
    private final int windowBytes;
    private final StreamCursor cursor;
    private final FileChannel in;
    private final ByteBuffer header = ByteBuffer.allocate(PacketHeader.HEADER_BYTES);
    private long wholeBytes;
    private long newestNanos = Long.MIN_VALUE;
    private Optional<TraceEvent> next = Optional.empty();

    /** @param read hears which packets were read */
    LiveStream(Path file, int cpu, TraceLayout layout, int windowBytes, ReadPackets read) throws IOException {
        this(file, cpu, layout, windowBytes, 0, Optional.of(read));
    }

    private LiveStream(Path file, int cpu, TraceLayout layout, int windowBytes, long from, Optional<ReadPackets> read)
            throws IOException {
        this.file = file;
        this.cpu = cpu;
        this.layout = layout;
        this.windowBytes = windowBytes;
        wholeBytes = from;
        in = FileChannel.open(file, StandardOpenOption.READ);
        cursor = StreamCursor.growing(file, cpu, layout, windowBytes, from, read);
    }

    int cpu() {
        return cpu;
    }

    /** The same once more, from the packet on that its next event is in. */
    LiveStream again() throws IOException {
        return new LiveStream(file, cpu, layout, windowBytes, cursor.packetAt(), Optional.empty());
    }

    /** Looks for packets that were added. A file in which something else stands does not grow any more. */
    void grow() throws IOException {
        long bytes = in.size();
        while (bytes - wholeBytes >= PacketHeader.HEADER_BYTES) {
            header.clear();
            while (header.hasRemaining() && in.read(header, wholeBytes + header.position()) >= 0) {
                continue;
            }
            Optional<PacketHeader> packet = PacketHeader.parse(header.flip());
            if (packet.isEmpty() || packet.get().packetBytes() > bytes - wholeBytes) {
                break;
            }
            wholeBytes += packet.get().packetBytes();
            newestNanos = Math.max(newestNanos, packet.get().endNanos());
        }
        cursor.grow(wholeBytes);
        if (next.isEmpty()) {
            next = cursor.next();
        }
    }

    /** When the last event in its whole packets was. */
    long newestNanos() {
        return newestNanos;
    }

    /** Empty until more is appended. */
    Optional<TraceEvent> peek() {
        return next;
    }

    TraceEvent take() throws IOException {
        TraceEvent taken = next.orElseThrow();
        next = cursor.next();
        return taken;
    }

    @Override
    public void close() throws IOException {
        in.close();
        cursor.close();
    }
}
