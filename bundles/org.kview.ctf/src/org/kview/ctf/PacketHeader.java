// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/**
 * The header of a packet, with its context.
 *
 * <pre>
 *   0      4        20          24                32              40             48            56      64          72     76
 *   +------+--------+-----------+-----------------+---------------+--------------+-------------+-------+-----------+------+--
 *   |magic | uuid   | stream_id | timestamp_begin | timestamp_end | content_size | packet_size |seq_num| discarded |cpu_id| events
 *   +------+--------+-----------+-----------------+---------------+--------------+-------------+-------+-----------+------+--
 * </pre>
 *
 * @param trace        the trace that it is of
 * @param stream       which kind of stream
 * @param beginNanos   when its first event was, by the host's CLOCK_MONOTONIC
 * @param endNanos     and its last one
 * @param contentBytes with the header, without padding
 * @param packetBytes  with the header and padding
 * @param sequence     which of its CPU's packets it is, from 0
 * @param discarded    events of its CPU that are missing up to here, since the recording began
 * @param cpu          whose events it holds
 */
public record PacketHeader(UUID trace, long stream, long beginNanos, long endNanos, long contentBytes, long packetBytes,
        long sequence, long discarded, long cpu) {
    public static final int HEADER_BYTES = PacketField.CPU.at() + PacketField.CPU.bytes();

    private static final int MAGIC = 0xC1FC1FC1;

    /** Empty unless a packet header begins at the buffer's position. */
    public static Optional<PacketHeader> parse(ByteBuffer buffer) {
        ByteBuffer in = buffer.slice().order(ByteOrder.LITTLE_ENDIAN);
        if (in.remaining() < HEADER_BYTES || in.getInt(PacketField.MAGIC.at()) != MAGIC) {
            return Optional.empty();
        }
        long contentBits = longAt(in, PacketField.CONTENT_SIZE);
        long packetBits = longAt(in, PacketField.PACKET_SIZE);
        if (contentBits < HEADER_BYTES * Byte.SIZE || packetBits < contentBits || packetBits % Byte.SIZE != 0
                || contentBits % Byte.SIZE != 0) {
            return Optional.empty();
        }
        return Optional.of(new PacketHeader(uuid(in), intAt(in, PacketField.STREAM_ID),
                longAt(in, PacketField.TIMESTAMP_BEGIN), longAt(in, PacketField.TIMESTAMP_END), contentBits / Byte.SIZE,
                packetBits / Byte.SIZE, longAt(in, PacketField.SEQUENCE), longAt(in, PacketField.DISCARDED),
                intAt(in, PacketField.CPU)));
    }

    /** The bytes of a UUID stand in the order in which it is written. */
    private static UUID uuid(ByteBuffer in) {
        int at = PacketField.UUID.at();
        return new UUID(Long.reverseBytes(in.getLong(at)), Long.reverseBytes(in.getLong(at + Long.BYTES)));
    }

    private static long longAt(ByteBuffer in, PacketField field) {
        return in.getLong(field.at());
    }

    private static long intAt(ByteBuffer in, PacketField field) {
        return Integer.toUnsignedLong(in.getInt(field.at()));
    }

    /** Adds to the packet's events_discarded what was lost of its stream on this side of the wire. */
    public static void addDiscarded(ByteBuffer packet, long events) {
        ByteBuffer out = packet.slice().order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(PacketField.DISCARDED.at(), longAt(out, PacketField.DISCARDED) + events);
    }

    /** Whether it holds no events, but only tells how many are missing. */
    public boolean isEmpty() {
        return contentBytes == HEADER_BYTES;
    }
}
