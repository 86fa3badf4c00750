// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

/**
 * What a packet begins with: its header, then its context. Each trace's metadata is compared with this, so packets can be
 * told apart without it.
 */
enum PacketField {
    MAGIC("magic", 4),
    UUID("uuid", 16),
    STREAM_ID("stream_id", 4),
    TIMESTAMP_BEGIN("timestamp_begin", 8),
    TIMESTAMP_END("timestamp_end", 8),
    CONTENT_SIZE("content_size", 8),
    PACKET_SIZE("packet_size", 8),
    SEQUENCE("packet_seq_num", 8),
    DISCARDED("events_discarded", 8),
    CPU("cpu_id", 4);

    private final String text;
    private final int bytes;
    private int at;

    static {
        int at = 0;
        for (PacketField field : values()) {
            field.at = at;
            at += field.bytes;
        }
    }

    PacketField(String text, int bytes) {
        this.text = text;
        this.bytes = bytes;
    }

    /** Its name in the metadata. */
    String text() {
        return text;
    }

    int bytes() {
        return bytes;
    }

    /** Where it begins in the packet. */
    int at() {
        return at;
    }

    boolean isOfContext() {
        return compareTo(STREAM_ID) > 0;
    }
}
