// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;

import org.kview.ctf.PacketHeader;
import org.kview.session.SessionException;
import org.kview.session.format.Allowance;
import org.kview.session.format.PacketSums;
import org.kview.session.read.TraceFiles.Piece;
import org.kview.session.read.TraceFiles.StreamFile;

/** Finds out which pieces of one stream file are packets as they were recorded. */
final class StreamScan {
    /**
     * Enough for a trace of several gigabytes in which every tenth packet is damaged. A file with more damage is not
     * worth reading.
     */
    private static final int MOST_PIECES = 100_000;
    /** Large enough for many short packets at once, and small enough to waste little reading if packets are long. */
    private static final int HEADERS_BYTES = 4096;

    private final Path file;
    private final int cpu;
    private final TraceBlock block;
    private final Allowance allowance;
    private final List<Piece> pieces = new ArrayList<>();
    private long at;
    private long packets;
    private long damaged;
    private long firstDamaged;
    private long unchecked;

    StreamScan(Path file, int cpu, TraceBlock block, Allowance allowance) {
        this.file = file;
        this.cpu = cpu;
        this.block = block;
        this.allowance = allowance;
    }

    /** @throws SessionException if there are more packets than any trace has */
    StreamFile scan(Optional<PacketSums.Packets> sums) throws IOException {
        try (FileChannel in = FileChannel.open(file, StandardOpenOption.READ)) {
            long total = in.size();
            if (sums.isEmpty() || checkSums(in, total, sums.get())) {
                checkHeaders(in, total);
            }
            return new StreamFile(file, cpu, pieces, at, total, packets, damaged, firstDamaged, unchecked);
        }
    }

    /**
     * A damaged packet leaves the others readable: the checksums' file tells its length.
     *
     * @return false if the file is too short for all the packets that have checksums
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
        boolean checked = allowance.left(Allowance.Of.CHECKED_TRACE) >= bytes;
        if (bytes < PacketHeader.HEADER_BYTES || !header(in, checked ? block.capacity() : HEADERS_BYTES)
                .filter(header -> header.packetBytes() == bytes).isPresent()) {
            return false;
        }
        if (!allowance.take(Allowance.Of.CHECKED_TRACE, bytes)) {
            unchecked += bytes;
            return true;
        }
        CRC32 crc = new CRC32();
        for (int done = 0; done < bytes;) {
            ByteBuffer piece = block.read(in, at + done, Math.min(block.capacity(), bytes - done), block.capacity());
            if (!piece.hasRemaining()) {
                return false;
            }
            done += piece.remaining();
            crc.update(piece);
        }
        return crc.getValue() == expected;
    }

    private Optional<PacketHeader> header(FileChannel in, int ahead) throws IOException {
        return PacketHeader.parse(block.read(in, at, PacketHeader.HEADER_BYTES, ahead));
    }

    private void checkHeaders(FileChannel in, long total) throws IOException {
        while (total - at >= PacketHeader.HEADER_BYTES) {
            Optional<PacketHeader> packet = header(in, HEADERS_BYTES);
            if (packet.isEmpty() || packet.get().packetBytes() > total - at) {
                return;
            }
            take(packet.get().packetBytes());
        }
    }

    private void take(long bytes) throws SessionException {
        boolean joined = !pieces.isEmpty() && pieces.getLast().end() == at;
        if (!allowance.take(Allowance.Of.PACKETS, 1) || !joined && pieces.size() == MOST_PIECES) {
            throw new SessionException(file + " is damaged: it holds more packets than any trace has, or damage between more");
        }
        Piece piece = new Piece(joined ? pieces.removeLast().begin() : at, at + bytes);
        pieces.add(piece);
        at += bytes;
        packets++;
    }
}
