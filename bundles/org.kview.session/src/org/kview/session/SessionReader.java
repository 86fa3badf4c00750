/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.nio.file.Path;
import java.util.Optional;

import org.kview.model.LatencySnapshot;

/**
 * A session on disk, {@code NAME.kview/} or {@code NAME.kview.zip}, opened for reading. Nothing in it
 * is changed. Immutable once open, and safe for use by several threads.
 *
 * <p>What is damaged is named in {@link LatencySnapshot#problems()}, and the rest opens.
 */
public final class SessionReader implements AutoCloseable {

    private SessionReader() {
    }

    /**
     * @param session a session's folder, or a zip of one
     * @throws SessionException if it is no session, is from a newer version, or if its
     *                          {@code session.json} can't be read
     */
    public static SessionReader open(Path session) throws SessionException {
        throw new SessionException("This build can't read sessions yet: " + session);
    }

    /** The figures, exact up to the last checkpoint. */
    public LatencySnapshot snapshot() {
        throw new IllegalStateException();
    }

    /**
     * The folder of a CTF trace that opens: the session's own, or where a stream file of it is
     * damaged, a copy of its whole packets that lives until {@link #close()}. Empty if the session was
     * recorded without events or if its trace is beyond use.
     */
    public Optional<Path> trace() {
        throw new IllegalStateException();
    }

    /**
     * Copies the trace, whole packets only, into a folder that is new or empty.
     *
     * @throws SessionException if there is no trace, or the folder holds something or can't be written
     */
    public void exportCtf(Path folder) throws SessionException {
        throw new SessionException("This build can't export yet: " + folder);
    }

    /**
     * Copies the HdrHistogram interval log, up to the last checkpoint, into a new file.
     *
     * @throws SessionException if there is none, or the file exists or can't be written
     */
    public void exportHlog(Path file) throws SessionException {
        throw new SessionException("This build can't export yet: " + file);
    }

    /** Removes what {@link #trace()} and a zip needed in the temporary folder. */
    @Override
    public void close() {
    }
}
