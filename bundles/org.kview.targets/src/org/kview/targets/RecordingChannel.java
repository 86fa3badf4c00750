// SPDX-License-Identifier: EPL-2.0
package org.kview.targets;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

import org.kview.model.LatencyInterval;
import org.kview.targets.values.RecordingEnd;
import org.kview.targets.values.RecordingListener;
import org.kview.targets.values.RecordingStart;
import org.kview.targets.values.TargetException;
import org.kview.wire.proto.EventPacket;

import com.google.protobuf.ByteString;

/**
 * Brings a recording's messages to its listener. Packets have a lane of their own. An agent that
 * knows acknowledgements sends only one window more than the listener has dealt with. From an older
 * agent nothing is read while the lane is full. In both cases the agent drops events and counts them.
 */
final class RecordingChannel {
    private static final long MAX_PACKET_BYTES = 32 << 20;
    /** Several times what an agent can hold back. An agent that sends more is not ours, and has to wait. */
    private static final long MAX_LAST_BYTES = 256 << 20;

    private final RecordingListener listener;
    private final Lane control;
    private final LongConsumer consumed;
    private final Lane packets;
    private final CountDownLatch told = new CountDownLatch(1);
    /** Guarded by {@code this}. */
    private boolean ended;

    /** @param consumed is told the size of each packet that the listener has dealt with */
    RecordingChannel(RecordingListener listener, Lane control, LongConsumer consumed,
            Consumer<Throwable> onFailure) {
        this.listener = listener;
        this.control = control;
        this.consumed = consumed;
        this.packets = new Lane("kview-agent-packets", MAX_PACKET_BYTES, onFailure);
    }

    void started(RecordingStart start) {
        control.putAtOnce(() -> listener.started(start));
    }

    /** @param bytes the size of its message */
    void interval(LatencyInterval interval, int bytes) {
        put(bytes, () -> listener.interval(interval));
    }

    void packet(EventPacket packet) throws InterruptedException {
        ByteString bytes = packet.getPacket();
        packets.put(bytes.size(), () -> {
            listener.packet(packet.getCpu(), bytes.asReadOnlyByteBuffer(),
                    Integer.toUnsignedLong(packet.getEvents()));
            consumed.accept(bytes.size());
        });
    }

    /**
     * The agent was asked to end the recording. What it still holds is finite, so all of it is taken.
     * Otherwise the last figures would wait behind packets for a disk that may never be fast enough.
     */
    void stopping() {
        packets.setMaxBytes(MAX_LAST_BYTES);
    }

    /**
     * Tells the listener of the end, once. Never waits. When it returns, the end is in the lane, whichever
     * caller put it there: from then on the lane may be finished.
     */
    synchronized void ended(RecordingEnd end) {
        if (ended) {
            return;
        }
        ended = true;
        boolean taken = control.putAtOnce(() -> {
            try {
                packets.awaitEmpty();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            packets.close();
            listener.ended(end);
        });
        if (!taken) {
            packets.close();
        }
        told.countDown();
    }

    /** Waits until {@link #ended} or {@link #lost} was called, but no longer than {@code patience}. */
    void awaitEnd(Duration patience) throws InterruptedException {
        told.await(patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    void lost(TargetException why) {
        stopping();
        ended(RecordingEnd.lost(why.getMessage()));
    }

    private boolean put(int bytes, Runnable action) {
        try {
            return control.put(bytes, action);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
