/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.OptionalLong;

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
record CtfPacket(long contentBytes, long packetBytes) {
    static final int HEADER_BYTES = 76;

    private static final int MAGIC = 0xC1FC1FC1;
    private static final int CONTENT_SIZE_AT = 40;
    private static final int PACKET_SIZE_AT = 48;
    private static final int DISCARDED_AT = 64;
    private static final int EVENT_HEADER_BYTES = 12;
    private static final int CAUSE_BYTES = 9;

    /** Empty unless a packet header begins at the buffer's position. */
    static Optional<CtfPacket> parse(ByteBuffer buffer) {
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
    static void addDiscarded(ByteBuffer packet, long events) {
        ByteBuffer out = packet.slice().order(ByteOrder.LITTLE_ENDIAN);
        out.putLong(DISCARDED_AT, out.getLong(DISCARDED_AT) + events);
    }

    /** The events in a whole packet; empty if one is of a kind that this version does not know. */
    OptionalLong countEvents(ByteBuffer packet) {
        ByteBuffer in = packet.slice().order(ByteOrder.LITTLE_ENDIAN);
        long events = 0;
        int at = HEADER_BYTES;
        while (at < contentBytes) {
            int payload = at + EVENT_HEADER_BYTES <= contentBytes ? payloadBytes(in, at, contentBytes) : -1;
            if (payload < 0 || at + EVENT_HEADER_BYTES + payload > contentBytes) {
                return OptionalLong.empty();
            }
            at += EVENT_HEADER_BYTES + payload;
            events++;
        }
        return OptionalLong.of(events);
    }

    private static int payloadBytes(ByteBuffer in, int at, long limit) {
        return switch (in.getInt(at)) {
            case 0 -> 4 + 4 + 2;
            case 1 -> {
                int fixed = 4 + 4 + 2 + 8 + 8 + 8;
                int lengthAt = at + EVENT_HEADER_BYTES + fixed;
                yield lengthAt < limit ? fixed + 1 + (in.get(lengthAt) & 0xff) * CAUSE_BYTES : -1;
            }
            case 2 -> 4 + 1 + 4;
            case 3 -> 4 + 4 + 1 + 16;
            case 4 -> 4 + 8 + 8;
            case 5 -> 4;
            default -> -1;
        };
    }
}
