// SPDX-License-Identifier: EPL-2.0
package org.kview.session.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

import org.kview.model.AgentCost;
import org.kview.model.Budget;
import org.kview.model.ClockOffset;
import org.kview.model.CostToOthers;
import org.kview.model.LatencyAccumulator;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.ProgramEnd;
import org.kview.model.Scope;
import org.kview.model.SessionInfo;
import org.kview.model.SurveyFindings;
import org.kview.session.SessionException;
import org.kview.session.files.AppendFile;
import org.kview.session.files.Disk;
import org.kview.session.files.FileTree;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.format.SessionLock;
import org.kview.session.format.SurveyFile;
import org.kview.session.format.SymbolsJson;

/**
 * Writes a session while it is being recorded. After a crash at any moment, the session opens with the figures of its
 * last checkpoint. Safe for use by several threads: an interval never waits until a packet is on the disk.
 *
 * <p>After a {@link SessionException} what was written before stays whole and the writer stays
 * usable: figures that could not be written are kept in memory and tried again with the next
 * interval, packets that could not be written count as {@code eventsDropped}.
 */
public final class SessionWriter implements AutoCloseable {
    /** For a shorter log sums are not worth writing: reading all of it is fast. */
    public static final long SUMS_FROM_BYTES = LatencyLogWriter.SUMS_FROM_BYTES;

    private final Path folder;
    private final SessionInfo started;
    private final LatencyAccumulator figures;
    private final LatencyLogWriter log;
    private final Optional<TraceWriter> trace;
    private final SpaceReserve reserve;
    private final SessionLock lock;
    private final long symbolsChecksum;
    private final Disk disk;
    private final CheckpointPace pace;
    private OptionalLong sumsAt = OptionalLong.empty();
    private SessionInfo info;
    private Optional<ClockOffset> clockOffset;
    private List<Scope> scopes;
    private Optional<AgentCost> cost = Optional.empty();
    private String calibrationNote = "", waitsNote = "";
    private Optional<Budget> budget = Optional.empty();
    private Optional<CostToOthers> others = Optional.empty();
    private Optional<ProgramEnd> program = Optional.empty();
    private Optional<SurveyFindings> survey = Optional.empty();
    private volatile boolean dirty;
    private volatile boolean closed;

    private SessionWriter(Path folder, SessionInfo info, List<ProbedFunction> functions, Optional<String> ctfMetadata,
            Disk disk, LatencyLogWriter.Joining joining, CheckpointPace pace, SessionLock lock) throws IOException {
        this.folder = folder;
        this.lock = lock;
        this.started = info;
        this.info = info;
        this.clockOffset = info.clockOffset();
        this.scopes = info.scopes();
        this.disk = disk;
        this.pace = pace;
        figures = new LatencyAccumulator(functions);
        reserve = SpaceReserve.take(folder, disk);
        byte[] symbols = SymbolsJson.encode(functions);
        symbolsChecksum = SessionJsonWriter.checksum(symbols);
        try (AppendFile file = AppendFile.create(folder.resolve(SessionFiles.SYMBOLS_JSON), disk)) {
            file.append(ByteBuffer.wrap(symbols));
            file.sync();
        }
        log = new LatencyLogWriter(folder, info.start(), List.copyOf(functions), disk, joining);
        trace = ctfMetadata.isEmpty() ? Optional.empty() : Optional.of(TraceWriter
                .create(folder.resolve(SessionFiles.TRACE), disk, reserve, ctfMetadata.get()));
        checkpoint();
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            disk.syncFolder(parent);
        }
    }

    /**
     * Starts a session in a new folder.
     *
     * @param folder      {@code NAME.kview}; created with its parents; must not exist, be empty, or be that
     *                    of a {@link SessionClaim}
     * @param info        with state RECORDING; its duration is followed from the intervals
     * @param functions   in the order of their ids, which count from 0 without gaps
     * @param ctfMetadata text of the trace's metadata file; empty if recorded without events
     * @throws SessionException if the folder holds something already, or can't be written
     */
    public static SessionWriter create(Path folder, SessionInfo info, List<ProbedFunction> functions,
            Optional<String> ctfMetadata) throws SessionException {
        return create(folder, info, functions, ctfMetadata, Disk.REAL);
    }

    static SessionWriter create(Path folder, SessionInfo info, List<ProbedFunction> functions,
            Optional<String> ctfMetadata, Disk disk) throws SessionException {
        return create(folder, info, functions, ctfMetadata, disk, LatencyLogWriter.Joining.USUAL,
                new CheckpointPace(System::nanoTime));
    }

    static SessionWriter create(Path folder, SessionInfo info, List<ProbedFunction> functions,
            Optional<String> ctfMetadata, Disk disk, LatencyLogWriter.Joining joining, CheckpointPace pace)
            throws SessionException {
        try {
            Files.createDirectories(folder);
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder,
                    entry -> !entry.getFileName().toString().equals(SessionFiles.LOCK))) {
                if (entries.iterator().hasNext()) {
                    throw new SessionException(folder + " exists already: choose another name for the recording");
                }
            }
        } catch (FileAlreadyExistsException e) {
            throw new SessionException(folder + " exists already: choose another name for the recording", e);
        } catch (IOException e) {
            throw SessionException.of("A session can't be started in " + folder, e);
        }
        SessionLock lock;
        try {
            lock = SessionLock.take(folder);
        } catch (IOException e) {
            throw SessionException.of("A session can't be started in " + folder, e);
        }
        try {
            return new SessionWriter(folder, info, functions, ctfMetadata, disk, joining, pace, lock);
        } catch (IOException e) {
            lock.close();
            FileTree.delete(folder);
            throw SessionException.of("A session can't be started in " + folder, e);
        }
    }

    /**
     * Adds what an interval counted.
     *
     * @throws SessionException         if it could not be written
     * @throws IllegalArgumentException if it names a function that is not recorded
     */
    public synchronized void append(LatencyInterval interval) throws SessionException {
        requireOpen();
        figures.add(interval);
        log.add(interval);
        info = with(info.state(), info.stateNote());
        dirty = true;
        if (interval.last() || log.isDue()) {
            writing(() -> {
                log.write(losses());
                // If it is not written now, the checkpoint is written together with the next line, or before it.
                if (interval.last() || pace.isDue(log.lineNanos())) {
                    checkpoint();
                }
            });
        } else if (pace.isDueBetweenLines()) {
            writing(this::checkpoint);
        }
    }

    /**
     * Adds one whole CTF packet to a CPU's stream.
     *
     * @param cpu    0 to 65535
     * @param packet from its position to its limit; its position is left as it was
     * @param events how many it holds; 0 also where that is not known
     * @throws SessionException if it is no whole packet, or could not be written
     */
    public void appendPacket(int cpu, ByteBuffer packet, long events) throws SessionException {
        requireOpen();
        TraceWriter out = trace.orElseThrow(() -> new SessionException(
                "The agent sent events, which this recording did not ask for"));
        dirty = true;
        try {
            out.append(cpu, packet, events);
        } catch (IOException e) {
            throw SessionException.of("Events could not be written to " + folder, e);
        }
    }

    /** How far the host's clock is from this machine's, as far as known now. */
    public synchronized void clockOffset(ClockOffset measured) {
        clockOffset = Optional.of(measured);
    }

    /** Who was measured, as it is known now. */
    public synchronized void setScope(Scope measured) {
        scopes = List.of(measured);
        dirty = true;
    }

    /** The figures so far, with those that are not on disk yet. */
    public synchronized LatencySnapshot snapshot() {
        return new LatencySnapshot(info, figures.functions(), losses(), overhead(), problems())
                .withSurvey(survey);
    }

    /**
     * One sentence if the time that was subtracted for the probes is uncertain; otherwise empty. Each call replaces the
     * note of the one before.
     */
    public synchronized void setCalibrationNote(String note) {
        calibrationNote = note;
        dirty = true;
    }

    /** Sentences that say why waits within probes are in doubt; empty if they are not. */
    public synchronized void setWaitsNote(String note) {
        waitsNote = note;
        dirty = true;
    }

    /** What the probes are allowed to cost. */
    public synchronized void setBudget(Budget allowed) {
        budget = Optional.of(allowed);
        dirty = true;
    }

    /** What the recording cost processes that were not recorded. */
    public synchronized void setCostToOthers(CostToOthers measured) {
        others = Optional.of(measured);
        dirty = true;
    }

    /**
     * Keeps what the survey found that chose the functions.
     *
     * @throws SessionException if it could not be written
     */
    public synchronized void setSurvey(SurveyFindings findings) throws SessionException {
        requireOpen();
        writing(() -> disk.replace(folder.resolve(SessionFiles.SURVEY_JSON), SurveyFile.encode(findings)));
        survey = Optional.of(findings);
    }

    /** The program that was started for the recording has ended. */
    public synchronized void programEnded(ProgramEnd end) {
        program = Optional.of(end);
        dirty = true;
    }

    /**
     * Ends the recording and brings everything to the disk.
     *
     * @param state how it ended, not RECORDING
     * @param note  one sentence where it failed, or its probes cost too much; else empty
     * @param agent what the agent took, if it said so
     * @throws SessionException if it could not be written
     */
    public synchronized void finish(SessionInfo.State state, String note, Optional<AgentCost> agent)
            throws SessionException {
        requireOpen();
        if (state == SessionInfo.State.RECORDING) {
            throw new IllegalArgumentException("A recording that is finished is not going on");
        }
        info = with(state, note);
        cost = agent;
        dirty = true;
        close();
    }

    /** If {@link #finish} was not called before, the session keeps the state RECORDING. */
    @Override
    public synchronized void close() throws SessionException {
        if (closed) {
            return;
        }
        closed = true;
        // A resource that is null is not closed.
        try (SessionLock _ = lock; LatencyLogWriter logFile = log; TraceWriter traceFiles = trace.orElse(null)) {
            reserve.release();
            if (dirty) {
                logFile.write(losses());
                if (info.state() != SessionInfo.State.RECORDING) {
                    sumsAt = logFile.writeSums(figures.functions());
                }
                if (traceFiles != null) {
                    traceFiles.checkpoint();
                    traceFiles.sync();
                }
                checkpoint();
            }
        } catch (IOException e) {
            throw SessionException.of("The end of the recording could not be written to " + folder, e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("The session was closed: " + folder);
        }
    }

    private SessionInfo with(SessionInfo.State state, String note) {
        return new SessionInfo(new SessionInfo.Host(started.target(), started.host(), started.kernel(), clockOffset), scopes,
                started.command(), started.filtering(), started.start(), log.recorded(),
                new SessionInfo.Ending(state, note, program), started.provenance());
    }

    private Losses losses() {
        return figures.losses().withEventsDropped(trace.map(TraceWriter::lostEvents).orElse(0L));
    }

    private Overhead overhead() {
        return new Overhead(figures.overhead().perCallNanos(),
                figures.overhead().calibrated() && calibrationNote.isEmpty(), cost, calibrationNote,
                figures.overhead().process(), budget, waitsNote, others);
    }

    private List<String> problems() {
        return trace.flatMap(TraceWriter::problem).map(List::of).orElse(List.of());
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
    }

    /** Tries once more, with the space that was kept back. */
    private void writing(Writing action) throws SessionException {
        try {
            try {
                action.run();
            } catch (IOException e) {
                if (!reserve.release()) {
                    throw e;
                }
                action.run();
            }
        } catch (IOException e) {
            throw SessionException.of("The figures could not be written to " + folder, e);
        }
    }

    /**
     * Replaces session.json. What the figures contain and the log does not yet is in it as well. The other files that
     * it describes are on the disk before it. The only exception are the trace's packets, whose checksums are verified
     * when they are read.
     */
    private void checkpoint() throws IOException {
        long began = pace.now();
        Optional<Checkpoint.TraceSummary> traceSummary = trace.isEmpty() ? Optional.empty()
                : Optional.of(trace.get().checkpoint());
        Checkpoint checkpoint = new Checkpoint(info, figures.functions(), List.of(), losses(), overhead(),
                new Checkpoint.LogSummary(log.length(), sumsAt, log.pendingLines(losses())),
                traceSummary, symbolsChecksum, problems());
        byte[] json = SessionJsonWriter.encode(checkpoint);
        log.sync();
        disk.replace(folder.resolve(SessionFiles.SESSION_JSON), json);
        pace.written(began, json.length);
    }
}
