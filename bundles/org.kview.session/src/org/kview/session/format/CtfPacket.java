/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * The header of a CTF packet, as {@code kernel/protocol/ctf-layout.md} has it.
 *
 * <pre>
 *   0      4        20          24                32              40             48            56      64          72     76
 *   +------+--------+-----------+-----------------+---------------+--------------+-------------+-------+-----------+------+--
 *   |magic | uuid   | stream_id | timestamp_begin | timestamp_end | content_size | packet_size |seq_num| discarded |cpu_id| events
 *   +------+--------+-----------+-----------------+---------------+--------------+-------------+-------+-----------+------+--
 * </pre>
 *
 * @param contentBytes with the header, without padding
 * @param packetBytes  with the header and padding
 */
public record CtfPacket(long contentBytes, long packetBytes) {
    public static final int HEADER_BYTES = 76;

    private static final int MAGIC = 0xC1FC1FC1;
    private static final int CONTENT_SIZE_AT = 40;
    private static final int PACKET_SIZE_AT = 48;
    private static final int DISCARDED_AT = 64;

    /** Empty unless a packet header begins at the buffer's position. */
    public static Optional<CtfPacket> parse(ByteBuffer buffer) {
        ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < HEADER_BYTES || in.getInt(0) != MAGIC) {
            return Optional.empty();
        }
        long contentBits = in.getLong(CONTENT_SIZE_AT);
        long packetBits = in.getLong(PACKET_SIZE_AT);
        if (contentBits < HEADER_BYTES * Byte.SIZE || packetBits < contentBits || packetBits % Byte.SIZE != 0
                || contentBits % Byte.SIZE != 0) {
            return Optional.empty();
        }
        return Optional.of(new CtfPacket(contentBits / Byte.SIZE, packetBits / Byte.SIZE));
    }

    /** Adds to the packet's events_discarded what was lost of its stream on this side of the wire. */
    public static void addDiscarded(ByteBuffer packet, long events) {
        ByteBuffer out = packet.slice().order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(DISCARDED_AT, out.getLong(DISCARDED_AT) + events);
    }

    /** Whether it holds no events, but only tells how many are missing. */
    public boolean isEmpty() {
        return contentBytes == HEADER_BYTES;
    }
}
