// SPDX-License-Identifier: EPL-2.0
package org.kview.targets.values;

import java.nio.ByteBuffer;

import org.kview.model.LatencyInterval;

/**
 * Hears of a recording. {@link #started} comes first and {@link #ended} last, each once. Intervals
 * and packets come from two threads, so that no interval waits while packets are written to a slow disk.
 * A listener that takes packets too slowly makes the agent drop events, which it counts.
 */
public interface RecordingListener {

    /** Probes are attached, and counting has begun. */
    void started(RecordingStart start);

    /** What the last interval added; none is ever lost. */
    void interval(LatencyInterval interval);

    /**
     * A packet of the trace.
     *
     * @param cpu    the CPU whose stream it belongs to
     * @param packet one whole CTF packet, read-only; the listener may keep it
     * @param events how many events it holds, as the agent says; 0 also where the agent does not say
     */
    void packet(int cpu, ByteBuffer packet, long events);

    /** The recording has ended. All intervals and packets were handed over before; nothing follows. */
    void ended(RecordingEnd end);
}
