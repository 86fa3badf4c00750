// SPDX-License-Identifier: EPL-2.0
package org.kview.trace;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A recording as a later version might make it: with one more kind of event, one more cause, and more fields at the end
 * of two events. Its metadata describes all of them.
 */
final class NewerTrace {
    static final String EVENT = "kview:gpu_wait";
    static final String CAUSE = "gpu";

    private static final int CAUSE_VALUE = 40;
    private static final int EVENT_ID = 31;
    private static final int CALL_ENTRY = 0;
    private static final int CALL_EXIT = 1;
    private static final int SWITCH_OUT = 2;
    private static final int WAKEUP = 3;
    private static final int SWITCH_IN = 4;
    private static final int THREAD_EXIT = 5;
    private static final int HEAD_BYTES = 76;
    private static final int CONTENT_SIZE_AT = 40;
    private static final int PACKET_SIZE_AT = 48;
    private static final int EVENT_HEAD_BYTES = 12;
    private static final int CAUSES_AT = 4 + 4 + 2 + 3 * 8;

    private NewerTrace() {
    }

    /** @param events how many it holds */
    record Packet(ByteBuffer bytes, int events, int newEvents) {
    }

    static String metadata(String known) {
        return replaced(replaced(replaced(known, "\"other\" = 10", "\"other\" = 10, \"" + CAUSE + "\" = " + CAUSE_VALUE),
                "fields := struct { u32 tid; function_id function; u16 depth; };",
                "fields := struct { u32 tid; function_id function; u16 depth; u64 argument; };"),
                "causes[causes_length]; };", "causes[causes_length]; u64 instructions; };")
                + "event { name = \"" + EVENT + "\"; id = " + EVENT_ID + "; stream_id = 0;"
                + " fields := struct { u32 tid; cause_id cause; char8 queue[8]; }; };\n";
    }

    private static String replaced(String text, String known, String newer) {
        if (!text.contains(known)) {
            throw new IllegalArgumentException(known);
        }
        return text.replace(known, newer);
    }

    /** A stream file's packets, with new fields in each call, and a new event each time a thread leaves its CPU. */
    static List<Packet> packets(byte[] stream) {
        List<Packet> packets = new ArrayList<>();
        ByteBuffer in = ByteBuffer.wrap(stream).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            int bytes = (int) (in.getLong(in.position() + PACKET_SIZE_AT) / Byte.SIZE);
            packets.add(packet(in.slice(in.position(), bytes).order(ByteOrder.LITTLE_ENDIAN)));
            in.position(in.position() + bytes);
        }
        return packets;
    }

    private static Packet packet(ByteBuffer in) {
        ByteBuffer out = ByteBuffer.allocate(3 * in.limit()).order(ByteOrder.LITTLE_ENDIAN);
        int content = (int) (in.getLong(CONTENT_SIZE_AT) / Byte.SIZE);
        out.put(in.slice(0, HEAD_BYTES));
        int events = 0;
        int added = 0;
        for (int at = HEAD_BYTES; at < content;) {
            int id = in.getInt(at);
            int fields = at + EVENT_HEAD_BYTES;
            int end = fields + fieldBytes(in, id, fields);
            out.put(in.slice(at, end - at));
            if (id == CALL_ENTRY || id == CALL_EXIT) {
                out.putLong(0x1122334455667788L);
            } else if (id == SWITCH_OUT) {
                out.putInt(EVENT_ID).putLong(in.getLong(at + Integer.BYTES)).putInt(in.getInt(fields)).put((byte) CAUSE_VALUE)
                        .put("render\0\0".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                added++;
            }
            events++;
            at = end;
        }
        out.putLong(CONTENT_SIZE_AT, (long) out.position() * Byte.SIZE).putLong(PACKET_SIZE_AT, (long) out.position() * Byte.SIZE);
        return new Packet(out.flip(), events + added, added);
    }

    private static int fieldBytes(ByteBuffer in, int id, int fields) {
        return switch (id) {
            case CALL_ENTRY -> 4 + 4 + 2;
            case CALL_EXIT -> CAUSES_AT + 1 + 9 * in.get(fields + CAUSES_AT);
            case SWITCH_OUT -> 4 + 1 + 4;
            case WAKEUP -> 4 + 4 + 1 + 16;
            case SWITCH_IN -> 4 + 8 + 8;
            case THREAD_EXIT -> 4;
            default -> throw new IllegalArgumentException("event " + id);
        };
    }
}
