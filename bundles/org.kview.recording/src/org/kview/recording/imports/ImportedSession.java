// SPDX-License-Identifier: EPL-2.0
package org.kview.recording.imports;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

import org.kview.ctf.EventPacket;
import org.kview.model.Metric;
import org.kview.session.SessionException;
import org.kview.session.write.SessionWriter;

/**
 * What is written of a trace: figures, and the events in the layout of Kview's own traces. Where times on the CPU are not known
 * there are no events, as these would have to tell of them.
 */
final class ImportedSession {
    private final SessionWriter session;
    private final IntervalFigures figures;
    private final UUID trace;
    private final boolean keepsEvents;
    private final Map<Integer, EventPacket> packets = new TreeMap<>();
    private EventPacket packet;
    private int cpu = -1;
    private long nowNanos;

    ImportedSession(SessionWriter session, IntervalFigures figures, UUID trace, boolean keepsEvents) {
        this.session = session;
        this.figures = figures;
        this.trace = trace;
        this.keepsEvents = keepsEvents;
    }

    /** What follows happens then, on that CPU; on the first one where it is not known (-1). */
    void at(long nanos, int maybeCpu) throws SessionException {
        int onCpu = Math.max(maybeCpu, 0);
        nowNanos = nanos;
        if (cpu != onCpu) {
            cpu = onCpu;
            packet = packets.computeIfAbsent(onCpu, id -> new EventPacket(trace, id));
        }
        if (packet.isFull()) {
            write(cpu, packet);
        }
        figures.at(nanos);
    }

    private void write(int ofCpu, EventPacket full) throws SessionException {
        long events = full.events();
        ByteBuffer taken = full.take();
        if (keepsEvents) {
            session.appendPacket(ofCpu, taken, events);
        }
    }

    void callEntry(long tid, int function, int depth) {
        figures.began(function);
        packet.callEntry(nowNanos, tid, function, depth);
    }

    void callExit(long tid, int function, int depth, long beginNanos, long[] nanos, Metric... always) {
        if (figures.ended(function, nanos, always)) {
            packet.callExit(nowNanos, tid, function, depth, beginNanos, nanos);
        }
    }

    void switchOut(long tid, Metric cause, int syscall) {
        packet.switchOut(nowNanos, tid, cause, syscall);
    }

    void wakeup(long tid, long wakerTid, String waker) {
        packet.wakeup(nowNanos, tid, wakerTid, waker);
    }

    void switchIn(long tid, long offNanos, long queuedNanos) {
        packet.switchIn(nowNanos, tid, offNanos, queuedNanos);
    }

    void threadExit(long tid) {
        packet.threadExit(nowNanos, tid);
    }

    void thread(long tid, long pid, String name) {
        packet.thread(nowNanos, tid, pid, name);
    }

    /** Events are missing there. */
    void lost(int ofCpu, long count) {
        packets.computeIfAbsent(Math.max(ofCpu, 0), id -> new EventPacket(trace, id)).lost(count);
    }

    void end() throws SessionException {
        for (Map.Entry<Integer, EventPacket> each : packets.entrySet()) {
            if (!each.getValue().isEmpty()) {
                write(each.getKey(), each.getValue());
            }
        }
        figures.end();
    }
}
