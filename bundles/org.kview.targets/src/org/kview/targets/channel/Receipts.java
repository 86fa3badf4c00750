// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.channel;

import org.kview.wire.proto.Acknowledge;
import org.kview.wire.proto.FromAgent;

/** Counts what arrived and what was dealt with, to acknowledge it to the agent. Safe for use by several threads. */
public final class Receipts {
    /** How many bytes of events the agent may send before any of them is dealt with: 200 ms at 80 MB/s. */
    public static final long WINDOW_BYTES = 16 << 20;
    /** After so many bytes it acknowledges, early enough that on a fast link the agent never waits for it. */
    private static final long EAGER_BYTES = WINDOW_BYTES / 64;

    private long sequence;
    private long packetBytes;
    private long outputBytes;
    private Acknowledge told = Acknowledge.getDefaultInstance();

    /**
     * Takes note of a message.
     *
     * @return whether it is new
     * @throws IllegalStateException if messages before it are missing
     */
    synchronized boolean arrived(FromAgent message) {
        long number = message.getSequence();
        if (number == 0) {
            return true;
        }
        if (number <= sequence) {
            return false;
        }
        if (number != sequence + 1) {
            throw new IllegalStateException("message " + number + " after message " + sequence);
        }
        sequence = number;
        return true;
    }

    synchronized long sequence() {
        return sequence;
    }

    /** @return whether it should be acknowledged soon */
    synchronized boolean consumedPacket(long bytes) {
        packetBytes += bytes;
        return packetBytes - told.getConsumedPacketBytes() >= EAGER_BYTES;
    }

    /** @return whether it should be acknowledged soon */
    synchronized boolean consumedOutput(long bytes) {
        outputBytes += bytes;
        return outputBytes - told.getConsumedOutputBytes() >= EAGER_BYTES;
    }

    /** Whether there is something to acknowledge. */
    synchronized boolean isDue() {
        return !next().equals(told);
    }

    /** The acknowledgement of everything so far; the caller has to send it. */
    synchronized Acknowledge take() {
        told = next();
        return told;
    }

    private Acknowledge next() {
        return Acknowledge.newBuilder().setSequence(sequence).setConsumedPacketBytes(packetBytes)
                .setConsumedOutputBytes(outputBytes).build();
    }
}
