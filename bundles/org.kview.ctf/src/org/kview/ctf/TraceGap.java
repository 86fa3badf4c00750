// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A stretch of time from which events of a CPU are missing, as the headers of its packets say: between two of them. A packet tells of
 * what is missing before it, and no reader of events knows that until it comes to that packet.
 *
 * @param sinceNanos by the host's CLOCK_MONOTONIC; the last event before it may be of this time
 * @param untilNanos likewise, the first event behind it
 */
public record TraceGap(long sinceNanos, long untilNanos) {
    /** Those of one CPU. Behind a packet that has no header nothing is known. */
    static List<TraceGap> in(EventTrace.Stream stream) throws IOException {
        List<TraceGap> gaps = new ArrayList<>();
        ByteBuffer bytes = ByteBuffer.allocate(PacketHeader.HEADER_BYTES);
        long sequence = 0;
        long discarded = 0;
        long endNanos = 0;
        try (FileChannel in = FileChannel.open(stream.path(), StandardOpenOption.READ)) {
            for (long at = 0; at < in.size();) {
                bytes.clear();
                while (bytes.hasRemaining() && in.read(bytes, at + bytes.position()) >= 0) {
                    // Until all of it is there.
                }
                Optional<PacketHeader> header = PacketHeader.parse(bytes.flip());
                if (header.isEmpty()) {
                    gaps.add(new TraceGap(endNanos, Long.MAX_VALUE));
                    break;
                }
                PacketHeader packet = header.get();
                if (packet.sequence() != sequence || packet.discarded() != discarded) {
                    gaps.add(new TraceGap(endNanos, packet.beginNanos()));
                }
                sequence = packet.sequence() + 1;
                discarded = packet.discarded();
                endNanos = packet.endNanos();
                at += packet.packetBytes();
            }
        }
        return gaps;
    }
}
