// SPDX-License-Identifier: EPL-2.0
package org.kview.ctf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

import org.kview.model.Metric;

/**
 * A packet of one CPU that is written here, of the layout in {@code kernel/protocol/trace.tsdl}. Events are added in the order
 * of their times. It is used again for the CPU's next packet.
 */
public final class EventPacket {
    private static final int MAGIC = 0xC1FC1FC1;
    private static final int CAPACITY = 128 << 10;
    private static final int FULL = CAPACITY - 4096;
    private static final int NAME_BYTES = 16;
    private static final int MOST_CAUSES = 255;

    private final ByteBuffer bytes = ByteBuffer.allocate(CAPACITY).order(ByteOrder.LITTLE_ENDIAN);
    private final UUID trace;
    private final int cpu;
    private long sequence;
    private long discarded;
    private long begin;
    private long end;
    private long events;

    public EventPacket(UUID trace, int cpu) {
        this.trace = trace;
        this.cpu = cpu;
        bytes.position(PacketHeader.HEADER_BYTES);
    }

    /** Whether it is to be taken before more is added. */
    public boolean isFull() {
        return bytes.position() >= FULL;
    }

    /** Whether nothing was added since it was taken. */
    public boolean isEmpty() {
        return events == 0;
    }

    /** How many events it holds. */
    public long events() {
        return events;
    }

    /** Events of this CPU that are missing up to here. */
    public void lost(long count) {
        discarded += count;
    }

    private ByteBuffer event(EventKind kind, long nanos) {
        begin = events++ == 0 ? nanos : begin;
        end = nanos;
        return bytes.putInt(kind.ordinal()).putLong(nanos);
    }

    public void callEntry(long nanos, long tid, int function, int depth) {
        event(EventKind.CALL_ENTRY, nanos).putInt((int) tid).putInt(function).putShort((short) depth);
    }

    /** @param byMetric times by the ordinal of their metric; causes that are 0 are left out */
    public void callExit(long nanos, long tid, int function, int depth, long beginNanos, long[] byMetric) {
        event(EventKind.CALL_EXIT, nanos).putInt((int) tid).putInt(function).putShort((short) depth).putLong(beginNanos)
                .putLong(byMetric[Metric.WALL.ordinal()]).putLong(byMetric[Metric.ON_CPU.ordinal()]);
        int lengthAt = bytes.position();
        bytes.put((byte) 0);
        int length = 0;
        for (Metric cause : Metric.CAUSES) {
            long time = byMetric[cause.ordinal()];
            if (time > 0 && length < MOST_CAUSES) {
                bytes.put((byte) cause.value()).putLong(time);
                length++;
            }
        }
        bytes.put(lengthAt, (byte) length);
    }

    /** @param syscall that the thread is in; -1 if that is not known */
    public void switchOut(long nanos, long tid, Metric cause, int syscall) {
        event(EventKind.SWITCH_OUT, nanos).putInt((int) tid).put((byte) cause.value()).putInt(syscall);
    }

    public void wakeup(long nanos, long tid, long wakerTid, String waker) {
        text(event(EventKind.WAKEUP, nanos).putInt((int) tid).putInt((int) wakerTid), waker);
    }

    public void switchIn(long nanos, long tid, long offNanos, long queuedNanos) {
        event(EventKind.SWITCH_IN, nanos).putInt((int) tid).putLong(offNanos).putLong(queuedNanos);
    }

    public void threadExit(long nanos, long tid) {
        event(EventKind.THREAD_EXIT, nanos).putInt((int) tid);
    }

    public void thread(long nanos, long tid, long pid, String name) {
        text(event(EventKind.THREAD, nanos).putInt((int) tid).putInt((int) pid), name);
    }

    private static void text(ByteBuffer out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(utf8.length, NAME_BYTES - 1);
        out.put((byte) length).put(utf8, 0, length).put(new byte[NAME_BYTES - length]);
    }

    /** The whole packet, good until more is added. It begins anew. */
    public ByteBuffer take() {
        int content = bytes.position();
        ByteBuffer packet = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(content).position(0);
        packet.putInt(MAGIC).order(ByteOrder.BIG_ENDIAN).putLong(trace.getMostSignificantBits())
                .putLong(trace.getLeastSignificantBits()).order(ByteOrder.LITTLE_ENDIAN).putInt(0).putLong(begin).putLong(end)
                .putLong(content * 8L).putLong(content * 8L).putLong(sequence++).putLong(discarded).putInt(cpu).position(0);
        bytes.position(PacketHeader.HEADER_BYTES);
        events = 0;
        return packet;
    }
}
