/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;

/**
 * A session on disk, {@code NAME.kview/} or {@code NAME.kview.zip}, opened for reading. Nothing in it
 * is changed. Immutable once open, and safe for use by several threads.
 *
 * <p>What is damaged is named in {@link LatencySnapshot#problems()}, and the rest opens.
 */
public final class SessionReader implements AutoCloseable {
    /** A session of ten thousand functions takes a tenth of that. */
    private static final long MAX_JSON_BYTES = 256L << 20;

    private final Path session;
    private final Path folder;
    private final Optional<Path> unpacked;
    private final Checkpoint checkpoint;
    private final LatencySnapshot snapshot;
    private final Optional<OpenedTrace> trace;

    private SessionReader(Path session, Path folder, Optional<Path> unpacked) throws SessionException {
        this.session = session;
        this.folder = folder;
        this.unpacked = unpacked;
        checkpoint = SessionJsonReader.decode(bytes(folder.resolve(SessionFiles.SESSION_JSON)));
        List<String> problems = new ArrayList<>(checkpoint.problems());
        List<FunctionLatency> functions = new FunctionsReader(folder, checkpoint, problems).read();
        trace = checkpoint.trace().flatMap(summary -> OpenedTrace.open(folder.resolve(SessionFiles.TRACE), summary,
                problems));
        snapshot = new LatencySnapshot(checkpoint.info(), functions, checkpoint.losses(), checkpoint.overhead(),
                problems);
    }

    /**
     * Opens a session.
     *
     * @param session a session's folder, or a zip of one
     * @throws SessionException if it is no session, is from a newer version, or if its
     *                          {@code session.json} can't be read; {@link SalvagedSession} may then
     *                          still tell something
     */
    public static SessionReader open(Path session) throws SessionException {
        if (Files.isDirectory(session)) {
            return new SessionReader(session, session, Optional.empty());
        }
        if (!Files.exists(session)) {
            throw new SessionException(session + " does not exist");
        }
        Path unpacked = SessionZip.unpack(session);
        try {
            return new SessionReader(session, unpacked, Optional.of(unpacked));
        } catch (SessionException | RuntimeException e) {
            SessionFiles.deleteAll(unpacked);
            throw e;
        }
    }

    /** The figures, exact up to the last checkpoint. */
    public LatencySnapshot snapshot() {
        return snapshot;
    }

    /**
     * The folder of a CTF trace that opens: the session's own, or where a stream file of it is
     * damaged, a copy of its whole packets that lives until {@link #close()}. Empty if the session was
     * recorded without events or if its trace is beyond use.
     */
    public Optional<Path> trace() {
        return trace.map(OpenedTrace::folder);
    }

    /**
     * Copies the trace, whole packets only, into a folder that is new or empty.
     *
     * @throws SessionException if there is no trace, or the folder holds something or can't be written
     */
    public void exportCtf(Path target) throws SessionException {
        if (checkpoint.trace().isEmpty()) {
            throw new SessionException(session + " was recorded without events: there is no trace to export"
                    + " (record with --events)");
        }
        OpenedTrace source = trace.orElseThrow(() -> new SessionException("The trace of " + session
                + " is damaged beyond use: " + String.join(" ", snapshot.problems())));
        try {
            Files.createDirectories(target);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(target)) {
                if (entries.iterator().hasNext()) {
                    throw new SessionException(target + " is not empty: choose a new folder");
                }
            }
        } catch (IOException e) {
            throw SessionException.of("The trace can't be exported to " + target, e);
        }
        try {
            source.files().copyTo(target);
        } catch (IOException e) {
            SessionFiles.deleteAll(target);
            throw SessionException.of("The trace can't be exported to " + target, e);
        }
    }

    /**
     * Copies the HdrHistogram interval log, up to the last checkpoint, into a new file.
     *
     * @throws SessionException if there is none, or the file exists or can't be written
     */
    public void exportHlog(Path file) throws SessionException {
        Path log = folder.resolve(SessionFiles.LATENCY_LOG);
        try {
            if (Files.exists(file)) {
                throw new SessionException(file + " exists already: choose another name");
            }
            if (Files.size(log) < checkpoint.logBytes()) {
                throw new SessionException(SessionFiles.LATENCY_LOG + " of " + session
                        + " is cut off: exporting it would hide that");
            }
            Path temporary = file.resolveSibling(file.getFileName() + SessionFiles.TEMPORARY_SUFFIX);
            try {
                TraceFiles.copyBegin(log, checkpoint.logBytes(), temporary);
                Files.move(temporary, file);
            } catch (IOException e) {
                Files.deleteIfExists(temporary);
                throw e;
            }
        } catch (IOException e) {
            throw SessionException.of("The interval log can't be exported to " + file, e);
        }
    }

    /** Removes what {@link #trace()} and a zip needed in the temporary folder. */
    @Override
    public void close() {
        trace.ifPresent(OpenedTrace::close);
        unpacked.ifPresent(SessionFiles::deleteAll);
    }

    private static byte[] bytes(Path file) throws SessionException {
        try {
            if (!Files.isRegularFile(file)) {
                throw new SessionException(file + (Files.exists(file) ? " is no file"
                        : " is missing: this is no session of Kview Workbench, or a damaged one"));
            }
            if (Files.size(file) > MAX_JSON_BYTES) {
                throw new SessionException(file + " is damaged: it is far too large");
            }
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw SessionException.of(file + " can't be read", e);
        }
    }
}
