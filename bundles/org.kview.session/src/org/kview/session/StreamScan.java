/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

import org.kview.session.TraceFiles.Piece;
import org.kview.session.TraceFiles.StreamFile;

/** Finds out which pieces of one stream file are packets as they were recorded. */
final class StreamScan {
    private static final int BLOCK_BYTES = 1 << 18;

    private final Path file;
    private final int cpu;
    private final List<Piece> pieces = new ArrayList<>();
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    private long at;
    private long packets;
    private long damaged;
    private long firstDamaged;

    StreamScan(Path file, int cpu) {
        this.file = file;
        this.cpu = cpu;
    }

    StreamFile scan(Optional<PacketSums.Packets> sums) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            long total = in.size();
            if (sums.isEmpty() || checkSums(in, total, sums.get())) {
                checkHeaders(in, total);
            }
            return new StreamFile(file, cpu, pieces, at, total, packets, damaged, firstDamaged);
        }
    }

    /**
     * A damaged packet costs no other: how long it was is known from elsewhere.
     *
     * @return false if the file ends before the packets that there were
     */
    private boolean checkSums(FileChannel in, long total, PacketSums.Packets sums) throws IOException {
        for (int i = 0; i < sums.count(); i++) {
            int bytes = sums.bytes(i);
            if (bytes > total - at) {
                return false;
            }
            if (isAsRecorded(in, bytes, sums.crc32(i))) {
                take(bytes);
            } else {
                firstDamaged = damaged++ == 0 ? i : firstDamaged;
                at += bytes;
            }
        }
        return true;
    }

    private boolean isAsRecorded(FileChannel in, int bytes, long expected) throws IOException {
        CRC32 crc = new CRC32();
        boolean framed = false;
        for (int done = 0; done < bytes;) {
            block.clear().limit(Math.min(block.capacity(), bytes - done));
            if (!fill(in, at + done)) {
                return false;
            }
            if (done == 0) {
                framed = CtfPacket.parse(block).filter(header -> header.packetBytes() == bytes).isPresent();
            }
            done += block.remaining();
            crc.update(block);
        }
        return framed && crc.getValue() == expected;
    }

    private void checkHeaders(FileChannel in, long total) throws IOException {
        while (total - at >= CtfPacket.HEADER_BYTES) {
            block.clear().limit(CtfPacket.HEADER_BYTES);
            Optional<CtfPacket> packet = fill(in, at) ? CtfPacket.parse(block) : Optional.empty();
            if (packet.isEmpty() || packet.get().packetBytes() > total - at) {
                return;
            }
            take(packet.get().packetBytes());
        }
    }

    private void take(long bytes) {
        boolean joined = !pieces.isEmpty() && pieces.getLast().end() == at;
        Piece piece = new Piece(joined ? pieces.removeLast().begin() : at, at + bytes);
        pieces.add(piece);
        at += bytes;
        packets++;
    }

    /** False at the end of the file. */
    private boolean fill(FileChannel in, long from) throws IOException {
        while (block.hasRemaining()) {
            if (in.read(block, from + block.position()) < 0) {
                return false;
            }
        }
        block.flip();
        return true;
    }
}
