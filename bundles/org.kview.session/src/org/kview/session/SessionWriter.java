/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import org.kview.model.AgentCost;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.ProbedFunction;
import org.kview.model.SessionInfo;

/**
 * Writes a session while it is recorded, such that a crash at any moment leaves a session that opens
 * with the figures of its last checkpoint. Safe for use by several threads.
 *
 * <p>After a {@link SessionException} what was written before stays whole and the writer stays
 * usable: figures that could not be written are kept in memory and tried again with the next
 * interval, packets that could not be written count as {@code eventsDropped}.
 */
public final class SessionWriter implements AutoCloseable {

    private SessionWriter() {
    }

    /**
     * Starts a session in a new folder.
     *
     * @param folder      {@code NAME.kview}; created with its parents; must not exist, or be empty
     * @param info        with state RECORDING; its duration is followed from the intervals
     * @param functions   in the order of their ids, which count from 0 without gaps
     * @param ctfMetadata text of the trace's metadata file; empty if recorded without events
     * @throws SessionException if the folder holds something already, or can't be written
     */
    public static SessionWriter create(Path folder, SessionInfo info, List<ProbedFunction> functions,
            Optional<String> ctfMetadata) throws SessionException {
        throw new SessionException("This build can't write sessions yet: " + folder);
    }

    /**
     * Adds what an interval counted.
     *
     * @throws SessionException         if it could not be written
     * @throws IllegalArgumentException if it names a function that is not recorded
     */
    public void append(LatencyInterval interval) throws SessionException {
        throw new SessionException("This build can't write sessions yet");
    }

    /**
     * Adds one whole CTF packet to a CPU's stream.
     *
     * @param cpu    0 to 65535
     * @param packet from its position to its limit; its position is left as it was
     * @throws SessionException if it is no whole packet, or could not be written
     */
    public void appendPacket(int cpu, ByteBuffer packet) throws SessionException {
        throw new SessionException("This build can't write sessions yet");
    }

    /** The figures so far, with those that are not on disk yet. */
    public LatencySnapshot snapshot() {
        throw new IllegalStateException();
    }

    /**
     * Ends the recording and brings everything to the disk.
     *
     * @param state how it ended, not RECORDING
     * @param note  one sentence where it failed; else empty
     * @param cost  what the agent took, if it said so
     * @throws SessionException if it could not be written
     */
    public void finish(SessionInfo.State state, String note, Optional<AgentCost> cost) throws SessionException {
        throw new SessionException("This build can't write sessions yet");
    }

    /** Without {@link #finish} before, leaves a session whose state is RECORDING. */
    @Override
    public void close() throws SessionException {
    }
}
