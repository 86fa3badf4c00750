/*
 * SPDX-License-Identifier: EPL-2.0
 */
package org.kview.session.write;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

import org.kview.model.AgentCost;
import org.kview.model.Budget;
import org.kview.model.ClockOffset;
import org.kview.model.Distribution;
import org.kview.model.LatencyAccumulator;
import org.kview.model.LatencyInterval;
import org.kview.model.LatencySnapshot;
import org.kview.model.Losses;
import org.kview.model.Overhead;
import org.kview.model.ProbedFunction;
import org.kview.model.ProgramEnd;
import org.kview.model.SessionInfo;
import org.kview.session.CallCounts;
import org.kview.session.SessionException;
import org.kview.session.files.AppendFile;
import org.kview.session.files.Disk;
import org.kview.session.files.FileTree;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.IntervalComments;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonWriter;
import org.kview.session.format.SessionLock;
import org.kview.session.format.SymbolsJson;

/**
 * Writes a session while it is recorded, such that a crash at any moment leaves a session that opens
 * with the figures of its last checkpoint. Safe for use by several threads: no interval waits for a packet.
 *
 * <p>After a {@link SessionException} what was written before stays whole and the writer stays
 * usable: figures that could not be written are kept in memory and tried again with the next
 * interval, packets that could not be written count as {@code eventsDropped}.
 */
public final class SessionWriter implements AutoCloseable {
    /** Somewhat less than an agent's usual interval, so that none of those is passed over. */
    private static final Duration CHECKPOINT_EVERY = Duration.ofMillis(400);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** Writing checkpoints takes at most so small a part of the time, on a disk that is not slower still. */
    private static final long PAUSE_TIMES = 20;

    /** A shorter log is read faster than its sums are worth. */
    public static final long SUMS_FROM_BYTES = 1 << 20;

    private final Path folder;
    private final SessionInfo started;
    private final List<ProbedFunction> functions;
    private final LatencyAccumulator figures;
    private final AppendFile log;
    private final Optional<TraceWriter> trace;
    private final SpaceReserve reserve;
    private final SessionLock lock;
    private final long symbolsChecksum;
    private final Disk disk;
    /** What the log lacks, by tag. */
    private final Map<LogTag, Distribution.Builder> pending = new LinkedHashMap<>();
    /** What had become of the calls of those functions of which the log lacks it. */
    private final Map<Integer, CallCounts> pendingCalls = new TreeMap<>();
    private Losses loggedLosses = Losses.NONE;
    private OptionalLong firstNanos = OptionalLong.empty();
    private OptionalLong sumsAt = OptionalLong.empty();
    private long pendingFromNanos;
    private long lastNanos;
    private SessionInfo info;
    private Optional<ClockOffset> clockOffset;
    private Optional<AgentCost> cost = Optional.empty();
    private String calibrationNote = "", waitsNote = "";
    private Optional<Budget> budget = Optional.empty();
    private Optional<ProgramEnd> program = Optional.empty();
    private long checkpointTick = System.nanoTime();
    private long checkpointPause = CHECKPOINT_EVERY.toNanos();
    private volatile boolean dirty;
    private volatile boolean closed;

    private SessionWriter(Path folder, SessionInfo info, List<ProbedFunction> functions, Optional<String> ctfMetadata,
            Disk disk, SessionLock lock) throws IOException {
        this.folder = folder;
        this.lock = lock;
        this.started = info;
        this.info = info;
        this.clockOffset = info.clockOffset();
        this.functions = List.copyOf(functions);
        this.disk = disk;
        figures = new LatencyAccumulator(functions);
        reserve = SpaceReserve.take(folder, disk);
        byte[] symbols = SymbolsJson.encode(functions);
        symbolsChecksum = SessionJsonWriter.checksum(symbols);
        try (AppendFile file = AppendFile.create(folder.resolve(SessionFiles.SYMBOLS_JSON), disk)) {
            file.append(ByteBuffer.wrap(symbols));
            file.sync();
        }
        log = AppendFile.create(folder.resolve(SessionFiles.LATENCY_LOG), disk);
        log.append(ByteBuffer.wrap(LatencyLog.header(info.start())));
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
            return new SessionWriter(folder, info, functions, ctfMetadata, disk, lock);
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
        if (firstNanos.isEmpty()) {
            firstNanos = OptionalLong.of(interval.beginNanos());
            pendingFromNanos = interval.beginNanos();
        }
        lastNanos = Math.max(lastNanos, interval.endNanos());
        interval.functions().forEach(part -> pendingCalls.put(part.functionId(), CallCounts.of(part)));
        interval.functions().forEach(part -> part.added().forEach((metric, values) -> pending
                .computeIfAbsent(new LogTag(part.functionId(), functions.get(part.functionId()).name(), metric),
                        tag -> new Distribution.Builder())
                .add(values)));
        info = with(info.state(), info.stateNote());
        dirty = true;
        writing(() -> {
            writePending();
            if (interval.last() || System.nanoTime() - checkpointTick >= checkpointPause) {
                checkpoint();
            }
        });
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

    /** The figures so far, with those that are not on disk yet. */
    public synchronized LatencySnapshot snapshot() {
        return new LatencySnapshot(info, figures.functions(), losses(), overhead(), problems());
    }

    /** One sentence where what was subtracted for the probes is not sure, else empty; the last word counts. */
    public synchronized void setCalibrationNote(String note) {
        calibrationNote = note;
        dirty = true;
    }

    /** Sentences where waits within probes are in doubt; else empty. */
    public synchronized void setWaitsNote(String note) {
        waitsNote = note;
        dirty = true;
    }

    /** What the probes are allowed to cost. */
    public synchronized void setBudget(Budget allowed) {
        budget = Optional.of(allowed);
        dirty = true;
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

    /** Without {@link #finish} before, leaves a session whose state is RECORDING. */
    @Override
    public synchronized void close() throws SessionException {
        if (closed) {
            return;
        }
        closed = true;
        // A resource that is null is not closed.
        try (SessionLock _ = lock; AppendFile logFile = log; TraceWriter traceFiles = trace.orElse(null)) {
            reserve.release();
            if (dirty) {
                writePending();
                writeSums();
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
        Duration duration = Duration.ofNanos(lastNanos - firstNanos.orElse(lastNanos));
        return new SessionInfo(started.target(), started.host(), started.kernel(), started.pid(), started.command(),
                started.filter(), started.filterNote(), started.start(), duration, state, note, clockOffset,
                program, started.provenance());
    }

    private Losses losses() {
        return figures.losses().withEventsDropped(trace.map(TraceWriter::lostEvents).orElse(0L));
    }

    private Overhead overhead() {
        return new Overhead(figures.overhead().perCallNanos(),
                figures.overhead().calibrated() && calibrationNote.isEmpty(), cost, calibrationNote,
                figures.overhead().process(), budget, waitsNote);
    }

    private List<String> problems() {
        return trace.flatMap(TraceWriter::problem).map(List::of).orElse(List.of());
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
    }

    /** Tries once more with the space that was kept back. */
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

    private void writePending() throws IOException {
        Losses losses = losses();
        if (firstNanos.isEmpty() || pending.isEmpty() && pendingCalls.isEmpty() && losses.equals(loggedLosses)) {
            // It has no line, and the next one does not begin before it.
            pendingFromNanos = lastNanos;
            return;
        }
        Map<LogTag, Distribution> added = new LinkedHashMap<>();
        pending.forEach((tag, values) -> added.put(tag, values.build()));
        long origin = firstNanos.getAsLong();
        long end = lastNanos - origin;
        StringBuilder counts = new StringBuilder();
        pendingCalls.forEach((function, calls) -> counts.append(IntervalComments.calls(function, end, calls)));
        if (!losses.equals(loggedLosses)) {
            counts.append(IntervalComments.losses(end, losses));
        }
        log.append(ByteBuffer.wrap(LatencyLog.interval(pendingFromNanos - origin, end, added, counts.toString())));
        pending.clear();
        pendingCalls.clear();
        loggedLosses = losses;
        pendingFromNanos = lastNanos;
    }

    /** So that a long log need not be read to know its buckets. A disk that has no room for them is no failure. */
    private void writeSums() {
        long at = log.length();
        if (at < SUMS_FROM_BYTES || info.state() == SessionInfo.State.RECORDING) {
            return;
        }
        try {
            log.append(ByteBuffer.wrap(LatencyLog.sums(figures.functions())));
            sumsAt = OptionalLong.of(at);
        } catch (IOException e) {
            // The lines are there, and say the same.
        }
    }

    /**
     * Replaces session.json. Called only when the log holds all that the figures hold. What it says of other files is on
     * the disk before it, but for packets: those are checked when they are read.
     */
    private void checkpoint() throws IOException {
        long began = System.nanoTime();
        Optional<Checkpoint.TraceSummary> traceSummary = trace.isEmpty() ? Optional.empty()
                : Optional.of(trace.get().checkpoint());
        Checkpoint checkpoint = new Checkpoint(info, figures.functions(), List.of(), losses(), overhead(),
                new Checkpoint.LogSummary(log.length(), sumsAt),
                traceSummary, symbolsChecksum, problems());
        log.sync();
        disk.replace(folder.resolve(SessionFiles.SESSION_JSON), SessionJsonWriter.encode(checkpoint));
        checkpointTick = System.nanoTime();
        checkpointPause = pause(checkpointTick - began);
    }

    /** A slow disk is not kept busy: the program that is measured may need it. */
    private static long pause(long tookNanos) {
        return Math.clamp(PAUSE_TIMES * tookNanos, CHECKPOINT_EVERY.toNanos(), LONGEST_PAUSE.toNanos());
    }
}
