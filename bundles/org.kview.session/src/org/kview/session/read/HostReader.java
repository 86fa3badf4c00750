// SPDX-License-Identifier: EPL-2.0
package org.kview.session.read;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.kview.ctf.CtfException;
import org.kview.ctf.EventTrace;
import org.kview.model.Distribution;
import org.kview.model.FunctionLatency;
import org.kview.model.LatencySnapshot;
import org.kview.model.SessionInfo.State;
import org.kview.model.SurveyFindings;
import org.kview.session.Progress;
import org.kview.session.SessionException;
import org.kview.session.files.FileTree;
import org.kview.session.files.NewFile;
import org.kview.session.format.Allowance;
import org.kview.session.format.Checkpoint;
import org.kview.session.format.IntervalComments;
import org.kview.session.format.LatencyLog;
import org.kview.session.format.LogTag;
import org.kview.session.format.SessionDocument;
import org.kview.session.format.SessionFiles;
import org.kview.session.format.SessionJsonReader;
import org.kview.session.format.SurveyFile;

/**
 * The part of a session that was recorded on one host, opened for reading: a folder with everything.
 *
 * @param folder     its folder
 * @param checkpoint what its {@code session.json} says
 * @param snapshot   the figures, exact up to that checkpoint
 * @param trace      its events
 */
record HostReader(Path folder, Checkpoint checkpoint, LatencySnapshot snapshot, Optional<OpenedTrace> trace)
        implements AutoCloseable {

    private static final long MOST_SURVEY_BYTES = 16 << 20;

    static HostReader open(Path folder, SessionDocument document, Allowance allowance) throws SessionException {
        Checkpoint checkpoint = SessionJsonReader.decode(document, allowance);
        List<String> problems = new ArrayList<>(checkpoint.problems());
        List<FunctionLatency> functions = new FunctionsReader(folder, checkpoint, problems, allowance).read();
        Optional<OpenedTrace> trace = checkpoint.trace().flatMap(summary -> OpenedTrace.open(
                folder.resolve(SessionFiles.TRACE), summary, problems, allowance));
        Optional<SurveyFindings> survey = survey(folder.resolve(SessionFiles.SURVEY_JSON), problems, allowance);
        return new HostReader(folder, checkpoint, new LatencySnapshot(checkpoint.info(), functions,
                checkpoint.losses(), checkpoint.overhead(), problems).withSurvey(survey), trace);
    }

    /** What the survey found that chose the functions; empty if there was none, or if its file can't be read. */
    private static Optional<SurveyFindings> survey(Path file, List<String> problems, Allowance allowance) {
        try {
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            if (!Files.isRegularFile(file)) {
                throw new SessionException(SessionFiles.SURVEY_JSON + " is no file");
            }
            long size = Files.size(file);
            if (size > MOST_SURVEY_BYTES || !allowance.take(Allowance.Of.TEXT, size)) {
                throw new SessionException(SessionFiles.SURVEY_JSON + " is damaged: it is far too large");
            }
            allowance.read(size);
            return Optional.of(SurveyFile.decode(Files.readAllBytes(file)));
        } catch (SessionException e) {
            problems.add(e.getMessage() + "; what the survey found is not known.");
        } catch (IOException e) {
            problems.add(SessionFiles.SURVEY_JSON + " can't be read: " + SessionException.reason(e) + ".");
        }
        return Optional.empty();
    }

    /** Tells what each interval counted. */
    void intervals(Progress progress, IntervalVisitor visitor) throws SessionException {
        Path log = folder.resolve(SessionFiles.LATENCY_LOG);
        Allowance allowance = Allowance.ofTime(progress);
        try {
            allowance.expect(Math.min(Files.size(log), checkpoint.log().bytes()));
            LatencyLogReader reader = LatencyLogReader.read(log, checkpoint.log(), checkpoint.tags(), allowance, new LatencyLogReader.LineVisitor() {
                @Override
                public void line(LogTag tag, long endNanos, Distribution buckets) {
                    visitor.interval(tag.functionId(), tag.metric(), endNanos, buckets);
                }

                @Override
                public void counts(IntervalComments.Line line) {
                    if (line.function().isPresent()) {
                        visitor.calls(line.function().getAsInt(), line.endNanos(), line.calls());
                    } else {
                        visitor.losses(line.endNanos(), line.losses());
                    }
                }
            });
            // A shorter log was read when the session was opened, and is named among its problems.
            if (reader.badLines() > 0
                    && checkpoint.log().sumsAt().orElse(0) > Allowance.Of.LOG_WITHOUT_SUMS.most()) {
                throw new SessionException(log + " is damaged: " + reader.badLines() + " of its lines can't be read, so how"
                        + " the recording went by time is not known; its figures are whole");
            }
        } catch (IOException e) {
            throw SessionException.of(log + " can't be read", e);
        }
    }

    /** Its events; empty if it was recorded without, or if its trace is damaged beyond use. */
    Optional<EventTrace> events() throws SessionException {
        if (trace.isEmpty()) {
            return Optional.empty();
        }
        try {
            EventTrace events = trace.get().events(checkpoint.trace().orElseThrow());
            return Optional.of(isEnded() ? events : events.withoutEnd());
        } catch (CtfException e) {
            throw new SessionException(e.getMessage(), e);
        } catch (IOException e) {
            throw SessionException.of("The events of " + checkpoint.info().target() + " can't be read", e);
        }
    }

    /** Whether the recording ended as it should: then all that was recorded was written. */
    private boolean isEnded() {
        State state = checkpoint.info().ending().state();
        return state == State.STOPPED || state == State.PROCESS_ENDED;
    }

    /** Whether nothing is known to be missing of its trace. */
    boolean hasWholeTrace() {
        return trace.isPresent() && checkpoint.losses().eventsDropped() == 0
                && trace.get().isWhole(checkpoint.trace().orElseThrow());
    }

    /** What tells its trace from all others; empty if that can't be read. */
    String traceIdentity() {
        try {
            return trace.isEmpty() ? "" : TraceIdentity.of(trace.get().files(), hasWholeTrace(), isEnded());
        } catch (IOException e) {
            // Who reads its events will be told why.
            return "";
        }
    }

    /** Copies the trace, whole packets only, into a folder that is new or empty. */
    List<String> exportCtf(Path session, Path destination) throws SessionException {
        if (checkpoint.trace().isEmpty()) {
            throw new SessionException(session + " was recorded without events: there is no trace to export"
                    + " (record with --events)");
        }
        OpenedTrace source = trace.orElseThrow(() -> new SessionException("The trace of " + session
                + " is damaged beyond use: " + String.join(" ", snapshot.problems())));
        try {
            FileTree.createEmpty(destination);
        } catch (IOException e) {
            throw SessionException.of("The trace can't be exported to " + destination, e);
        }
        try {
            List<String> problems = new ArrayList<>();
            source.checked(checkpoint.trace().get(), problems).copyTo(destination);
            return problems;
        } catch (IOException e) {
            FileTree.delete(destination);
            throw SessionException.of("The trace can't be exported to " + destination, e);
        }
    }

    /** Copies the interval log, up to the last checkpoint, into a new file. */
    void exportHlog(Path session, Path file) throws SessionException {
        Path log = folder.resolve(SessionFiles.LATENCY_LOG);
        try {
            NewFile.check(file);
            if (Files.size(log) < checkpoint.log().bytes()) {
                throw new SessionException(SessionFiles.LATENCY_LOG + " of " + session
                        + " is cut off: exporting it would hide that");
            }
            NewFile.create(file, temporary -> {
                TraceFiles.copyBegin(log, checkpoint.log().bytes(), temporary);
                Files.write(temporary, checkpoint.log().pendingBytes(), StandardOpenOption.APPEND);
                Files.write(temporary, values(), StandardOpenOption.APPEND);
            });
        } catch (IOException e) {
            throw SessionException.of("The interval log can't be exported to " + file, e);
        }
    }

    /** Of values no intervals are kept: a line of each is of the whole recording. */
    private byte[] values() {
        Map<LogTag, Distribution> lines = new LinkedHashMap<>();
        for (FunctionLatency function : snapshot.functions()) {
            function.byValue().forEach(value -> value.distributions().forEach((metric, distribution) -> lines.put(
                    new LogTag(function.function().id(), value.function().name(), metric), distribution)));
        }
        return lines.isEmpty() ? new byte[0] : LatencyLog.interval(0, snapshot.info().duration().toNanos(), lines, "");
    }

    @Override
    public void close() {
        trace.ifPresent(OpenedTrace::close);
    }
}
